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

#include "Acts.h"

namespace toscac::plan {

class Symmetry {
public:
  Symmetry(const Acts &acts, const Layout &layout);

  /// The one state that stands for all that are like \p state.
  void makeCanonical(ActState &state) const;

  /// Each is a set of pieces; a piece is a list of places in a state, in the
  /// same order for all pieces.
  using Piece = std::vector<uint32_t>;
  std::vector<std::vector<Piece>> orbits;
};

} // namespace toscac::plan

#endif
