//===- LowerWorkflows.cpp - Workflows that blueprints explain -------------===//
///
/// \file
/// Parts of an installation are told the intent of the whole; operations that
/// are run by hand get machines of their own, which have no state, beside those
/// of the lifecycle. Either is a list of steps, one for each node template.
///
//===----------------------------------------------------------------------===//

#include "Workflows.h"

using namespace toscac;
using namespace toscac::cloudify;
using llvm::ArrayRef;
using llvm::StringRef;
using Activity = ir::Activity;

namespace {

class WorkflowLowering {
public:
  WorkflowLowering(const Model &model, const WorkflowRequest &request,
                   OperationLowering &operations, NameTable &names,
                   DiagnosticEngine &diags, sema::CheckedProgram &program,
                   sema::Service &service)
      : model(model), request(request), operations(operations), names(names),
        diags(diags), program(program), arena(*program.arena),
        service(service) {}

  void lower();

private:
  ir::Workflow make(StringRef name) const;
  void addInstall(StringRef name);
  void addCheckStatus();
  void addCheckDrift();
  void addExecuteOperation();
  ir::WorkflowStep stepFor(const Part &part, const Activity &activity);
  void addStep(const Part &part, const Activity &activity);
  Activity call(StringRef interface, StringRef operation) const;
  bool isOn(StringRef parameter, bool otherwise) const;
  /// Warns where none of \p parts, if there are any, has \p operation.
  void checkSteps(ArrayRef<Part> parts, StringRef operation);
  void finish(ir::Workflow workflow);

  // Of operations that are run by hand.
  Activity addMachine(std::vector<ir::MachineId> &machines, StringRef interface,
                      const Operation &written, const Owner &owner,
                      StringRef side);
  void addDriftOfRelationships(const Part &part);
  bool addArguments(Operation &operation, const Part &part);
  void reportOperation(StringRef name, ArrayRef<Part> parts);

  const Model &model;
  const WorkflowRequest &request;
  OperationLowering &operations;
  NameTable &names;
  DiagnosticEngine &diags;
  sema::CheckedProgram &program;
  ValueArena &arena;
  sema::Service &service;
  std::vector<ir::WorkflowStep> steps;
};

/// An operation of a node, with its interface.
struct Found {
  const Interface *interface;
  const Operation *operation;
};

} // namespace

static constexpr StringRef lifecycle = "cloudify.interfaces.lifecycle";
static constexpr StringRef relationshipLifecycle =
    "cloudify.interfaces.relationship_lifecycle";

/// By `interface.operation`, or by the name of the operation alone where only
/// one interface has it.
static std::optional<Found> findOperation(ArrayRef<Interface> interfaces,
                                          StringRef name) {
  llvm::SmallVector<Found, 2> alike;
  for (const Interface &interface : interfaces)
    for (const Operation &operation : interface.operations) {
      StringRef rest = name;
      if (rest.consume_back(operation.name.text) && rest.consume_back(".") &&
          rest == interface.name.text)
        return Found{&interface, &operation};
      if (operation.name.text == name)
        alike.push_back({&interface, &operation});
    }
  return alike.size() == 1 ? std::optional(alike.front()) : std::nullopt;
}

//===----------------------------------------------------------------------===//
// Workflows
//===----------------------------------------------------------------------===//

ir::Workflow WorkflowLowering::make(StringRef name) const {
  ir::Workflow workflow;
  workflow.name = names.intern(name);
  workflow.othersRest = true;
  workflow.range = model.blueprint.range;
  llvm::SmallVector<ir::Argument> inputs;
  auto add = [&](StringRef input, bool required = false) {
    ir::Argument &argument = inputs.emplace_back();
    argument.name = names.intern(input);
    argument.required = required;
  };
  auto addFlag = [&](StringRef input, bool otherwise) {
    add(input);
    inputs.back().type = TypeKind::Boolean;
    inputs.back().value = arena.make(Expr::literal(Value::boolean(otherwise)));
  };
  bool isExecution = name == "execute_operation";
  if (isExecution)
    add("operation", /*required=*/true);
  add("node_ids");
  add("node_instance_ids");
  add("type_names");
  if (isExecution) {
    add("operation_kwargs");
    addFlag("allow_kwargs_override", false);
  }
  if (isExecution || name.starts_with("check_"))
    addFlag("run_by_dependency_order", name == "check_drift");
  workflow.inputs = arena.save(ArrayRef<ir::Argument>(inputs));
  if (isOn("run_by_dependency_order", name == "check_drift"))
    workflow.order = ir::Workflow::Order::Target;
  else if (name == "check_drift")
    workflow.order = ir::Workflow::Order::Source;
  return workflow;
}

