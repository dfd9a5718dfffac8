//===- LowerWorkflows.cpp - Imperative workflows --------------------------===//
///
/// \file
/// TOSCA 2.0 §13.2. Inputs of activities are values for the target: SELF in
/// them is each node or relationship that the step addresses.
///
//===----------------------------------------------------------------------===//

#include "LowerActivities.h"

#include "llvm/ADT/STLExtras.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::StringRef;
using syntax::Entry;
using syntax::Node;

namespace {

/// What a step addresses.
struct Addressee {
  Origin origin = Origin::Node;
  /// Of a group, all its members'.
  llvm::SmallVector<const Flat *, 2> types;
};

class WorkflowLowering {
public:
  WorkflowLowering(Lowering &lowering, const ServiceScope &service,
                   const Entity &workflow)
      : lowering(lowering), service(service), workflow(workflow),
        inputs(flattenDefinitions(lowering.program, service.scope, workflow,
                                  Key::Inputs)),
        site(siteOf(service, Origin::Service)) {
    site.context.workflowInputs = &inputs;
    for (const Entity &step : workflow.entities(Key::Steps))
      numbers.try_emplace(step.name.str(), numbers.size());
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
  /// The numbers of its steps.
  llvm::StringMap<uint32_t> numbers;
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
  Addressee result;
  const Field *field = step.find(Key::Target);
  if (!field)
    return result;
  const Field *relationship = step.find(Key::TargetRelationship);
  if (relationship)
    result.origin = Origin::Relationship;
  for (const ActivityTarget &target :
       findTargets(lowering.program, service, *field->value)) {
    const Flat *requirement =
        relationship ? target.type->member(Key::Requirements,
                                           relationship->value->text())
                     : nullptr;
    const Flat *type =
        requirement ? requirement->nested(Key::Relationship) : target.type;
    if (type && (requirement || !relationship))
      result.types.push_back(type);
  }
  return result;
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
  result.activities = lowering.save(lowerActivities(
      lowering, targetSite, target.types, step.entities(Key::Activities)));
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
  llvm::SmallVector<uint32_t> result;
  for (const Node &name : names)
    if (auto next = numbers.find(name.text()); next != numbers.end())
      result.push_back(next->second);
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
