//===- toscac/Expand/GraphPasses.h - Passes over graphs ---------*- C++ -*-===//

#ifndef TOSCAC_EXPAND_GRAPHPASSES_H
#define TOSCAC_EXPAND_GRAPHPASSES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace toscac {
class NameTable;
namespace ir {
struct Graph;
}

/// The names of GraphPasses.def, in their order.
llvm::ArrayRef<llvm::StringRef> graphPassNames();

/// Runs the pass \p name, which is one of them.
void runGraphPass(llvm::StringRef name, ir::Graph &graph, NameTable &names);

/// Runs all of them.
void runGraphPasses(ir::Graph &graph, NameTable &names);

} // namespace toscac

#endif
