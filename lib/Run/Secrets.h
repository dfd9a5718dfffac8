//===- Secrets.h - Values that nobody shall see -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_SECRETS_H
#define TOSCAC_LIB_RUN_SECRETS_H

#include "toscac/Value/Value.h"
#include <string>
#include <vector>

namespace toscac::run {

/// Inputs that the plan leaves open are sensitive. What they hold is replaced
/// by `***` in everything that is logged, shown or stored.
class Secrets {
public:
  /// Adds the texts in \p value. Those of one or two characters occur
  /// everywhere and cannot be hidden.
  void add(const Value &value);
  bool empty() const { return texts.empty(); }
  std::string hidden(llvm::StringRef text) const;

private:
  void addText(llvm::StringRef text);

  /// The longest first: one may contain another.
  std::vector<std::string> texts;
};

} // namespace toscac::run

#endif
