//===- StartValues.cpp - Cells as a step may find them --------------------===//

#include "StartValues.h"

#include "Steps/LateLiterals.h"
#include "System/CellOutputs.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::plan;

StartValues::StartValues(const SymbolicRun &run, PlanOrder &order)
    : run(run), order(order), truth(run.system, run.history),
      unordered(run.system.layout.numCells()) {
  truth.cellValues = [this](CellId cell, Values &values) {
    find(cell, values);
  };
  const std::vector<Write> &writes = run.history.writes;
  for (const Write &write : writes) {
    if (!write.previous)
      continue;
    StepId before = writes[write.previous.index].step;
    if (!before || before == write.step)
      continue;
    if (!write.step || !order.isBeforeInPlan(before, write.step))
      unordered.set(write.cell.index);
  }
}

llvm::SmallVector<CellWriter, 8>
StartValues::writersOf(CellId cell, StepId reader, ValueId &base) const {
  const History &history = run.history;
  Moment moment = reader ? run.accepted[reader.index] : never;
  llvm::SmallVector<CellWriter, 8> writers;
  for (WriteId at = history.lastWrite(cell); at;
       at = history.writes[at.index].previous) {
    const Write &write = history.writes[at.index];
    if (!write.step) {
      // What the workflow wants later does not concern what it wants first.
      if (at.index >= moment.writes)
        continue;
      base = write.value;
      return writers;
    }
    if (write.step == reader ||
        (reader && areExclusive(run, write.step, reader)))
      continue;
    auto known = llvm::find_if(writers, [&](const CellWriter &writer) {
      return writer.step == write.step;
    });
    if (known == writers.end())
      writers.push_back({write.step, {}, write.value, at});
    else if (write.isOnEntry())
      known->onEntry = write.value;
  }
  base = history.initial(cell);
  return writers;
}

/// Where all writers are ordered one after another, it is enough to look at
/// those before and after the step.
std::optional<ValueId> StartValues::findOnly(CellId cell) {
  if (!isSequential(cell) || !run.late.empty())
    return std::nullopt;
  const History &history = run.history;
  Moment moment = run.accepted[reader.index];
  WriteId last = history.lastWrite(cell), next;
  while (last && last.index >= moment.writes) {
    next = last;
    last = history.writes[last.index].previous;
  }
  StepId before = last ? history.writes[last.index].step : StepId();
  StepId after = next ? history.writes[next.index].step : StepId();
  if (before && !order.isBeforeInPlan(before, reader))
    return std::nullopt;
  if (after && after != reader && !order.isBeforeInPlan(reader, after))
    return std::nullopt;
  ValueId value = history.valueAfter(cell, last);
  return value == atRunTime ? std::nullopt : std::optional(value);
}

ValueId StartValues::valueOf(const CellWriter &writer) const {
  if (writer.atEnd != atRunTime)
    return writer.atEnd;
  auto literals = run.late.find(reader.index);
  bool isAskedFor =
      literals != run.late.end() &&
      llvm::any_of(literals->second, [&](const LateLiteral &literal) {
        return literal.write == writer.last;
      });
  // A guard that is met in one of several ways does not say in which.
  CellId cell = run.history.writes[writer.last.index].cell;
  bool isMet =
      run.guards.contains(reader.index) &&
      run.history.lastWrite(cell, run.accepted[reader.index]) == writer.last;
  return isAskedFor || isMet ? atRunTime : notKnown;
}

static void insert(ValueId value, llvm::SmallVectorImpl<ValueId> &values) {
  if (!llvm::is_contained(values, value))
    values.push_back(value);
}

void StartValues::findAll(CellId cell, Values &values) {
  ValueId base;
  llvm::SmallVector<CellWriter, 8> earlier;
  for (const CellWriter &writer : writersOf(cell, reader, base)) {
    if (order.isBeforeInPlan(writer.step, reader)) {
      earlier.push_back(writer);
      continue;
    }
    if (order.isBeforeInPlan(reader, writer.step))
      continue;
    insert(valueOf(writer), values);
    if (writer.onEntry && !run.exclusions.contains(writer.step, reader))
      insert(writer.onEntry, values);
  }
  if (earlier.empty())
    insert(base, values);
  for (const CellWriter &writer : earlier) {
    bool isLast = llvm::none_of(earlier, [&](const CellWriter &other) {
      return order.isBeforeInPlan(writer.step, other.step);
    });
    if (isLast)
      insert(valueOf(writer), values);
  }
}

void StartValues::find(CellId cell, Values &values) {
  auto known = chosen.find(cell.index);
  if (known != chosen.end()) {
    values.push_back(known->second);
    return;
  }
  auto besides =
      more ? more->find(cell.index) : StartValues::MoreValues::const_iterator();
  bool hasMore = more && besides != more->end();
  if (std::optional<ValueId> only = hasMore ? std::nullopt : findOnly(cell)) {
    values.push_back(*only);
    return;
  }
  findAll(cell, values);
  if (hasMore)
    for (ValueId value : besides->second)
      insert(value, values);
  if (values.size() > 1)
    open[cell.index].assign(values.begin(), values.end());
}

/// Parts of a condition that read the same cell are not independent: where few
/// cells are open, it is evaluated for each combination. Where more are, the
/// condition counts as one that may not hold, which costs order, not truth.
bool StartValues::holdsForAll(TermId term, ir::EntityId self) {
  static constexpr size_t mostCombinations = 64;
  auto cells = std::move(open);
  open.clear();
  size_t combinations = 1;
  for (const auto &[cell, values] : cells) {
    combinations *= values.size();
    if (combinations > mostCombinations)
      return false;
  }
  bool holds = !cells.empty();
  for (size_t i = 0; holds && i != combinations; ++i) {
    size_t rest = i;
    for (const auto &[cell, values] : cells) {
      chosen[cell] = values[rest % values.size()];
      rest /= values.size();
    }
    holds = truth(term, self, run.accepted[reader.index]).stable == Truth::True;
  }
  chosen.clear();
  return holds;
}

bool StartValues::surelyHolds(StepId step, TermId term, ir::EntityId self) {
  reader = step;
  open.clear();
  // What leaves is not seen any more by what the workflow wants later.
  bool &hasLeft = run.system.layout.leavingHasLeft;
  llvm::SaveAndRestore phase(hasLeft, step.index >= run.firstLater());
  switch (truth(term, self, run.accepted[step.index]).stable) {
  case Truth::True:
    return true;
  case Truth::False:
    return false;
  case Truth::Unknown:
    return holdsForAll(term, self);
  }
  llvm_unreachable("all values are handled");
}
