//===- GraphvizLibrary.h - Graphviz, loaded when needed ---------*- C++ -*-===//
///
/// \file
/// Graphviz and its plugins would cost every start of the tools, so they are
/// not linked but loaded for the first picture. Members have the names and
/// types of its functions.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PAGE_GRAPHVIZLIBRARY_H
#define TOSCAC_LIB_PAGE_GRAPHVIZLIBRARY_H

#include <graphviz/gvc.h>

#define TOSCAC_GRAPHVIZ_FUNCTIONS(FUNCTION)                                    \
  FUNCTION(agclose)                                                            \
  FUNCTION(agmemread)                                                          \
  FUNCTION(agseterr)                                                           \
  FUNCTION(gvContext)                                                          \
  FUNCTION(gvFreeLayout)                                                       \
  FUNCTION(gvFreeRenderData)                                                   \
  FUNCTION(gvLayout)                                                           \
  FUNCTION(gvRenderData)

namespace toscac::page {

struct GraphvizLibrary {
  // The functions keep their names. NOLINTBEGIN(readability-identifier-naming)
#define FUNCTION(NAME) decltype(&::NAME) NAME = nullptr;
  TOSCAC_GRAPHVIZ_FUNCTIONS(FUNCTION)
#undef FUNCTION
  // NOLINTEND(readability-identifier-naming)

  /// Its plugins; it is never freed, since each one loses some memory.
  GVC_t *context = nullptr;
};

/// The library, loaded on the first call; null where it is not installed. Only
/// one thread may use it at a time.
const GraphvizLibrary *graphvizLibrary();

} // namespace toscac::page

#endif
