//===- StepInputs.h - What a step's handlers are given ----------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_STEPINPUTS_H
#define TOSCAC_LIB_PLAN_STEPINPUTS_H

#include "SymbolicRun.h"

namespace toscac::plan {

/// An input of a handler: a literal, or what remains to be evaluated, with
/// absolute paths.
struct StepInput {
  Name name;
  const Expr *value;
};

/// An event, and who sent it.
struct Invocation {
  EventId event;
  /// Null: the workflow sent it.
  const ir::Trigger *trigger;
  ir::EntityId sender;
  /// It belongs to taking down: properties are those from before.
  bool seesFormer = false;

  bool hasInputs() const { return trigger && !trigger->inputs.empty(); }
};
Invocation invocationOf(const SymbolicRun &run, StepId step);
/// What \p event is given when \p sender, which has been accepted, sends it by
/// \p trigger. An event of a service passes its own inputs on.
Invocation sentBy(const Invocation &sender, const ir::Trigger &trigger,
                  EventId event, EventSystem &system);

/// The inputs of \p handler when \p invocation is accepted: those of the
/// operation, as the sender of the event gives them or else as defined, then
/// the handler's own. Values live in \p arena.
llvm::SmallVector<StepInput, 4> inputsOf(const SymbolicRun &run,
                                         const Invocation &invocation,
                                         const ir::Handler &handler,
                                         ValueArena &arena);

/// Whether inputs of \p operation are literals, unless a sender gives others.
bool hasFixedInputs(const ir::Operation &operation);

/// \p expr as \p entity sees it at the end: a cell that no step writes is
/// known, all else that the run decides is not. \p seesFormer: properties are
/// those from before an update.
const Expr *residual(const SymbolicRun &run, const Expr &expr,
                     ir::EntityId entity, ValueArena &arena,
                     bool seesFormer = false);

/// Visits what \p expr asks of entities with \p function: the entity and the
/// rest of the path.
void forEachQuery(
    const Expr &expr, Function function,
    llvm::function_ref<void(uint32_t, llvm::ArrayRef<Expr>)> visit);

/// \p expr with the numbers of entities in its paths replaced by those in
/// \p entities.
Expr renumber(const Expr &expr, llvm::ArrayRef<uint32_t> entities,
              ValueArena &arena);

} // namespace toscac::plan

#endif
