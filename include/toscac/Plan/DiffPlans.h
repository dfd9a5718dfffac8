//===- toscac/Plan/DiffPlans.h - What changed between two plans -*- C++ -*-===//

#ifndef TOSCAC_PLAN_DIFFPLANS_H
#define TOSCAC_PLAN_DIFFPLANS_H

#include "toscac/Plan/Plan.h"

namespace llvm {
class raw_ostream;
}

namespace toscac::planfile {

/// Says in words, one a line, how \p after differs from \p before: steps and
/// entities are the same if their names are, whatever their numbers. Gives
/// whether nothing does.
llvm::Expected<bool> areEqual(Plan &before, Plan &after, llvm::raw_ostream &os);

/// Whether both allow the same orders of the same calls; if not, says the first
/// thing that only one of them does.
llvm::Expected<bool> areEquivalent(Plan &before, Plan &after,
                                   llvm::raw_ostream &os);

} // namespace toscac::planfile

#endif
