//===- CheckReceivers.h - Who receives events -------------------*- C++ -*-===//

#ifndef TOSCAC_LIB_EXPAND_CHECKRECEIVERS_H
#define TOSCAC_LIB_EXPAND_CHECKRECEIVERS_H

#include "toscac/Basic/Diagnostics.h"
#include "toscac/IR/Graph.h"

namespace toscac::expanding {

/// Looks at the receivers of triggers for which types did not tell: reports
/// those that do not have the operation. Needs linkIncoming() and
/// linkClasses().
void checkReceivers(const ir::Graph &graph, DiagnosticEngine &diags);

} // namespace toscac::expanding

#endif
