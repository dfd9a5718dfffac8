//===- toscac/Value/Sealed.h - Values that only a key opens -----*- C++ -*-===//
///
/// \file
/// A sensitive value that has to be kept stands as `{"$tosca.sealed": TEXT}`
/// where others stand by themselves: in attributes, cells, inputs and outputs
/// of the store, and in plans made from it. It is an expression, which
/// tosca-run can evaluate that has the key; all others pass it on.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_VALUE_SEALED_H
#define TOSCAC_VALUE_SEALED_H

#include "toscac/Value/Value.h"

namespace toscac {

/// No function of a template can have this name: it is no word.
inline constexpr llvm::StringLiteral sealedFunction = "tosca.sealed";
/// The same as a key.
inline constexpr llvm::StringLiteral sealedKey = "$tosca.sealed";

/// The text of \p value, if it is sealed.
inline const Value *sealedText(const Value &value) {
  if (!value.isMap() || value.entries().size() != 1)
    return nullptr;
  const Value *text = value.find(sealedKey);
  return text && text->isString() ? text : nullptr;
}

} // namespace toscac

#endif
