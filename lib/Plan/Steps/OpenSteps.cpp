//===- OpenSteps.cpp - Steps that may find what they must not -------------===//

#include "OpenSteps.h"

using namespace toscac;
using namespace toscac::plan;

StepId toscac::plan::findOpenStep(const SymbolicRun &run, PlanOrder &order) {
  StartValues values(run, order);
  StepId open;
  forEachOpenWrite(run, values,
                   [&](StepId earlier, StepId) { open = earlier; });
  forEachOpenRead(run, values,
                  [&](StepId step, const StepCondition &) { open = step; });
  return open;
}
