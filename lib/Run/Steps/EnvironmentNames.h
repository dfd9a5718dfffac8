//===- EnvironmentNames.h - Inputs as variables -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_RUN_ENVIRONMENTNAMES_H
#define TOSCAC_LIB_RUN_ENVIRONMENTNAMES_H

#include "toscac/Plan/ReadPlan.h"
#include "llvm/ADT/StringExtras.h"

namespace toscac::run {

/// The variable of the environment that input \p name is given by.
inline std::string variableOf(llvm::StringRef name) {
  std::string result = "TOSCA_INPUT_" + name.str();
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '_';
  return result;
}

/// The names of the inputs of \p handler.
inline llvm::SmallVector<llvm::StringRef>
inputNames(const planfile::StepHandler &handler) {
  llvm::SmallVector<llvm::StringRef> names;
  if (!handler.inputs)
    return names;
  if (handler.inputs->isLiteral()) {
    if (handler.inputs->value().isMap())
      for (const MapEntry &entry : handler.inputs->value().entries())
        names.push_back(entry.key.asString());
    return names;
  }
  llvm::ArrayRef<Expr> children = handler.inputs->children();
  for (; children.size() > 1; children = children.drop_front(2))
    if (children[0].isLiteral() && children[0].value().isString())
      names.push_back(children[0].value().asString());
  return names;
}

} // namespace toscac::run

#endif
