//===- SetGoal.cpp - What a graph is to become ----------------------------===//

#include "toscac/Expand/SetGoal.h"

#include "toscac/Basic/Name.h"

using namespace toscac;
using llvm::StringRef;

Value toscac::parseParameter(StringRef text, ValueArena &arena) {
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

bool toscac::isDefinedByService(const sema::CheckedProgram &program,
                                StringRef workflow) {
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

/// How far the workflow reaches: what it means where it changes a deployment.
static ir::Goal::Reach reachOf(const ChangeRequest &request,
                               const sema::CheckedProgram &program,
                               const DeploymentChange *change) {
  if (!change || isDefinedByService(program, request.workflow))
    return ir::Goal::Reach::Defined;
  if (change->updates)
    return ir::Goal::Reach::Update;
  if (change->checks)
    return ir::Goal::Reach::Check;
  bool isPart =
      request.workflow == program.roles.takeDown && !request.parameters.empty();
  return findDayTwo(request.workflow) || isPart ? ir::Goal::Reach::Change
                                                : ir::Goal::Reach::Defined;
}

void toscac::setGoal(const ChangeRequest &request,
                     const sema::CheckedProgram &program,
                     const DeploymentChange *change, NameTable &names,
                     ir::Graph &graph) {
  graph.goal.workflow = names.intern(request.workflow);
  graph.goal.mayBeMissing = request.workflow == program.roles.bringUp;
  graph.goal.parameters.clear();
  for (const ir::InputValue &parameter : request.parameters)
    graph.goal.parameters.push_back({parameter.name,
                                     graph.arena.make(*parameter.value),
                                     parameter.sensitive});
  graph.goal.reach = reachOf(request, program, change);
}
