//===- toscac/Plan/PrintPlan.h - Plans for people ---------------*- C++ -*-===//

#ifndef TOSCAC_PLAN_PRINTPLAN_H
#define TOSCAC_PLAN_PRINTPLAN_H

#include "toscac/Plan/MakePlan.h"

namespace toscac::plan {

/// A table of the steps, stage by stage.
void printPlan(const Plan &plan, llvm::raw_ostream &os);

/// The steps and what they wait for as a picture; choices are dashed,
/// and lines without an arrow are between steps that must not overlap.
void drawPlanAsDot(const Plan &plan, llvm::raw_ostream &os);
void drawPlanAsMermaid(const Plan &plan, llvm::raw_ostream &os);

} // namespace toscac::plan

#endif
