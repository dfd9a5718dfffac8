//===- Endless.cpp - Runs that never end ----------------------------------===//

#include "Endless.h"

#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::plan;

StepId toscac::plan::causeOf(const Run &run, StepId step) {
  if (std::optional<SendId> send = run.causes[step.index].send())
    return run.sends[send->index].sender;
  llvm::ArrayRef<Dep> deps = run.steps.deps(step);
  return deps.empty() ? StepId() : deps.back().step();
}

void toscac::plan::reportEndless(const Run &run, EventId event, StepId cause,
                                 std::string how) {
  const Layout &layout = run.system.layout;
  llvm::SmallVector<std::string, 8> circle{layout.nameOf(event)};
  static constexpr size_t most = 64;
  while (cause && circle.size() < most && !run.steps.isJoin(cause) &&
         run.event(cause) != event) {
    circle.push_back(layout.nameOf(run.event(cause)));
    cause = causeOf(run, cause);
  }
  circle.push_back(layout.nameOf(event));
  std::reverse(circle.begin(), circle.end());
  SourceRange range = layout.operation(event).range;
  run.system.conditions.diags
      .report(range, diag::EndlessTrigger, layout.nameOf(event), how)
      .note(range, diag::EndlessCircle, llvm::join(circle, "' leads to '"));
}
