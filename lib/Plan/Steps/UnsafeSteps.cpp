//===- UnsafeSteps.cpp - Steps whose condition may be false ---------------===//

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
