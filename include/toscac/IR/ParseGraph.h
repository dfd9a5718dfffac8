//===- toscac/IR/ParseGraph.h - Graphs from text ----------------*- C++ -*-===//
///
/// \file
/// Reads the text form of the graph, which docs/IR.md defines.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_PARSEGRAPH_H
#define TOSCAC_IR_PARSEGRAPH_H

#include "toscac/IR/Graph.h"
#include <memory>

namespace toscac {
class DiagnosticEngine;
}

namespace toscac::ir {

/// The graph that \p file describes, linked; null after a report. What the
/// grammar cannot say is left to verify().
std::unique_ptr<Graph> parseGraph(const SourceManager &sources, FileId file,
                                  NameTable &names, DiagnosticEngine &diags);

} // namespace toscac::ir

#endif
