//===- FailureDataFlow.cpp - What failure steps read ----------------------===//

#include "FailureLowering.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::StringRef;

static bool writesAttribute(const ir::Operation &operation,
                            StringRef attribute) {
  auto fits = [&](const ir::OutputMapping &output) {
    return output.target.size() >= 2 && output.target[1].str() == attribute;
  };
  return llvm::any_of(operation.outputs, fits) ||
         llvm::any_of(operation.handlers, [&](const ir::Handler &handler) {
           return llvm::any_of(handler.outputs, fits);
         });
}

/// A step of the plan that may be writing it still; none if one has done so
/// before the failure, or none ever will.
std::optional<uint32_t> FailureLowering::openWriterOf(ir::EntityId entity,
                                                      StringRef attribute) {
  std::optional<uint32_t> found;
  for (SlotId slot : layout.slotsOf(entity).ids()) {
    uint32_t row = layout.rowOf(slot, entity);
    for (auto [i, operation] :
         llvm::enumerate(layout.machine(slot).operations)) {
      if (!writesAttribute(operation, attribute))
        continue;
      for (StepId step : eventSteps.of(layout.event(slot, row, i))) {
        if (step == failed || order.isBefore(failed, step))
          continue;
        if (order.isBefore(step, failed))
          return std::nullopt;
        found = std::min(found.value_or(step.index), step.index);
      }
    }
  }
  return found;
}

/// The last failure step before that writes an attribute which is read; else a
/// step of the plan.
void FailureLowering::addDataDeps(FailureStep &reader) {
  auto wait = [&](uint32_t entity, ArrayRef<Expr> path) {
    if (!path[0].isLiteral() || !path[0].value().isString())
      return;
    StringRef attribute = path[0].value().asString();
    for (uint32_t i = numSteps(); i-- != 0;) {
      EventId event = step(i).invocation.event;
      if (layout.entityOf(event).index == entity &&
          writesAttribute(layout.operation(event), attribute)) {
        reader.deps.push_back(plan.steps.size() + first + i);
        return;
      }
    }
    if (auto writer = openWriterOf({entity}, attribute))
      reader.deps.push_back(*writer);
  };
  ValueArena arena;
  for (const ir::Handler &handler :
       layout.operation(reader.invocation.event).handlers)
    for (const StepInput &input :
         inputsOf(plan.run, reader.invocation, handler, arena))
      forEachQuery(*input.value, Function::GetAttribute, wait);
}
