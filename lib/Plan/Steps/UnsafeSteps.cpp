//===- UnsafeSteps.cpp - Steps that may find what they must not -----------===//

#include "UnsafeSteps.h"

using namespace toscac;
using namespace toscac::plan;

StepId toscac::plan::findUnsafeStep(const SymbolicRun &run, PlanOrder &order) {
  StartValues values(run, order);
  StepId open;
  forEachUnorderedWrite(run, values,
                        [&](StepId earlier, StepId) { open = earlier; });
  forEachUnsafeRead(run, values,
                    [&](StepId step, const StepCondition &) { open = step; });
  return open;
}
