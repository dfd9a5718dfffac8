//===- CheckSteps.cpp - All steps, before the first -----------------------===//

#include "CheckSteps.h"

#include "EnvironmentNames.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;
using planfile::none;
using planfile::OutputMapping;
using planfile::Step;
using planfile::StepHandler;
using planfile::StepKind;

namespace {

class StepChecker {
public:
  StepChecker(planfile::PlanFile &plan, LiveState &state, StringRef path,
              DiagnosticEngine &diags)
      : plan(plan), state(state), path(path), diags(diags) {}

  void check(uint32_t id, JSONReader &reader, ValueArena &arena);

private:
  std::string problemOf(const Step &step);
  std::string problemOf(const Step &step, const StepHandler &handler);
  std::string problemOf(const Step &step, const OutputMapping &output);
  void checkNames(const Step &step, const StepHandler &handler);

  planfile::PlanFile &plan;
  LiveState &state;
  StringRef path;
  DiagnosticEngine &diags;
  /// Variables that were reported.
  llvm::StringSet<> reported;
};

} // namespace

std::string StepChecker::problemOf(const Step &step,
                                   const OutputMapping &output) {
  std::string name = "output '" + output.name.str() + "' ";
  const Value &start = output.path[0];
  if (start.isInteger())
    return start.asInteger() >= 0 &&
                   static_cast<uint64_t>(start.asInteger()) < plan.numEntities()
               ? ""
               : name + "goes to an entity that the plan does not list";
  StringRef word = start.isString() ? start.asString() : "";
  if (step.entity == none ||
      (word != "SELF" && word != "SOURCE" && word != "TARGET"))
    return name + "has no entity to go to";
  if (word == "SELF")
    return "";
  llvm::Expected<const state::PlannedEntity *> entity =
      state.entity(step.entity);
  if (!entity)
    return llvm::toString(entity.takeError());
  return (*entity)->content.kind == state::EntityKind::Relationship
             ? ""
             : name + "goes to an end of what is no relationship";
}

std::string StepChecker::problemOf(const Step &step,
                                   const StepHandler &handler) {
  size_t count = plan.artifacts().size();
  if (handler.artifact != none && handler.artifact >= count)
    return "it runs an artifact that the plan does not list";
  for (uint32_t file : handler.files)
    if (file >= count)
      return "it needs an artifact that the plan does not list";
  if (handler.host != none && handler.host >= plan.numEntities())
    return "it runs on a machine that the plan does not list";
  for (const OutputMapping &output : handler.outputs)
    if (std::string problem = problemOf(step, output); !problem.empty())
      return problem;
  return "";
}

std::string StepChecker::problemOf(const Step &step) {
  if (step.entity != none && step.entity >= plan.numEntities())
    return "it belongs to an entity that the plan does not list";
  for (const StepHandler &handler : step.handlers)
    if (std::string problem = problemOf(step, handler); !problem.empty())
      return problem;
  return "";
}

/// Says which inputs the environment cannot tell apart.
void StepChecker::checkNames(const Step &step, const StepHandler &handler) {
  llvm::StringMap<std::string> names;
  for (StringRef name : inputNames(handler)) {
    auto [known, isNew] = names.try_emplace(variableOf(name), name.str());
    if (!isNew && reported.insert(known->getKey()).second)
      diags.report({}, diag::InputsCollide, known->second, name, step.name,
                   known->getKey());
  }
}

void StepChecker::check(uint32_t id, JSONReader &reader, ValueArena &arena) {
  llvm::Expected<Step> step = plan.step(id, reader, arena);
  std::string problem =
      step ? problemOf(*step) : llvm::toString(step.takeError());
  if (!problem.empty()) {
    diags.report({}, diag::BrokenStep, path, id, problem);
    return;
  }
  for (const StepHandler &handler : step->handlers)
    checkNames(*step, handler);
}

bool run::checkSteps(planfile::PlanFile &plan, LiveState &state, StringRef path,
                     DiagnosticEngine &diags) {
  size_t before = diags.numErrors();
  StepChecker checker(plan, state, path, diags);
  constexpr uint32_t atOnce = 1000;
  uint32_t count = plan.steps().size();
  for (uint32_t first = 0; first < count; first += atOnce) {
    ValueArena arena;
    JSONReader reader(arena, state.names);
    for (uint32_t id = first; id < std::min(first + atOnce, count); ++id)
      if (plan.steps()[id].kind == StepKind::Call || plan.steps()[id].isLate)
        checker.check(id, reader, arena);
  }
  return diags.numErrors() == before;
}
