//===- PlainSteps.cpp - Steps that are a script and no more ---------------===//

#include "PlainSteps.h"

#include "StepNames.h"
#include "toscac/Basic/Diagnostics.h"

using namespace toscac;
using llvm::StringRef;
using planfile::Plan;
using planfile::Step;
using planfile::StepHandler;

/// Whether no function is called in \p expr.
static bool isConstant(const Expr &expr) {
  return expr.isLiteral() ||
         (expr.kind() != ExprKind::Call && expr.kind() != ExprKind::Variable &&
          llvm::all_of(expr.children(), isConstant));
}

static bool isKnown(const Expr *expr) { return !expr || isConstant(*expr); }

static bool isPlainCall(const Step &step) {
  auto isPlainHandler = [](const StepHandler &handler) {
    return isKnown(handler.inputs) && handler.outputs.empty() &&
           handler.host == planfile::none;
  };
  return !step.guard && step.timeout == 0 && step.retries == 0 &&
         isKnown(step.entry) && isKnown(step.success) &&
         isKnown(step.failure) && llvm::all_of(step.handlers, isPlainHandler);
}

/// Whether a part of \p value is known to the run alone.
static bool asksRun(const Value &value) {
  if (value.isList())
    return llvm::any_of(value.items(), asksRun);
  return value.isMap() &&
         llvm::any_of(value.entries(), [](const MapEntry &entry) {
           return entry.key == Value::string("$get_state") ||
                  entry.key == Value::string("$get_input") ||
                  asksRun(entry.value);
         });
}

std::optional<bool> emit::isPlain(Plan &plan, DiagnosticEngine &diags) {
  bool isPlain =
      plan.steps().size() == plan.numSteps() &&
      !StringRef(plan.header().values).contains("\"$get_input\"") &&
      llvm::none_of(plan.steps(),
                    [](const planfile::StepHead &head) { return head.isLate; });
  bool isRead = eachCall(plan, diags, [&](const Step &step) {
    isPlain = isPlain && isPlainCall(step);
  });
  // A script gets the properties of its entity, which may name a cell.
  for (uint32_t id = 0; isRead && isPlain && id < plan.numEntities(); ++id) {
    ValueArena arena;
    NameTable names;
    JSONReader json(arena, names);
    llvm::Expected<state::PlannedEntity> entity = plan.entity(id, json, arena);
    isPlain = entity && !asksRun(entity->content.properties) &&
              !asksRun(entity->content.attributes) && !asksRun(entity->former);
    llvm::consumeError(entity.takeError());
  }
  return isRead ? std::optional(isPlain) : std::nullopt;
}
