//===- Layout.h - Where boxes of a graph stand ------------------*- C++ -*-===//
///
/// \file
/// Finds places for boxes with lines between them: by Graphviz, or, where that
/// is not installed or its picture would be too wide, in rows.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PAGE_LAYOUT_H
#define TOSCAC_LIB_PAGE_LAYOUT_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>
#include <vector>

namespace toscac::page {

/// In pixels, to the right and down.
struct Point {
  double x = 0;
  double y = 0;
};

struct Size {
  double width = 0;
  double height = 0;
};

struct Shape {
  Size size;
  /// Its left upper corner.
  Point at;
};

struct Connection {
  uint32_t from;
  uint32_t to;
  /// Of its label; 0: it has none.
  double labelWidth = 0;
  /// The points of a Bézier curve; none where boxes stand in rows.
  std::vector<Point> way;
  /// The middle of its label.
  std::optional<Point> label;
};

/// Places \p shapes, if possible within \p limit pixels from left to right;
/// gives the size of all.
Size layOut(llvm::MutableArrayRef<Shape> shapes,
            llvm::MutableArrayRef<Connection> connections, double limit);

/// What Graphviz makes of it, from above to below or \p sideways; nothing if
/// it is not there.
std::optional<Size> layOutByGraphviz(llvm::MutableArrayRef<Shape> shapes,
                                     llvm::MutableArrayRef<Connection> lines,
                                     bool sideways);

} // namespace toscac::page

#endif
