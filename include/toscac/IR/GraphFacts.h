//===- toscac/IR/GraphFacts.h - A graph for pages ---------------*- C++ -*-===//
///
/// \file
/// What a page shows beyond the plan, as JSON: where templates and requirements
/// stand in files, what is inside of what, what capabilities have left, and the
/// machines with the figures of their states. Templates have the names by which
/// views fold the names of their instances: `db/vm`, `site.vpn`.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_IR_GRAPHFACTS_H
#define TOSCAC_IR_GRAPHFACTS_H

#include "toscac/IR/Graph.h"

namespace toscac::ir {

/// Where something stands: `service.yaml:12`; empty: nobody knows.
using PlaceOf = llvm::function_ref<std::string(SourceRange)>;

void writeGraphFacts(const Graph &graph, PlaceOf placeOf,
                     llvm::raw_ostream &os);

} // namespace toscac::ir

#endif
