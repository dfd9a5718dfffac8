//===- SelectSteps.cpp - Steps for repair ---------------------------------===//

#include "SelectSteps.h"

#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Basic/Suggest.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::PlanFile;

std::optional<uint32_t> run::findStep(PlanFile &plan, StringRef name,
                                      DiagnosticEngine &diags) {
  uint32_t number;
  if (!name.getAsInteger(10, number) && number < plan.numSteps())
    return number;
  std::vector<std::string> names;
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    llvm::Expected<std::string> each = plan.stepName(id);
    if (!each) {
      llvm::consumeError(each.takeError());
      break;
    }
    if (*each == name)
      return id;
    names.push_back(std::move(*each));
  }
  DiagnosticEngine::Builder report = diags.report({}, diag::UnknownStep, name);
  std::vector<StringRef> candidates(names.begin(), names.end());
  Suggestion(name, candidates).noteOn(report);
  return std::nullopt;
}

/// \p first and all steps that wait for it.
static llvm::BitVector withDependants(const PlanFile &plan, uint32_t first) {
  llvm::BitVector wanted(plan.steps().size());
  wanted.set(first);
  for (uint32_t id = first + 1; id < plan.numSteps(); ++id)
    if (llvm::any_of(plan.deps(id),
                     [&](uint32_t dep) { return wanted.test(dep); }))
      wanted.set(id);
  return wanted;
}

bool run::selectSteps(PlanFile &plan, const RunOptions &options,
                      Schedule &schedule, DiagnosticEngine &diags) {
  bool isOnly = !options.only.empty();
  std::optional<uint32_t> step =
      findStep(plan, isOnly ? options.only : options.from, diags);
  if (!step)
    return false;
  llvm::BitVector wanted(plan.steps().size());
  wanted.set(*step);
  if (!isOnly)
    wanted = withDependants(plan, *step);
  for (uint32_t id = 0; id < plan.numSteps(); ++id)
    if (!wanted.test(id))
      schedule.assumeDone(id);
  return true;
}