bool WorkflowLowering::isOn(StringRef parameter, bool otherwise) const {
  const WorkflowRequest::Parameter *given = findParameter(request, parameter);
  return given ? given->text == "true" : otherwise;
}

void WorkflowLowering::checkSteps(ArrayRef<Part> parts, StringRef operation) {
  if (steps.empty() && !parts.empty() && !request.listsAll &&
      !diags.hasErrors())
    diags.report({}, diag::NothingToDo, request.workflow,
                 ("no node implements '" + operation + "'").str());
}

void WorkflowLowering::finish(ir::Workflow workflow) {
  workflow.steps = arena.save(ArrayRef<ir::WorkflowStep>(steps));
  steps.clear();
  service.workflows.push_back(workflow);
}

Activity WorkflowLowering::call(StringRef interface,
                                StringRef operation) const {
  Activity activity{Activity::Kind::CallOperation};
  activity.interface = names.intern(interface);
  activity.operation = names.intern(operation);
  return activity;
}

ir::WorkflowStep WorkflowLowering::stepFor(const Part &part,
                                           const Activity &activity) {
  ir::WorkflowStep step;
  step.name = step.target = service.nodes[part.node].name;
  step.instances = arena.save(ArrayRef<uint32_t>(part.instances));
  step.activities = arena.save(ArrayRef<Activity>(activity));
  step.range = model.nodes[part.node].written->name.range;
  return step;
}

void WorkflowLowering::addStep(const Part &part, const Activity &activity) {
  steps.push_back(stepFor(part, activity));
}

void WorkflowLowering::addInstall(StringRef name) {
  Activity activity{Activity::Kind::Delegate};
  activity.workflow = names.intern(name);
  for (const Part &part : selectParts(model, request, diags))
    addStep(part, activity);
  finish(make(name));
}

/// The operation is one of the machine, which remembers what it finds. An
/// instance that is not ready for it is passed over.
void WorkflowLowering::addCheckStatus() {
  std::vector<Part> parts = selectParts(model, request, diags);
  for (const Part &part : parts)
    for (ir::MachineId id : service.nodes[part.node].machines) {
      const ir::Machine &machine = program.machines[id.index];
      if (machine.interface.str() != "validation")
        continue;
      for (const ir::Operation &operation : machine.operations)
        if (operation.name.str() == "check_status" &&
            !operation.handlers.empty()) {
          addStep(part, call("validation", "check_status"));
          steps.back().filter = operation.precondition;
        }
    }
  checkSteps(parts, "cloudify.interfaces.validation.check_status");
  finish(make("check_status"));
}

//===----------------------------------------------------------------------===//
// Operations by hand
//===----------------------------------------------------------------------===//

/// Not by the name of a machine that is there.
Activity WorkflowLowering::addMachine(std::vector<ir::MachineId> &machines,
                                      StringRef interface,
                                      const Operation &written,
                                      const Owner &owner, StringRef side) {
  std::string name = interface.str();
  auto isTaken = [&](ir::MachineId id) {
    return program.machines[id.index].interface.str() == name;
  };
  if (llvm::any_of(machines, isTaken))
    name = "cloudify.interfaces." + name;
  if (std::optional<ir::MachineId> id =
          operations.lowerAlone(name, written, owner, side))
    machines.push_back(*id);
  return call(name, written.name.text);
}

void WorkflowLowering::addDriftOfRelationships(const Part &part) {
  const BoundNode &node = model.nodes[part.node];
  for (auto [written, lowered] : llvm::zip_equal(
           node.relationships, service.nodes[part.node].requirements)) {
    llvm::SmallVector<Activity, 2> sides;
    auto add = [&](ArrayRef<Interface> interfaces, StringRef name,
                   StringRef side) {
      std::optional<Found> found = findOperation(
          interfaces, (relationshipLifecycle + ".check_drift").str());
      if (found && !found->operation->implementation.isEmpty())
        sides.push_back(addMachine(lowered.relationship.machines, name,
                                   *found->operation, {part.node, &written},
                                   side));
    };
    add(written.sourceInterfaces, "source_interfaces", "SOURCE");
    add(written.targetInterfaces, "target_interfaces", "TARGET");
    // Each side by itself: neither waits for the other.
    for (const Activity &activity : sides) {
      ir::WorkflowStep step = stepFor(part, activity);
      step.name = names.intern((step.target.str() + "." + lowered.name.str() +
                                "." + activity.interface.str())
                                   .str());
      step.targetRelationship = lowered.name;
      steps.push_back(step);
    }
  }
}

