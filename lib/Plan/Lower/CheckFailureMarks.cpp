//===- CheckFailureMarks.cpp - What is left as if it had failed -----------===//

#include "CheckGoals.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include <map>

using namespace toscac;
using namespace toscac::plan;

/// What \p operation writes to \p mark, if that counts as failed.
static const ir::Set *findMark(const ir::Operation &operation,
                               const ir::FailureMark &mark) {
  for (const ir::Reaction *reaction : {&operation.success, &operation.entry})
    for (const ir::Set &set : reaction->sets)
      if (set.cell == mark.cell && set.value->isLiteral() &&
          set.value->value() == mark.value)
        return &set;
  return nullptr;
}

/// A machine that a step leaves as one that has failed is reported, once for
/// all instances of a class.
void toscac::plan::checkFailureMarks(const SymbolicRun &run, bool isRefused) {
  const Layout &layout = run.system.layout;
  const History &history = run.history;
  // Slot, mark and operation; and the first cell that is left so.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, CellId> left;
  for (uint32_t i = 0; i != history.writes.size(); ++i) {
    const Write &write = history.writes[i];
    if (!write.step || history.lastWrite(write.cell) != WriteId{i})
      continue;
    CellPlace at = layout.place(write.cell);
    for (auto [number, mark] :
         llvm::enumerate(layout.machine(at.slot).failures)) {
      if (mark.cell != at.cell || run.system.values[write.value] != mark.value)
        continue;
      EventPlace by = layout.place(run.event(write.step));
      if (by.slot != at.slot ||
          !findMark(layout.operation(run.event(write.step)), mark))
        continue;
      auto [first, isNew] = left.try_emplace(
          {at.slot.index, uint32_t(number), by.operation}, write.cell);
      if (!isNew)
        first->second = std::min(first->second, write.cell);
    }
  }
  for (const auto &[place, cell] : left) {
    auto [slot, number, operation] = place;
    const ir::Machine &machine = layout.machine({slot});
    const ir::FailureMark &mark = machine.failures[number];
    auto report = [&, cell = cell, operation = operation](auto kind) {
      run.system.conditions.diags.report(
          findMark(machine.operations[operation], mark)->range, kind,
          layout.nameOf(cell), toText(mark.value));
    };
    isRefused ? report(diag::LeftAsFailed) : report(diag::EndsFailed);
  }
}
