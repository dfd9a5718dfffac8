//===- Topology.h - Where the boxes of a topology stand ---------*- C++ -*-===//
///
/// \file
/// Makes boxes of templates, inside of what contains them, and lines of
/// relationships, and finds a place for each. What pages call the part
/// `layout` says where; the viewer draws it.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PAGE_TOPOLOGY_H
#define TOSCAC_LIB_PAGE_TOPOLOGY_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace toscac::page {

/// \p plan and \p graph are these parts of a page; there may be no graph.
std::string layOutTopology(llvm::StringRef plan, llvm::StringRef graph);

} // namespace toscac::page

#endif
