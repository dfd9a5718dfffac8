//===- DryRun.cpp - What would run ----------------------------------------===//

#include "DryRun.h"

#include "FormatTime.h"
#include "Order/Schedule.h"
#include "Order/SelectSteps.h"
#include "toscac/Basic/Diagnostics.h"
#include "toscac/Basic/PrintableStream.h"
#include "toscac/Run/ExitCode.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::run;
using planfile::Step;
using planfile::StepKind;

static void print(const Step &step, planfile::PlanFile &plan,
                  llvm::raw_ostream &out) {
  out << (step.kind == StepKind::Call ? "call " : "set  ") << step.name;
  for (const planfile::StepHandler &handler : step.handlers)
    if (handler.artifact != planfile::none) {
      out << ", " << plan.artifacts()[handler.artifact].file;
      if (handler.host != planfile::none)
        out << " on " << plan.entityName(handler.host);
    }
  if (step.guard)
    out << ", if " << toText(*step.guard);
  if (step.timeout > 0)
    out << ", within " << formatSeconds(step.timeout) << " s";
  if (step.retries)
    out << ", up to " << step.retries << " retries";
  for (const planfile::Exclusion &each : plan.exclusions(step.id))
    if (llvm::Expected<std::string> name = plan.stepName(each.earlier))
      out << ", not during " << *name;
    else
      llvm::consumeError(name.takeError());
  out << "\n";
}

int run::dryRun(planfile::PlanFile &plan, const RunOptions &options,
                llvm::raw_ostream &out, DiagnosticEngine &diags) {
  Schedule schedule(plan);
  PrintableStream shown(out);
  if ((!options.only.empty() || !options.from.empty()) &&
      !selectSteps(plan, options, schedule, diags))
    return ExitUsage;
  NameTable names;
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    if (schedule.isFinished(id) || plan.steps()[id].kind == StepKind::Join)
      continue;
    ValueArena arena;
    JSONReader json(arena, names);
    llvm::Expected<Step> step = plan.step(id, json, arena);
    if (!step) {
      diags.report({}, diag::CannotReadFile, options.plan,
                   llvm::toString(step.takeError()));
      return ExitFile;
    }
    print(*step, plan, shown);
  }
  return ExitDone;
}
