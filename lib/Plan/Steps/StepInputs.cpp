//===- StepInputs.cpp - What a step's handlers are given ------------------===//

#include "StepInputs.h"

#include "System/GraphEnvironment.h"
#include "WorkflowInputs.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

static bool areLiteral(ArrayRef<ir::Argument> arguments) {
  return llvm::all_of(arguments, [](const ir::Argument &argument) {
    return argument.value && argument.value->isLiteral();
  });
}

bool toscac::plan::hasFixedInputs(const ir::Operation &operation) {
  return areLiteral(operation.inputs) &&
         llvm::all_of(operation.handlers, [](const ir::Handler &handler) {
           return areLiteral(handler.inputs);
         });
}

const Expr *toscac::plan::residual(const SymbolicRun &run, const Expr &expr,
                                   ir::EntityId entity, ValueArena &arena,
                                   bool seesFormer) {
  if (expr.isLiteral())
    return &expr;
  auto cells = [&](CellId cell) -> const Value * {
    if (run.writtenOnFailure.contains(cell.index))
      return nullptr;
    for (WriteId write = run.history.lastWrite(cell); write;
         write = run.history.writes[write.index].previous)
      if (run.history.writes[write.index].step)
        return nullptr;
    return &run.system.values[run.history.value(cell)];
  };
  GraphEnvironment environment(run.system.layout, entity, cells,
                               run.system.conditions.names);
  environment.parameters = run.parameters;
  environment.seesFormer = seesFormer;
  Evaluation value = evaluate(expr, environment, arena);
  if (value.isKnown())
    return arena.make(Expr::literal(value.value(), expr.range()));
  if (value.isUnknown())
    return value.residual();
  if (value.isFailed())
    report(run.system.conditions.diags, value.problem(), expr.range());
  return nullptr;
}

/// Whether \p trigger may give what \p sender, an event of a service, was
/// given.
static bool passesInputs(const Layout &layout, EventId sender,
                         const ir::Trigger &trigger) {
  return !trigger.inputs.empty() &&
         layout.graph.isService(layout.entityOf(sender)) &&
         !layout.operation(sender).inputs.empty();
}

Invocation toscac::plan::sentBy(const Invocation &sender,
                                const ir::Trigger &trigger, EventId event,
                                EventSystem &system) {
  const Layout &layout = system.layout;
  ir::EntityId entity = layout.entityOf(sender.event);
  Invocation sent{event, &trigger, entity, sender.seesFormer};
  if (!passesInputs(layout, sender.event, trigger))
    return sent;
  WorkflowInputs inputs(system, layout.graph.subgraph(entity));
  inputs.setSent(layout.operation(sender.event), sender.trigger, sender.sender);
  ir::Trigger bound = trigger;
  bound.inputs = inputs.bind(trigger.inputs);
  sent.trigger = system.conditions.arena.make(bound);
  return sent;
}

Invocation toscac::plan::invocationOf(const SymbolicRun &run, StepId step) {
  const Layout &layout = run.system.layout;
  EventId event = run.event(step);
  Cause cause = run.causes[step.index];
  bool seesFormer = run.isOnWayDown(step);
  if (std::optional<RuleId> rule = cause.rule()) {
    RulePlace at = run.system.place(*rule);
    return {event, at.block->rule, layout.entity(at.block->slot, at.row),
            seesFormer};
  }
  const Send &send = run.sends[cause.send()->index];
  // What a task sends stands at its target.
  if (send.isFromWorkflow())
    return {event, send.trigger, layout.entityOf(event), seesFormer};
  EventId sender = run.event(send.sender);
  if (passesInputs(layout, sender, *send.trigger))
    return sentBy(invocationOf(run, send.sender), *send.trigger, event,
                  run.system);
  return {event, send.trigger, layout.entityOf(sender), seesFormer};
}

static void setInput(llvm::SmallVectorImpl<StepInput> &inputs, Name name,
                     const Expr *value) {
  if (!value)
    return;
  for (StepInput &input : inputs)
    if (input.name == name) {
      input.value = value;
      return;
    }
  inputs.push_back({name, value});
}

llvm::SmallVector<StepInput, 4>
toscac::plan::inputsOf(const SymbolicRun &run, const Invocation &invocation,
                       const ir::Handler &handler, ValueArena &arena) {
  ir::EntityId entity = run.system.layout.entityOf(invocation.event);
  llvm::SmallVector<StepInput, 4> inputs;
  auto add = [&](ArrayRef<ir::Argument> arguments, ir::EntityId at) {
    for (const ir::Argument &argument : arguments)
      if (argument.value)
        setInput(
            inputs, argument.name,
            residual(run, *argument.value, at, arena, invocation.seesFormer));
  };
  add(run.system.layout.operation(invocation.event).inputs, entity);
  if (invocation.trigger)
    add(invocation.trigger->inputs, invocation.sender);
  add(handler.inputs, entity);
  return inputs;
}

void toscac::plan::forEachQuery(
    const Expr &expr, Function function,
    llvm::function_ref<void(uint32_t, ArrayRef<Expr>)> visit) {
  ArrayRef<Expr> parts = expr.children();
  if (expr.isCall(function) && parts.size() >= 2 && parts[0].isLiteral() &&
      parts[0].value().isInteger())
    visit(parts[0].value().asInteger(), parts.drop_front());
  for (const Expr &part : parts)
    forEachQuery(part, function, visit);
}

Expr toscac::plan::renumber(const Expr &expr, ArrayRef<uint32_t> entities,
                            ValueArena &arena) {
  if (expr.children().empty())
    return expr;
  llvm::SmallVector<Expr, 4> children;
  for (const Expr &child : expr.children())
    children.push_back(renumber(child, entities, arena));
  if (expr.isCall(Function::GetAttribute) || expr.isCall(Function::GetState)) {
    Expr &first = children.front();
    if (first.isLiteral() && first.value().isInteger())
      first =
          Expr::literal(Value::integer(entities[first.value().asInteger()]));
  }
  return withChildren(expr, arena.save(ArrayRef<Expr>(children)));
}
