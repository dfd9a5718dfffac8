//===- ReadRecorded.cpp - The deployment that is there already ------------===//

#include "ReadRecorded.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/Files.h"
#include "toscac/Expand/SetGoal.h"

using namespace toscac;
using llvm::StringRef;

std::vector<std::pair<std::string, std::string>>
toscac::parameterTexts(Compilation &compilation) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (StringRef parameter : compilation.options.plan.parameters) {
    auto [name, value] = parameter.split('=');
    std::unique_ptr<llvm::MemoryBuffer> file;
    if (value.consume_front("@")) {
      file = readFile(value, compilation.diags);
      value = file ? file->getBuffer().trim() : "";
    }
    texts.push_back({name.str(), value.str()});
  }
  return texts;
}

std::vector<ir::InputValue> toscac::parametersOf(Compilation &compilation,
                                                 ValueArena &arena) {
  std::vector<ir::InputValue> parameters;
  for (const auto &[name, value] : parameterTexts(compilation))
    parameters.push_back(
        {compilation.names.intern(name),
         arena.make(Expr::literal(parseParameter(value, arena))), false});
  return parameters;
}

static bool hasIntent(const sema::CheckedProgram &program, StringRef workflow) {
  return llvm::any_of(program.machines, [&](const ir::Machine &machine) {
    return llvm::any_of(machine.intents, [&](const ir::Intent &intent) {
      return intent.workflow.str() == workflow;
    });
  });
}

int toscac::readRecorded(Compilation &compilation) {
  StringRef workflow = compilation.workflow();
  DiagnosticEngine &diags = compilation.diags;
  const DayTwoWorkflow *dayTwo = findDayTwo(workflow);
  if (dayTwo && dayTwo->changesCounts &&
      (compilation.manifest || compilation.stack)) {
    diags.report({}, diag::NotScaled,
                 compilation.manifest ? "a manifest" : "a stack",
                 compilation.manifest ? "'instances' of a group"
                                      : "the count of a group");
    return ExitUnplannable;
  }
  bool isDefined = isDefinedByService(compilation.checked, workflow);
  bool isNeeded = dayTwo && !isDefined;
  const std::string &file = compilation.options.state.file;
  if (file.empty() && !isNeeded)
    return ExitGood;
  if (file.empty()) {
    diags.report({}, diag::StateNeeded, workflow);
    return ExitUnplannable;
  }
  readKnownState(compilation);
  if (!compilation.known)
    return ExitFile;
  std::string name = deploymentName(compilation);
  const state::Deployment *recorded = compilation.known->find(name);
  // What was scaled to nothing can be scaled again.
  bool isThere =
      recorded &&
      (!recorded->entities.empty() ||
       (dayTwo && dayTwo->changesCounts && recorded->counts.isMap()));
  bool isUp = workflow == compilation.checked.roles.bringUp;
  if (!isThere) {
    if (isUp)
      return ExitGood;
    diags.report({}, diag::NotDeployed, file, name, workflow);
    return ExitUnplannable;
  }
  // A service that says itself how it is deployed, or machines that are told
  // nothing, cannot be compared with what is there.
  if (isUp && (isDefined || !hasIntent(compilation.checked, workflow))) {
    compilation.deploymentChange.emplace().recorded = recorded;
    return ExitGood;
  }
  std::vector<ir::InputValue> parameters =
      parametersOf(compilation, *compilation.known->arena);
  compilation.deploymentChange = changeOf(
      {workflow, parameters, isDefined}, *recorded, compilation.checked, diags);
  return compilation.deploymentChange ? ExitGood : ExitUnplannable;
}
