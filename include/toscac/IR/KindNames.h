//===- toscac/IR/KindNames.h - Words for kinds in text ----------*- C++ -*-===//

#ifndef TOSCAC_IR_KINDNAMES_H
#define TOSCAC_IR_KINDNAMES_H

#include "toscac/IR/Machine.h"

namespace toscac::ir {

/// `integer`, `record`, `any`.
llvm::StringRef nameOf(TypeKind kind);
std::optional<TypeKind> findKind(llvm::StringRef name);

/// `node`, `relationship`.
llvm::StringRef nameOf(TypeInfo::Kind kind);
std::optional<TypeInfo::Kind> findTypeKind(llvm::StringRef name);

/// `RELATIONSHIP`, `TARGET`.
llvm::StringRef nameOf(PathStep::Kind kind);

/// `HOST`; of what runs where the plan does, `ORCHESTRATOR`.
llvm::StringRef nameOf(HandlerPlace place);
std::optional<HandlerPlace> findHandlerPlace(llvm::StringRef name);

} // namespace toscac::ir

#endif
