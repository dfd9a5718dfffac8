//===- Recorded.cpp - The deployment that is there already ----------------===//

#include "Recorded.h"

#include "toscac/Basic/DiagnosticsBosh.h"
#include "toscac/Basic/DiagnosticsExpand.h"
#include "toscac/Basic/Files.h"
#include "toscac/Basic/JSONWriter.h"
#include "toscac/Expand/ChangeDeployment.h"

using namespace toscac;
using llvm::StringRef;

/// A value as people type it: a number, a truth value or text.
static Value parseParameter(StringRef text, ValueArena &arena) {
  int64_t number;
  if (!text.getAsInteger(10, number))
    return Value::integer(number);
  double real;
  if (!text.getAsDouble(real))
    return Value::real(real);
  if (text == "true" || text == "false")
    return Value::boolean(text == "true");
  return arena.string(text);
}

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

/// Whether the service itself says what the workflow is.
static bool isDefinedByService(const Compilation &compilation,
                               StringRef workflow) {
  const sema::CheckedProgram &program = compilation.checked;
  const sema::Service &service = program.services.front();
  for (ir::MachineId id : service.machines)
    for (const ir::Operation &event : program.machines[id.index].operations)
      if (event.name.str() == workflow)
        return true;
  return llvm::any_of(service.workflows,
                      [&](const ir::Workflow &other) {
                        return other.name.str() == workflow;
                      }) ||
         llvm::any_of(service.policies, [&](const ir::PolicyTrigger &other) {
           return other.event.str() == workflow;
         });
}

static bool hasIntent(const sema::CheckedProgram &program, StringRef workflow) {
  return llvm::any_of(program.machines, [&](const ir::Machine &machine) {
    return llvm::any_of(machine.intents, [&](const ir::Intent &intent) {
      return intent.workflow.str() == workflow;
    });
  });
}

plan::Goal::Reach toscac::reachOf(const Compilation &compilation) {
  const PlanFlags &flags = compilation.options.plan;
  if (!compilation.continuation ||
      isDefinedByService(compilation, flags.workflow))
    return plan::Goal::Reach::Defined;
  if (compilation.continuation->updates)
    return plan::Goal::Reach::Update;
  bool isPart = flags.workflow == "undeploy" && !flags.parameters.empty();
  return isChange(flags.workflow) || isPart ? plan::Goal::Reach::Change
                                            : plan::Goal::Reach::Defined;
}

int toscac::readRecorded(Compilation &compilation) {
  const PlanFlags &flags = compilation.options.plan;
  DiagnosticEngine &diags = compilation.diags;
  if (flags.workflow == "scale" &&
      (compilation.manifest || compilation.stack)) {
    diags.report({}, diag::NotScaled,
                 compilation.manifest ? "a manifest" : "a stack",
                 compilation.manifest ? "'instances' of a group"
                                      : "the count of a group");
    return ExitUnplannable;
  }
  bool isDefined = isDefinedByService(compilation, flags.workflow);
  bool isNeeded = isChange(flags.workflow) && !isDefined;
  const std::string &file = compilation.options.state.file;
  if (file.empty() && !isNeeded)
    return ExitGood;
  if (file.empty()) {
    diags.report({}, diag::StateNeeded, flags.workflow);
    return ExitUnplannable;
  }
  readKnownState(compilation);
  if (!compilation.known)
    return ExitFile;
  std::string name = deploymentName(compilation);
  const state::Deployment *recorded = compilation.known->find(name);
  // What was scaled to nothing can be scaled again.
  bool isThere =
      recorded && (!recorded->entities.empty() ||
                   (flags.workflow == "scale" && recorded->counts.isMap()));
  if (!isThere) {
    if (flags.workflow == "deploy")
      return ExitGood;
    diags.report({}, diag::NotDeployed, file, name, flags.workflow);
    return ExitUnplannable;
  }
  // A service that says itself how it is deployed, or machines that are told
  // nothing, cannot be compared with what is there.
  if (flags.workflow == "deploy" &&
      (isDefined || !hasIntent(compilation.checked, "deploy"))) {
    compilation.continuation.emplace().recorded = recorded;
    return ExitGood;
  }
  std::vector<ir::InputValue> parameters =
      parametersOf(compilation, *compilation.known->arena);
  compilation.continuation = changeOf({flags.workflow, parameters}, *recorded,
                                      compilation.checked, diags);
  return compilation.continuation ? ExitGood : ExitUnplannable;
}

std::unique_ptr<llvm::MemoryBuffer>
toscac::recordedInputs(const Compilation &compilation) {
  if (!compilation.continuation)
    return nullptr;
  const Value &inputs = compilation.continuation->recorded->inputs;
  if (!inputs.isMap())
    return nullptr;
  std::string text;
  llvm::raw_string_ostream os(text);
  JSONWriter json(os);
  json.object([&] {
    for (const sema::InputDefinition &input :
         compilation.checked.services.front().inputs)
      if (const Value *value = inputs.find(input.name.str());
          value && !input.isFixed) {
        json.attributeBegin(input.name.str());
        writeJSON(json, *value);
      }
  });
  return llvm::MemoryBuffer::getMemBufferCopy(text, "<state>");
}
