//===- SentEvents.cpp - What events are sent to ---------------------------===//

#include "SentEvents.h"

using namespace toscac;
using namespace toscac::sema;
using llvm::ArrayRef;

void SentEvents::add(ArrayRef<ir::Trigger> triggers) {
  for (const ir::Trigger &trigger : triggers)
    add(trigger.interface, trigger.operation);
}

void SentEvents::add(ArrayRef<ir::Activity> activities) {
  for (const ir::Activity &activity : activities)
    if (activity.operation)
      add(activity.interface, activity.operation);
}

SentEvents::SentEvents(const CheckedProgram &program) {
  for (const ir::Machine &machine : program.machines) {
    add(machine.rules);
    for (const ir::Operation &operation : machine.operations)
      for (const ir::Reaction *reaction :
           {&operation.entry, &operation.success, &operation.failure})
        add(reaction->triggers);
  }
  for (const Service &service : program.services) {
    for (const ir::Workflow &workflow : service.workflows)
      for (const ir::WorkflowStep &step : workflow.steps)
        add(step.activities);
    for (const ir::PolicyTrigger &policy : service.policies)
      add(policy.actions);
  }
}
