//===- FailureCells.cpp - What is known after a failure -------------------===//

#include "FailureCells.h"

using namespace toscac;
using namespace toscac::plan;

void FailureCells::begin(StepId step) {
  failed = step;
  cells.clear();
  written.clear();
}

const FailureCell &FailureCells::operator[](CellId cell) {
  auto [found, isNew] = cells.try_emplace(cell.index);
  if (isNew)
    found->second.value = valueOf(cell);
  return found->second;
}

bool FailureCells::isVolatile(CellId cell) {
  // Otherwise it is known only if all write the same.
  if (!written.contains(cell.index))
    return false;
  ValueId known = (*this)[cell].value;
  const History &history = plan.run.history;
  for (WriteId at = history.lastWrite(cell); at;
       at = history.writes[at.index].previous) {
    const Write &write = history.writes[at.index];
    StepId step = write.step ? order.inPlan(write.step) : StepId();
    if (step && step != failed && write.value != known &&
        !order.isBefore(step, failed) && !order.isBefore(failed, step))
      return true;
  }
  return false;
}

/// Whether a step before the failed one may have been left out by its guard.
bool FailureCells::isSkippable(StepId origin) const {
  return plan.guards.contains(origin.index) &&
         !plan.guards.contains(plan.origins[failed.index].index);
}

ValueId FailureCells::valueOf(CellId cell) {
  const History &history = plan.run.history;
  ValueId possible;
  bool isKnown = true;
  auto add = [&](ValueId value) {
    isKnown &= !possible || possible == value;
    possible = value;
  };
  WriteId at = history.lastWrite(cell);
  for (; at && isKnown; at = history.writes[at.index].previous) {
    const Write &write = history.writes[at.index];
    StepId step = write.step ? order.inPlan(write.step) : StepId();
    bool neverHappens = step == failed ? !write.isOnEntry()
                                       : step && order.isBefore(failed, step);
    if (neverHappens)
      continue;
    add(write.value);
    bool isCertain = !step || step == failed || order.isBefore(step, failed);
    if (isCertain && !(step && isSkippable(write.step)))
      break;
  }
  if (!at)
    add(history.initial(cell));
  return isKnown && possible != atRunTime ? possible : ValueId();
}