void WorkflowLowering::addCheckDrift() {
  std::vector<Part> parts = selectParts(model, request, diags);
  for (const Part &part : parts) {
    std::optional<Found> found = findOperation(
        model.nodes[part.node].interfaces, (lifecycle + ".check_drift").str());
    if (found && !found->operation->implementation.isEmpty())
      addStep(part, addMachine(service.nodes[part.node].machines, lifecycle,
                               *found->operation, {part.node}, "SELF"));
    addDriftOfRelationships(part);
  }
  checkSteps(parts, "cloudify.interfaces.lifecycle.check_drift");
  finish(make("check_drift"));
}

/// Adds `operation_kwargs` to the inputs of \p operation.
bool WorkflowLowering::addArguments(Operation &operation, const Part &part) {
  const WorkflowRequest::Parameter *given =
      findParameter(request, "operation_kwargs");
  if (!given || !given->map)
    return true;
  for (const syntax::Entry &entry : given->map->entries()) {
    if (!entry.key.isScalar())
      continue;
    NamedValue value{{entry.key.text(), entry.key.range()}, &entry.value};
    auto declared =
        llvm::find_if(operation.inputs, [&](const NamedValue &input) {
          return input.name.text == value.name.text;
        });
    if (declared == operation.inputs.end()) {
      operation.inputs.push_back(value);
    } else if (isOn("allow_kwargs_override", false)) {
      *declared = value;
    } else {
      diags.report(declared->name.range, diag::KwargsOverride,
                   operation.name.text,
                   model.nodes[part.node].written->name.text, value.name.text);
      return false;
    }
  }
  return true;
}

void WorkflowLowering::reportOperation(StringRef name, ArrayRef<Part> parts) {
  std::set<std::string> known;
  for (const Part &part : parts)
    for (const Interface &interface : model.nodes[part.node].interfaces)
      for (const Operation &operation : interface.operations)
        known.insert((interface.name.text + "." + operation.name.text).str());
  reportUnknown(request, "operation", "operation", name,
                std::vector<StringRef>(known.begin(), known.end()), diags);
}

void WorkflowLowering::addExecuteOperation() {
  const WorkflowRequest::Parameter *given = findParameter(request, "operation");
  const WorkflowRequest::Parameter *arguments =
      findParameter(request, "operation_kwargs");
  if (arguments && !arguments->text.empty() && !arguments->map)
    diags.report({}, diag::KwargsForm);
  std::vector<Part> parts = selectParts(model, request, diags);
  bool isKnown = false;
  for (const Part &part : given ? parts : std::vector<Part>()) {
    std::optional<Found> found =
        findOperation(model.nodes[part.node].interfaces, given->text);
    isKnown |= found.has_value();
    if (!found || found->operation->implementation.isEmpty())
      continue;
    Operation operation = *found->operation;
    if (addArguments(operation, part))
      addStep(part, addMachine(service.nodes[part.node].machines,
                               found->interface->name.text, operation,
                               {part.node}, "SELF"));
  }
  if (given && !isKnown && !parts.empty())
    reportOperation(given->text, parts);
  else if (given)
    checkSteps(parts, given->text);
  finish(make("execute_operation"));
}

void WorkflowLowering::lower() {
  // Those that the compiler or the profile defines.
  bool isElsewhere =
      llvm::any_of(program.machines, [&](const ir::Machine &machine) {
        return llvm::any_of(machine.intents, [&](const ir::Intent &intent) {
          return intent.workflow.str() == request.workflow;
        });
      });
#define DAY_TWO(function, name, changesCounts)                                 \
  isElsewhere |= request.workflow == (name);
#include "toscac/IR/DayTwo.def"
  for (StringRef name : {"install", "uninstall"})
    if (request.listsAll ||
        (request.workflow == name && !request.parameters.empty()))
      addInstall(name);
  if (!request.listsAll && isElsewhere)
    return;
  auto isWanted = [&](StringRef name) {
    if (request.listsAll || request.workflow == name)
      return true;
    // So that it is found where its name was misspelt.
    finish(make(name));
    return false;
  };
  if (isWanted("execute_operation"))
    addExecuteOperation();
  if (isWanted("check_status"))
    addCheckStatus();
  if (isWanted("check_drift"))
    addCheckDrift();
}

void cloudify::lowerWorkflows(const Model &model,
                              const WorkflowRequest &request,
                              OperationLowering &operations, NameTable &names,
                              DiagnosticEngine &diags,
                              sema::CheckedProgram &program,
                              sema::Service &service) {
  WorkflowLowering(model, request, operations, names, diags, program, service)
      .lower();
}
