//===- Endless.cpp - Runs that never end ----------------------------------===//

#include "Endless.h"

#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;

StepId toscac::plan::causeOf(const SymbolicRun &run, StepId step) {
  if (std::optional<SendId> send = run.causes[step.index].send())
    return run.sends[send->index].sender;
  llvm::ArrayRef<Dep> deps = run.steps.deps(step);
  return deps.empty() ? StepId() : deps.back().step();
}

void toscac::plan::reportEndless(const SymbolicRun &run, EventId event,
                                 StepId cause, std::string how) {
  const Layout &layout = run.system.layout;
  llvm::SmallVector<std::string, 8> cycle{layout.nameOf(event)};
  // The causes may lead past the event itself; longer cycles are cut.
  static constexpr size_t most = 64;
  while (cause && cycle.size() < most && !run.steps.isJoin(cause) &&
         run.event(cause) != event) {
    cycle.push_back(layout.nameOf(run.event(cause)));
    cause = causeOf(run, cause);
  }
  // From the event on, in the order in which they happen.
  std::reverse(cycle.begin() + 1, cycle.end());
  SourceRange machine = layout.operation(event).range;
  SourceRange place = layout.graph.rangeOf(layout.entityOf(event));
  run.system.conditions.diags
      .report(place.isValid() ? place : machine, diag::EndlessTrigger,
              layout.nameOf(event), how)
      .note(machine, diag::EndlessCycle, describeCycle(cycle));
}
