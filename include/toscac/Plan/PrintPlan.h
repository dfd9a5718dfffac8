//===- toscac/Plan/PrintPlan.h - Plans for people ---------------*- C++ -*-===//

#ifndef TOSCAC_PLAN_PRINTPLAN_H
#define TOSCAC_PLAN_PRINTPLAN_H

#include "toscac/Plan/Plan.h"

namespace toscac::planfile {

enum class ShownSteps : uint8_t {
  /// Those that run something.
  Calls,
  All
};

/// A table of the steps, stage by stage. Of calls alone, a stage is how many
/// calls come before.
llvm::Error printPlan(Plan &plan, ShownSteps shown, llvm::raw_ostream &os);

/// The steps and what they wait for as a picture; choices are dashed, lines
/// without an arrow are between steps that must not overlap, and the critical
/// path is coloured. Large plans have one box for alike steps of all instances
/// of a template.
llvm::Error drawPlanAsDot(Plan &plan, llvm::raw_ostream &os);
llvm::Error drawPlanAsMermaid(Plan &plan, llvm::raw_ostream &os);

} // namespace toscac::planfile

#endif
