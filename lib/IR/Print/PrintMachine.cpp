//===- PrintMachine.cpp - Machines and workflows as text ------------------===//

#include "MachineTextPrinter.h"
#include "WriteExpr.h"
#include "toscac/IR/KindNames.h"
#include "toscac/IR/WorkflowRoles.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;
using llvm::StringRef;

void MachineTextPrinter::printCondition(const Expr *condition) {
  if (!condition)
    return;
  os << " when ";
  writeExpr(os, *condition);
}

void MachineTextPrinter::printMachine(MachineId id) {
  const Machine &machine = graph.machines[id.index];
  line("machine ");
  label(machine.interface, printed.machineOrdinals[id.index]);
  if (machine.type) {
    os << " : ";
    name(machine.type);
  }
  bool isEmpty = machine.cells.empty() && machine.operations.empty() &&
                 machine.rules.empty() && machine.intents.empty() &&
                 machine.failures.empty() && machine.health.empty() &&
                 machine.promises.empty();
  block(!isEmpty, [&] {
    for (const Cell &cell : machine.cells)
      printCell(cell);
    for (const Operation &operation : machine.operations)
      printOperation(machine, operation);
    for (const Trigger &rule : machine.rules) {
      line("rule ");
      printTrigger(rule);
    }
    for (const Intent &intent : machine.intents) {
      line("intent ");
      name(intent.workflow);
      if (intent.way != WorkflowRoles().wayOf(intent.workflow.str()))
        os << (intent.way == Intent::Way::Up     ? " up"
               : intent.way == Intent::Way::Down ? " down"
                                                 : " other");
      os << " set ";
      name(machine.cells[intent.cell].name);
      os << " = ";
      writeValue(os, intent.value);
      os << " goal ";
      name(machine.cells[intent.goal].name);
      os << '\n';
    }
    auto printMarks = [&](StringRef word, ArrayRef<FailureMark> marks) {
      for (const FailureMark &mark : marks) {
        line(word);
        name(machine.cells[mark.cell].name);
        os << " = ";
        writeValue(os, mark.value);
        os << '\n';
      }
    };
    printMarks("failed ", machine.failures);
    printMarks("healthy ", machine.health);
    printRoles(machine);
    for (const Promise &promise : machine.promises) {
      line(promise.kind == Promise::Kind::Always ? "always " : "goal ");
      name(promise.name);
      printCondition(promise.condition);
      os << '\n';
    }
  });
}

