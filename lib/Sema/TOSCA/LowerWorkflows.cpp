//===- LowerWorkflows.cpp - Workflows and triggers of policies ------------===//
///
/// \file
/// TOSCA 2.0 §13.2 and §16.5. Inputs of activities are values for the target:
/// SELF in them is each node or relationship that the step addresses.
///
//===----------------------------------------------------------------------===//

#include "Lower.h"

#include "CheckAssignments.h"
#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

/// What activities address.
struct Addressee {
  Origin origin = Origin::Node;
  /// Null for a group, and where only expansion knows.
  const Flat *type = nullptr;
};

class ActivityLowering {
public:
  ActivityLowering(Lowering &lowering, const ServiceScope &service,
                   const Flat::Members *workflowInputs, Addressee target)
      : lowering(lowering), target(target),
        site(siteOf(service, target.origin)) {
    site.context.workflowInputs = workflowInputs;
  }

  llvm::ArrayRef<ir::Activity> lowerAll(llvm::ArrayRef<Entity> activities);

private:
  ir::Activity lower(const Field &field);
  void setOperation(const Entity &call, ir::Activity &result);
  void setState(const Field &field, ir::Activity &result);
  llvm::ArrayRef<ir::Argument> lowerInputs(const Entity &call,
                                           const Flat *operation);

  Lowering &lowering;
  Addressee target;
  Site site;
};

} // namespace

llvm::ArrayRef<ir::Activity>
ActivityLowering::lowerAll(llvm::ArrayRef<Entity> activities) {
  llvm::SmallVector<ir::Activity> result;
  for (const Entity &activity : activities)
    for (const Field &field : activity.fields)
      result.push_back(lower(field));
  return lowering.save(result);
}

ir::Activity ActivityLowering::lower(const Field &field) {
  using Kind = ir::Activity::Kind;
  ir::Activity result;
  result.range = field.range();
  if (field.key == Key::SetState) {
    result.kind = Kind::SetState;
    setState(field, result);
    return result;
  }
  const Entity &call = field.entities.front();
  if (field.key == Key::CallOperation) {
    result.kind = Kind::CallOperation;
    setOperation(call, result);
    return result;
  }
  result.kind = field.key == Key::Inline ? Kind::Inline : Kind::Delegate;
  result.workflow = lowering.intern(call.text(Key::Workflow));
  result.inputs = lowerInputs(call, nullptr);
  return result;
}

/// `interface.operation`; interface names may contain dots themselves.
void ActivityLowering::setOperation(const Entity &call, ir::Activity &result) {
  auto [interfaceName, operationName] = call.text(Key::Operation).rsplit('.');
  result.interface = lowering.intern(interfaceName);
  result.operation = lowering.intern(operationName);
  const Flat *interface =
      target.type ? findInterface(*target.type, interfaceName) : nullptr;
  if (interface)
    result.interface = interface->name;
  result.inputs = lowerInputs(
      call,
      interface ? interface->member(Key::Operations, operationName) : nullptr);
}

/// Whether \p interface has a cell `state`, which is what the state of a node
/// is called wherever TOSCA names one.
static bool hasState(const Flat &interface) {
  return interface.member(Key::Attributes, "state");
}

void ActivityLowering::setState(const Field &field, ir::Activity &result) {
  result.value = Value::string(field.value->text());
  result.operation = lowering.intern("state");
  if (!target.type)
    return;
  for (const auto &[name, interface] : target.type->members(Key::Interfaces))
    if (hasState(*interface)) {
      result.interface = interface->name;
      return;
    }
}

llvm::ArrayRef<ir::Argument>
ActivityLowering::lowerInputs(const Entity &call, const Flat *operation) {
  const Field *field = call.find(Key::Inputs);
  if (!field || !field->value->isMapping())
    return {};
  llvm::SmallVector<ir::Argument> result;
  for (const Entry &entry : field->value->entries()) {
    const Flat *definition =
        operation ? operation->member(Key::Inputs, entry.key.text()) : nullptr;
    const Type &type = definition ? typeOf(lowering.program, *definition)
                                  : builtinType(TypeKind::Any);
    ir::Argument argument;
    argument.name = lowering.intern(entry.key.text());
    argument.type = type.kind;
    argument.value = lowerValue(lowering, site, entry.value, type);
    argument.sensitive = definition && isSensitive(*definition);
    argument.range = entry.value.range();
    result.push_back(argument);
  }
  return lowering.save(result);
}

//===----------------------------------------------------------------------===//
// Workflows
//===----------------------------------------------------------------------===//

