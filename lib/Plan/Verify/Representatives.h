//===- Representatives.h - A few equivalent parts for many ------*- C++ -*-===//
///
/// \file
/// Of a thousand equivalent sites of a hub, five are explored. The pieces of a
/// service are the connected parts that are left when nodes with few instances
/// are taken away. Pieces that can be exchanged are a class, of which a few
/// represent all.
///
/// What holds for the representatives holds for all, under one of two
/// conditions.
///
/// (1) Pieces do not interact; only the rest of the service starts them and
/// reads their cells. Then each of them does what it would do alone.
///
/// (2) The pieces of a class move together, and each of their moves is a
/// stubborn set of its own: no other move has to be tried beside it. Two things
/// are to be shown of the whole system, then.
///
/// That each of these moves is a stubborn set there, too: this is said by text
/// alone, and the text is the same under each exchange of equivalent pieces. It
/// is a statement about pieces whose only relation is that they are the same or
/// not, with fixed points, and with at most 4 + d variables at a time, d being
/// how deep loops are nested in conditions: two moves, the piece of a rule, the
/// piece of a cell that one of them raises, and those of the loops around a
/// cell that the other makes false. Sets with at least as many elements cannot
/// be distinguished by so many variables (pebble games). So 4 + d represent a
/// class, at least five.
///
/// And that states correspond: conditions ask whether all, or some, pieces are
/// so, and a piece sends events to others only when an operation of it ends. So
/// what a move does depends on the set of states that pieces are in, and not on
/// how many are in each. One piece moves, then others, each of which makes no
/// further difference (this is checked of the last but one), then the last.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_REPRESENTATIVES_H
#define TOSCAC_LIB_PLAN_REPRESENTATIVES_H

#include "Ground.h"
#include "Symmetry.h"

namespace toscac::plan {

struct Represented {
  /// All orders do what the run does; so many states were seen to know it.
  std::optional<size_t> states;
  /// Otherwise, the system of representatives that touch nobody outside: its
  /// orders are those of the whole, as far as they can differ.
  std::optional<GroundSystem> system;
};

/// Neither where there are no pieces that others stand for, or nothing is shown
/// by them.
Represented represent(const Start &start, const SymbolicRun &run, Part part);

} // namespace toscac::plan

#endif
