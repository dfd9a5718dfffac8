//===- toscac/Plan/WhatIf.h - What a failure leads to -----------*- C++ -*-===//

#ifndef TOSCAC_PLAN_WHATIF_H
#define TOSCAC_PLAN_WHATIF_H

#include "toscac/Plan/MakePlan.h"
#include "toscac/Plan/StepGraph.h"

namespace toscac::plan {

/// The step of \p plan that is called \p name.
std::optional<StepId> findStep(const Plan &plan, llvm::StringRef name);
std::vector<std::string> stepNames(const Plan &plan);
/// How many steps \p plan has, joins included.
size_t numSteps(const Plan &plan);

/// Tells what happens if \p failed fails: which failure steps run, which steps
/// never will, which are not concerned, and where cells are left.
void tellFailure(const Plan &plan, StepId failed, llvm::raw_ostream &os);

} // namespace toscac::plan

#endif