namespace {

class WorkflowLowering {
public:
  WorkflowLowering(Lowering &lowering, const ServiceScope &service,
                   const Entity &workflow)
      : lowering(lowering), service(service), workflow(workflow),
        inputs(flattenDefinitions(lowering.program, service.scope, workflow,
                                  Key::Inputs)),
        site(siteOf(service, Origin::Service)) {
    site.context.workflowInputs = &inputs;
  }

  ir::Workflow run();

private:
  llvm::ArrayRef<ir::Argument> lowerInputs();
  const Expr *lowerConditions(const Field *field, const Site &where);
  ir::WorkflowStep lowerStep(const Entity &step);
  Addressee targetOf(const Entity &step);
  llvm::ArrayRef<uint32_t> followers(const Entity &step, Key key);
  llvm::ArrayRef<ir::Handler> lowerImplementation();
  llvm::ArrayRef<ir::OutputMapping> lowerOutputs();

  Lowering &lowering;
  const ServiceScope &service;
  const Entity &workflow;
  Flat::Members inputs;
  Site site;
};

} // namespace

ir::Workflow WorkflowLowering::run() {
  ir::Workflow result;
  result.name = workflow.name;
  result.inputs = lowerInputs();
  result.precondition = lowerConditions(workflow.find(Key::Precondition), site);
  llvm::SmallVector<ir::WorkflowStep> steps;
  for (const Entity &step : workflow.entities(Key::Steps))
    steps.push_back(lowerStep(step));
  result.steps = lowering.save(steps);
  result.handlers = lowerImplementation();
  result.outputs = lowerOutputs();
  result.range = workflow.range();
  return result;
}

llvm::ArrayRef<ir::Argument> WorkflowLowering::lowerInputs() {
  llvm::SmallVector<ir::Argument> result;
  for (const Assignment &input :
       lowerAssignments(lowering, site, inputs, /*values=*/nullptr))
    result.push_back({input.name, input.type->kind, input.value, input.required,
                      input.sensitive, input.range});
  return lowering.save(result);
}

/// One condition, or a list of which all must hold.
const Expr *WorkflowLowering::lowerConditions(const Field *field,
                                              const Site &where) {
  if (!field)
    return nullptr;
  if (!field->value->isSequence())
    return lowerCondition(lowering, where, *field->value);
  llvm::SmallVector<Expr> conditions;
  for (const Node &item : field->value->items())
    if (const Expr *condition = lowerCondition(lowering, where, item))
      conditions.push_back(*condition);
  if (conditions.empty())
    return nullptr;
  ValueArena &arena = lowering.program.arena;
  if (conditions.size() == 1)
    return arena.make(conditions.front());
  return arena.make(Expr::call(Function::And, lowering.save(conditions),
                               field->value->range()));
}

Addressee WorkflowLowering::targetOf(const Entity &step) {
  auto node = service.nodes.find(step.text(Key::Target));
  if (node == service.nodes.end())
    return {};
  const Flat *type = node->second.flat();
  const Field *relationship = step.find(Key::TargetRelationship);
  if (!relationship)
    return {Origin::Node, type};
  const Flat *requirement =
      type->member(Key::Requirements, relationship->value->text());
  return {Origin::Relationship, requirement->nested(Key::Relationship)};
}

ir::WorkflowStep WorkflowLowering::lowerStep(const Entity &step) {
  Addressee target = targetOf(step);
  ir::WorkflowStep result;
  result.name = step.name;
  result.target = lowering.intern(step.text(Key::Target));
  if (const Field *relationship = step.find(Key::TargetRelationship))
    result.targetRelationship = lowering.intern(relationship->value->text());
  Site targetSite = siteOf(service, target.origin);
  targetSite.context.workflowInputs = &inputs;
  result.filter = lowerConditions(step.find(Key::Filter), targetSite);
  result.activities = ActivityLowering(lowering, service, &inputs, target)
                          .lowerAll(step.entities(Key::Activities));
  result.onSuccess = followers(step, Key::OnSuccess);
  result.onFailure = followers(step, Key::OnFailure);
  result.range = step.range();
  return result;
}

llvm::ArrayRef<uint32_t> WorkflowLowering::followers(const Entity &step,
                                                     Key key) {
  const Field *field = step.find(key);
  if (!field)
    return {};
  llvm::ArrayRef<Node> names = *field->value;
  if (field->value->isSequence())
    names = field->value->items();
  llvm::ArrayRef<Entity> steps = workflow.entities(Key::Steps);
  llvm::SmallVector<uint32_t> result;
  for (const Node &name : names) {
    const Entity *next = llvm::find_if(steps, [&](const Entity &other) {
      return other.name.str() == name.text();
    });
    if (next != steps.end())
      result.push_back(next - steps.begin());
  }
  return lowering.save(result);
}

