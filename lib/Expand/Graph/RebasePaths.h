//===- RebasePaths.h - Expressions from another point of view ---*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_REBASEPATHS_H
#define TOSCAC_LIB_EXPAND_REBASEPATHS_H

#include "Expansion.h"

namespace toscac::expanding {

/// \p expr, which was written from one entity, as another sees it that comes
/// to the first by \p way, words of a path. Calls of `$get_input` are replaced
/// by \p inputWay and what \p inputs has for them, which is as the node around
/// the service sees it; null: they stay.
const Expr *rebasePaths(ValueArena &arena, const Expr &expr,
                        llvm::ArrayRef<llvm::StringRef> way,
                        const SubgraphState *inputs,
                        llvm::ArrayRef<llvm::StringRef> inputWay);

} // namespace toscac::expanding

#endif