void MachineTextPrinter::printRoles(const Machine &machine) {
  const Roles &roles = machine.roles;
#define OPERATION_ROLE(field, mark)                                            \
  if (roles.field) {                                                           \
    line("role " #field " ");                                                  \
    name(machine.operations[*roles.field].name);                               \
    os << '\n';                                                                \
  }
#define CELL_ROLE(field, mark)                                                 \
  if (roles.field) {                                                           \
    line("role " #field " ");                                                  \
    name(machine.cells[*roles.field].name);                                    \
    os << '\n';                                                                \
  }
#define VALUE_ROLE(field, mark, cell)                                          \
  if (roles.field) {                                                           \
    line("role " #field " = ");                                                \
    writeValue(os, *roles.field);                                              \
    os << '\n';                                                                \
  }
#include "toscac/IR/Roles.def"
#include "toscac/IR/WorkflowRoles.h"
}

void MachineTextPrinter::printCell(const Cell &cell) {
  line("cell ");
  name(cell.name);
  typeKind(cell.type, TypeKind::String);
  os << " = ";
  writeValue(os, cell.initial);
  if (!cell.domain.empty()) {
    os << " in ";
    list(cell.domain, [&](const Value &item) { writeValue(os, item); });
  }
  os << '\n';
}

void MachineTextPrinter::printOperation(const Machine &machine,
                                        const Operation &operation) {
  line("operation ");
  name(operation.name);
  os << (operation.isNotification ? " notification" : "");
  printCondition(operation.precondition);
  if (operation.timeout)
    os << " timeout " << operation.timeout;
  if (operation.retries)
    os << " retries " << operation.retries;
  auto isSilent = [](const Reaction &reaction) {
    return reaction.sets.empty() && reaction.triggers.empty();
  };
  bool isEmpty = operation.inputs.empty() && operation.outputs.empty() &&
                 operation.handlers.empty() && isSilent(operation.entry) &&
                 isSilent(operation.success) && isSilent(operation.failure);
  block(!isEmpty, [&] {
    printArguments(operation.inputs);
    printMappings(operation.outputs);
    printHandlers(operation.handlers);
    printReaction("entry ", machine, operation.entry);
    printReaction("success ", machine, operation.success);
    printReaction("failure ", machine, operation.failure);
  });
}

void MachineTextPrinter::printReaction(StringRef keyword,
                                       const Machine &machine,
                                       const Reaction &reaction) {
  for (const Set &set : reaction.sets) {
    line(keyword) << "set ";
    name(machine.cells[set.cell].name);
    value(set.value);
    os << '\n';
  }
  for (const Trigger &trigger : reaction.triggers) {
    line(keyword) << "send ";
    printTrigger(trigger);
  }
}

void MachineTextPrinter::printArguments(ArrayRef<Argument> arguments) {
  for (const Argument &argument : arguments) {
    line("input ");
    name(argument.name);
    typeKind(argument.type, TypeKind::Any);
    os << (argument.required ? "" : " optional")
       << (argument.sensitive ? " sensitive" : "");
    value(argument.value);
    os << '\n';
  }
}

void MachineTextPrinter::printInputBlock(ArrayRef<Argument> arguments) {
  block(!arguments.empty(), [&] { printArguments(arguments); });
}

void MachineTextPrinter::printMappings(ArrayRef<OutputMapping> mappings) {
  for (const OutputMapping &mapping : mappings) {
    line("output ");
    name(mapping.output);
    typeKind(mapping.type, TypeKind::Any);
    os << " -> ";
    names(mapping.target);
    os << '\n';
  }
}

void MachineTextPrinter::printHandlers(ArrayRef<Handler> handlers) {
  auto artifact = [&](ArtifactId id) {
    writeString(os, graph.artifacts[id.index].file);
    if (printed.artifactOrdinals[id.index] > 1)
      os << '#' << printed.artifactOrdinals[id.index];
  };
  for (const Handler &handler : handlers) {
    line("handler ");
    artifact(handler.artifact);
    if (!handler.files.empty()) {
      os << " files ";
      list(handler.files, artifact);
    }
    if (handler.place != HandlerPlace::Here)
      os << " on " << nameOf(handler.place);
    block(!handler.inputs.empty() || !handler.outputs.empty(), [&] {
      printArguments(handler.inputs);
      printMappings(handler.outputs);
    });
  }
}

/// The word that a step starts with.
static StringRef keywordOf(PathStep::Kind kind) {
  switch (kind) {
  case PathStep::Kind::Relationship:
    return "RELATIONSHIP";
  case PathStep::Kind::Capability:
    return "CAPABILITY";
  case PathStep::Kind::Source:
    return "SOURCE";
  case PathStep::Kind::Target:
    return "TARGET";
  case PathStep::Kind::Node:
    return "NODE";
  case PathStep::Kind::Service:
    return "SERVICE";
  case PathStep::Kind::Inside:
    return "INSIDE";
  case PathStep::Kind::Outside:
    return "OUTSIDE";
  case PathStep::Kind::Earlier:
    return "EARLIER";
  case PathStep::Kind::Later:
    return "LATER";
  }
  llvm_unreachable("all kinds are handled");
}

void MachineTextPrinter::printTrigger(const Trigger &trigger) {
  os << "[\"SELF\"";
  auto word = [&](StringRef text) {
    os << ", ";
    writeString(os, text);
  };
  for (const PathStep &step : trigger.receiver.steps) {
    word(keywordOf(step.kind));
    if (!step.hasName()) {
      if (step.name)
        word(step.name.str());
      continue;
    }
    word(step.name ? step.name.str() : "ALL");
    if (step.kind == PathStep::Kind::Capability)
      word("RELATIONSHIP");
    if (!step.index) {
      word("ALL");
    } else {
      os << ", ";
      writeExpr(os, *step.index);
    }
  }
  word("INTERFACE");
  word(trigger.interface.str());
  word(trigger.operation.str());
  os << ']';
  printCondition(trigger.condition);
  printInputBlock(trigger.inputs);
}

void MachineTextPrinter::printWorkflow(const Workflow &workflow) {
  line("workflow ");
  name(workflow.name);
  printCondition(workflow.precondition);
  os << (workflow.othersRest ? " alone" : "");
  if (workflow.order != Workflow::Order::Steps)
    os << " after "
       << (workflow.order == Workflow::Order::Source ? "source" : "target");
  bool isEmpty = workflow.inputs.empty() && workflow.steps.empty() &&
                 workflow.handlers.empty() && workflow.outputs.empty();
  block(!isEmpty, [&] {
    printArguments(workflow.inputs);
    printHandlers(workflow.handlers);
    printMappings(workflow.outputs);
    for (uint32_t i = 0; i < workflow.steps.size(); ++i)
      printStep(workflow, i);
  });
}

void MachineTextPrinter::printStep(const Workflow &workflow, uint32_t number) {
  const WorkflowStep &step = workflow.steps[number];
  line("step ");
  name(step.name);
  if (step.target) {
    os << " target ";
    name(step.target);
  }
  if (!step.instances.empty()) {
    os << " instances ";
    list(step.instances, [&](uint32_t index) { os << index; });
  }
  if (step.targetRelationship) {
    os << " relationship ";
    name(step.targetRelationship);
  }
  printCondition(step.filter);
  auto next = [&](StringRef keyword, ArrayRef<uint32_t> steps) {
    if (steps.empty())
      return;
    os << keyword;
    list(steps, [&](uint32_t i) { name(workflow.steps[i].name); });
  };
  next(" success ", step.onSuccess);
  next(" failure ", step.onFailure);
  block(!step.activities.empty(), [&] { printActivities(step.activities); });
}

void MachineTextPrinter::printActivities(ArrayRef<Activity> activities) {
  for (const Activity &activity : activities) {
    switch (activity.kind) {
    case Activity::Kind::CallOperation:
      line("call ");
      break;
    case Activity::Kind::SetState:
      line("set ");
      break;
    case Activity::Kind::Delegate:
      line("delegate ");
      break;
    case Activity::Kind::Inline:
      line("inline ");
      break;
    }
    bool namesWorkflow = activity.kind == Activity::Kind::Delegate ||
                         activity.kind == Activity::Kind::Inline;
    name(namesWorkflow ? activity.workflow : activity.interface);
    if (!namesWorkflow) {
      os << ' ';
      name(activity.operation);
    }
    if (activity.kind == Activity::Kind::SetState) {
      os << " = ";
      writeValue(os, activity.value);
    }
    printInputBlock(activity.inputs);
  }
}

void MachineTextPrinter::printPolicy(const PolicyTrigger &policy) {
  line("policy ");
  name(policy.name);
  os << " event ";
  name(policy.event);
  if (!policy.targets.empty()) {
    os << " targets ";
    names(policy.targets);
  }
  printCondition(policy.condition);
  block(!policy.actions.empty(), [&] { printActivities(policy.actions); });
}
