//===- HistoryWriter.cpp - What operations write --------------------------===//

#include "HistoryWriter.h"

#include "System/CellOutputs.h"
#include "System/ReverseWalk.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

void HistoryWriter::write(const CellPlace &at, ValueId value, StepId step,
                          ValueId ending) {
  CellId cell = layout.cell(at);
  CellState before = run.history.stateAfter(cell, run.history.lastWrite(cell));
  repetitions.note({0, cell.index, before.value.index});
  repetitions.note({0, cell.index, value.index});
  run.history.add(cell, value, step, ending);
  CellState after{value, ending, before.value};
  ir::EntityId entity = layout.entity(at.slot, at.row);
  touched.add(entity);
  // The body of a loop may read the cell twice: an element is counted once.
  llvm::SmallVector<uint32_t, 4> counted;
  auto isCounted = [&](uint32_t loop, const Watch &watch) {
    return llvm::any_of(counted, [&](uint32_t earlier) {
      return llvm::is_contained(system.countedLoops->ofElement(earlier),
                                loop) &&
             leadAlike(system.watches[earlier].fromSelf, watch.fromSelf);
    });
  };
  auto notify = [&](uint32_t id, bool matters) {
    const Watch &watch = system.watches[id];
    for (uint32_t loop : system.countedLoops->ofOwner(id))
      truth.ownerChanged(loop, entity);
    for (uint32_t loop : system.countedLoops->ofElement(id))
      if (!isCounted(loop, watch))
        countElement(loop, watch, entity);
    if (!system.countedLoops->ofElement(id).empty())
      counted.push_back(id);
    if (matters)
      forEachOrigin(layout.graph, entity, watch.fromSelf, watch.self,
                    [&](ir::EntityId owner) { affected.add(owner, id); });
  };
  watched.forEachChanged(at.slot, at.cell, before, after, notify);
}

void HistoryWriter::countElement(uint32_t id, const Watch &watch,
                                 ir::EntityId written) {
  if (!truth.isCounting(id))
    return;
  ArrayRef<ir::PathStep> toElement = system.conditions.loops[id].route.fromSelf;
  ArrayRef<ir::PathStep> toCell = watch.fromSelf.drop_front(toElement.size());
  forEachOrigin(layout.graph, written, toCell, kindAfter(toElement, watch.self),
                [&](ir::EntityId element) {
                  forEachOrigin(layout.graph, element, toElement, watch.self,
                                [&](ir::EntityId owner) {
                                  truth.elementChanged(id, owner, element);
                                });
                });
}

void HistoryWriter::writeOnEntry(StepId step) {
  EventPlace at = layout.place(run.event(step));
  ir::EntityId entity = layout.entity(at.slot, at.row);
  const ir::Operation &operation =
      layout.machine(at.slot).operations[at.operation];
  for (const ir::Set &set : operation.entry.sets) {
    ValueId value = valueOf(set, entity);
    if (!value)
      return;
    ValueId ending = value;
    const ir::Set *later =
        llvm::find_if(operation.success.sets, [&](const ir::Set &other) {
          return other.cell == set.cell;
        });
    if (later != operation.success.sets.end())
      ending = later->value->isLiteral() ? literal(*later->value) : notKnown;
    else if (system.hasLateCells &&
             isOutput(layout.machine(at.slot), operation, set.cell))
      ending = notKnown;
    write({at.slot, at.row, set.cell}, value, step, ending);
  }
}

/// Outputs are there before the operation writes what it does on success.
void HistoryWriter::writeOutputs(StepId step, const EventPlace &at) {
  const ir::Machine &machine = layout.machine(at.slot);
  for (const CellOutput &output :
       cellOutputs(machine, machine.operations[at.operation])) {
    if (!output.cell) {
      hasFailed = true;
      system.conditions.diags.report(
          output.mapping->range, diag::OutputIntoOtherCell,
          output.mapping->output.str(), machine.interface.str());
      return;
    }
    ValueId value =
        run.outcome ? run.outcome(run.event(step), *output.cell) : atRunTime;
    write({at.slot, at.row, *output.cell}, value, step);
  }
}

void HistoryWriter::writeOnSuccess(StepId step) {
  EventPlace at = layout.place(run.event(step));
  ir::EntityId entity = layout.entity(at.slot, at.row);
  const ir::Operation &operation =
      layout.machine(at.slot).operations[at.operation];
  if (system.hasLateCells)
    writeOutputs(step, at);
  for (const ir::Set &set : operation.success.sets)
    if (ValueId value = valueOf(set, entity))
      write({at.slot, at.row, set.cell}, value, step);
  for (const ir::Set &set : operation.entry.sets) {
    CellPlace cell{at.slot, at.row, set.cell};
    WriteId last = run.history.lastWrite(layout.cell(cell));
    const Write &entry = run.history.writes[last.index];
    if (entry.step == step && entry.isOnEntry())
      write(cell, ValueId(entry.value), step);
  }
}

ValueId HistoryWriter::literal(const Expr &expr) {
  ValueId &known = literals[&expr];
  if (!known)
    known = system.values.intern(expr.value());
  return known;
}

ValueId HistoryWriter::valueOf(const ir::Set &set, ir::EntityId entity) {
  if (set.value->isLiteral())
    return literal(*set.value);
  ValueId value =
      system.valueOf(set, entity, [&](CellId cell) -> const Value * {
        ValueId known = run.history.value(cell);
        return known == atRunTime ? nullptr : &system.values[known];
      });
  if (!value) {
    hasFailed = true;
    system.conditions.diags.report(set.range, diag::UnknownCellValue,
                                   layout.graph.nameOf(entity));
  }
  return value;
}