llvm::ArrayRef<ir::Handler> WorkflowLowering::lowerImplementation() {
  llvm::ArrayRef<Entity> implementation =
      workflow.entities(Key::Implementation);
  if (implementation.empty() ||
      implementation.front().entities(Key::Primary).empty())
    return {};
  llvm::SmallVector<ir::ArtifactId> files;
  for (const Entity &file : implementation.front().entities(Key::Dependencies))
    files.push_back(lowerArtifact(lowering, service.scope, file));
  ir::Handler handler;
  handler.artifact =
      lowerArtifact(lowering, service.scope,
                    implementation.front().entities(Key::Primary).front());
  handler.files = lowering.save(files);
  return lowering.program.arena.save(llvm::ArrayRef(handler));
}

llvm::ArrayRef<ir::OutputMapping> WorkflowLowering::lowerOutputs() {
  const Field *field = workflow.find(Key::Outputs);
  if (!field)
    return {};
  llvm::SmallVector<ir::OutputMapping> result;
  for (const Entry &entry : field->value->entries()) {
    llvm::SmallVector<Name> path;
    if (entry.value.isSequence())
      for (const Node &word : entry.value.items())
        if (word.isScalar())
          path.push_back(lowering.intern(word.text()));
    result.push_back({lowering.intern(entry.key.text()), TypeKind::Any,
                      lowering.save(path), entry.key.range()});
  }
  return lowering.save(result);
}

std::vector<ir::Workflow> sema::lowerWorkflows(Lowering &lowering,
                                               const ServiceScope &service) {
  std::vector<ir::Workflow> result;
  for (const Entity &workflow : service.entity.entities(Key::Workflows))
    result.push_back(WorkflowLowering(lowering, service, workflow).run());
  return result;
}

//===----------------------------------------------------------------------===//
// Policies
//===----------------------------------------------------------------------===//

/// The type that all targets have, where they are nodes of one type.
static Addressee addresseeOf(const ServiceScope &service,
                             llvm::ArrayRef<Name> targets) {
  const Flat *common = nullptr;
  for (Name target : targets) {
    auto node = service.nodes.find(target.str());
    const Flat *type =
        node == service.nodes.end() ? nullptr : node->second.flat();
    if (!type || (common && common != type))
      return {};
    common = type;
  }
  return {Origin::Node, common};
}

static ir::PolicyTrigger lowerTrigger(Lowering &lowering,
                                      const ServiceScope &service,
                                      const Template &policy,
                                      const Layer &trigger,
                                      llvm::ArrayRef<Name> targets) {
  ir::PolicyTrigger result;
  result.name = lowering.intern(
      (policy.entity->name.str() + "." + trigger.entity->name.str()).str());
  result.event = lowering.intern(trigger.entity->text(Key::Event));
  result.targets = targets;
  result.range = trigger.entity->range();
  Site site = siteOf(service, Origin::Service);
  Site inType{{*trigger.scope}, Origin::Service};
  bool isInType = trigger.scope != &service.scope;
  if (const Field *condition = trigger.entity->find(Key::Condition))
    result.condition =
        lowerCondition(lowering, isInType ? inType : site, *condition->value);
  result.actions = ActivityLowering(lowering, service, nullptr,
                                    addresseeOf(service, targets))
                       .lowerAll(trigger.entity->entities(Key::Action));
  return result;
}

/// Triggers of the type, then those of the policy itself, which replace those
/// of the same name.
std::vector<ir::PolicyTrigger> sema::lowerPolicy(Lowering &lowering,
                                                 const ServiceScope &service,
                                                 const Template &policy) {
  llvm::MapVector<StringRef, Layer> triggers;
  for (const auto &[name, trigger] : policy.flat()->members(Key::Triggers))
    triggers[name] = trigger->layers.front();
  if (const Field *field = policy.find(Key::Triggers))
    for (const Entity &trigger : field->entities)
      triggers[trigger.name.str()] = {&trigger, &service.scope};
  llvm::SmallVector<Name> targets;
  if (const Field *field = policy.find(Key::Targets))
    for (const Node &name : field->value->items())
      targets.push_back(lowering.intern(name.text()));
  llvm::ArrayRef<Name> savedTargets = lowering.save(targets);
  std::vector<ir::PolicyTrigger> result;
  for (const auto &[name, trigger] : triggers)
    result.push_back(
        lowerTrigger(lowering, service, policy, trigger, savedTargets));
  return result;
}
