//===- toscac/Plan/PlanFacts.h - A plan for pages ---------------*- C++ -*-===//
///
/// \file
/// What a page shows of a plan, as JSON: the view's totals, entities by
/// template, steps by operation and stage, what each of those waits for and
/// what its failure leads to. Steps and entities are listed one by one up to a
/// limit; beyond it, some of each kind stand for the rest, so that the size
/// depends on the number of templates. docs/Page.md describes the form.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_PLAN_PLANFACTS_H
#define TOSCAC_PLAN_PLANFACTS_H

#include "toscac/Plan/ViewPlan.h"

namespace toscac::planfile {

llvm::Error writePlanFacts(Plan &plan, const ViewOptions &options,
                           llvm::raw_ostream &os);

} // namespace toscac::planfile

#endif
