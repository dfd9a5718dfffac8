//===- Worklist.h - What is still to be looked at ---------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_WORKLIST_H
#define TOSCAC_LIB_PLAN_WORKLIST_H

#include "llvm/ADT/BitVector.h"
#include <cstdint>
#include <vector>

namespace toscac::plan {

/// Numbers below a limit, first in, first out; each is in it at most once.
class Worklist {
public:
  explicit Worklist(uint32_t limit) : isIn(limit) {}

  void add(uint32_t item) {
    if (isIn.test(item))
      return;
    isIn.set(item);
    items.push_back(item);
  }
  bool empty() const { return next == items.size(); }
  uint32_t take() {
    uint32_t item = items[next++];
    isIn.reset(item);
    if (empty())
      forget();
    return item;
  }
  void clear() {
    isIn.reset();
    forget();
  }

private:
  void forget() {
    items.clear();
    next = 0;
  }

  llvm::BitVector isIn;
  std::vector<uint32_t> items;
  size_t next = 0;
};

} // namespace toscac::plan

#endif
