//===- EarlierReaders.cpp - Steps before what comes later -----------------===//

#include "EarlierReaders.h"

#include "ReverseWalk.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

void toscac::plan::addEarlierReaders(const Run &run, ArrayRef<StepId> lastSteps,
                                     EventId event, Support &needs) {
  const EventSystem &system = run.system;
  const Layout &layout = system.layout;
  EventPlace at = layout.place(event);
  ir::EntityId written = layout.entity(at.slot, at.row);
  auto add = [&](EventId reader) {
    StepId step = lastSteps[reader.index];
    if (step && step.index < run.firstLater())
      needs.deps.push_back(step);
  };
  auto addOperation = [&](const EventPlace &at) { add(layout.event(at)); };
  const ir::Operation &operation = layout.operation(event);
  for (const ir::Reaction *reaction : {&operation.entry, &operation.success})
    for (const ir::Set &set : reaction->sets) {
      WriteId last =
          run.history.lastWrite(layout.cell(at.slot, at.row, set.cell));
      if (last && run.history.writes[last.index].step &&
          run.history.writes[last.index].step.index >= run.firstLater())
        continue;
      for (uint32_t watch : system.watchesOf(at.slot, set.cell))
        forEachOrigin(layout.graph, written, system.watches[watch].fromSelf,
                      system.watches[watch].self, [&](ir::EntityId owner) {
                        system.forEachReader(owner, watch, addOperation,
                                             [&](RuleId rule) {
                                               add(system.place(rule).receiver);
                                             });
                      });
    }
}
