//===- Labels.h - What names in the text stand for --------------*- C++ -*-===//

#ifndef TOSCAC_LIB_IR_LABELS_H
#define TOSCAC_LIB_IR_LABELS_H

#include "TextReader.h"
#include "llvm/ADT/DenseMap.h"

namespace toscac::ir {

/// Numbers of things by their labels. The same name may stand for several.
class Labels {
public:
  /// Gives the next thing called \p name its number.
  void add(Name name, uint32_t number) {
    numbers[name.str().data()].push_back(number);
  }
  /// How many have this name.
  size_t count(Name name) const {
    auto found = numbers.find(name.str().data());
    return found == numbers.end() ? 0 : found->second.size();
  }
  std::optional<uint32_t> find(const Label &label) const {
    auto found = numbers.find(label.name.str().data());
    if (found == numbers.end() || label.ordinal == 0 ||
        label.ordinal > found->second.size())
      return std::nullopt;
    return found->second[label.ordinal - 1];
  }

private:
  /// By the address of the interned name.
  llvm::DenseMap<const char *, llvm::SmallVector<uint32_t, 1>> numbers;
};

} // namespace toscac::ir

#endif
