//===- toscac/IR/KindNames.h - Words for kinds in the text form --*- C++
//-*-===//
//-*-===//

#ifndef TOSCAC_IR_KINDNAMES_H
#define TOSCAC_IR_KINDNAMES_H

#include "toscac/IR/Types.h"

namespace toscac::ir {

/// `integer`, `record`, `any`.
llvm::StringRef nameOf(TypeKind kind);
std::optional<TypeKind> findKind(llvm::StringRef name);

/// `node`, `relationship`.
llvm::StringRef nameOf(TypeInfo::Kind kind);
std::optional<TypeInfo::Kind> findTypeKind(llvm::StringRef name);

} // namespace toscac::ir

#endif
