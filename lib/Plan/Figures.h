//===- Figures.h - How large and deep a plan is -----------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FIGURES_H
#define TOSCAC_LIB_PLAN_FIGURES_H

#include "PlanData.h"

namespace toscac::plan {

struct Figures {
  /// Steps that run something.
  uint32_t calls = 0;
  /// Number of stages.
  uint32_t depth = 0;
  /// Most steps in one stage.
  uint32_t width = 0;
  /// The chain of steps that takes longest, the first one first.
  std::vector<StepId> criticalPath;
};

Figures figuresOf(const PlanData &plan);

} // namespace toscac::plan

#endif
