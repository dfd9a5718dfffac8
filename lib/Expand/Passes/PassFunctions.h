//===- PassFunctions.h - The passes of GraphPasses.def ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_PASSFUNCTIONS_H
#define TOSCAC_LIB_EXPAND_PASSFUNCTIONS_H

#include "toscac/IR/Graph.h"

namespace toscac::expanding {

#define PASS(NAME, FUNCTION, HELP)                                             \
  void FUNCTION(ir::Graph &graph, NameTable &names);
#include "toscac/Expand/GraphPasses.def"

} // namespace toscac::expanding

#endif
