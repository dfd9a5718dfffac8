//===- Symmetry.h - Instances that are alike --------------------*- C++ -*-===//
///
/// \file
/// Parts of a ground system that can be exchanged without changing it: the
/// sites of a hub, each with its relationships. States that differ only in
/// which of them is where count as one.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_SYMMETRY_H
#define TOSCAC_LIB_PLAN_SYMMETRY_H

#include "GroundInterpreter.h"

namespace toscac::plan {

/// Those of a piece.
using Entities = std::vector<ir::EntityId>;

class Symmetry {
public:
  Symmetry(const GroundInterpreter &interpreter, const Layout &layout);
  /// Of each of \p classes, if all of its pieces can be exchanged.
  Symmetry(const GroundInterpreter &interpreter, const Layout &layout,
           llvm::ArrayRef<std::vector<Entities>> classes);

  /// The same for all states that are alike.
  std::pair<uint64_t, uint64_t> hashOf(const GroundState &state) const;
  /// Of the operations \p among: one of each set whose ends lead from \p state
  /// to states that are alike.
  std::vector<uint32_t> distinct(llvm::ArrayRef<uint32_t> among,
                                 const GroundState &state) const;

  /// Each is a set of pieces; a piece is a list of places in a state, in the
  /// same order for all pieces.
  using Piece = std::vector<uint32_t>;
  std::vector<std::vector<Piece>> orbits;

private:
  void index(const GroundInterpreter &interpreter);

  /// Of an operation: its orbit, if it has one, its piece there, and the place
  /// in that.
  struct Position {
    uint32_t orbit = ~0u;
    uint32_t piece = 0;
    uint32_t place = 0;
  };
  std::vector<Position> operations;
  /// Places in a state that are in no piece.
  std::vector<uint32_t> others;
};

} // namespace toscac::plan

#endif
