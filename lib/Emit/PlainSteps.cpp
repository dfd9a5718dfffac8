//===- PlainSteps.cpp - Steps that are a script and no more ---------------===//

#include "PlainSteps.h"

#include "StepNames.h"
#include "toscac/Basic/Diagnostics.h"

using namespace toscac;
using llvm::StringRef;
using planfile::PlanFile;
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
    return isKnown(handler.inputs) && handler.outputs.empty();
  };
  return !step.guard && step.timeout == 0 && step.retries == 0 &&
         isKnown(step.entry) && isKnown(step.success) &&
         isKnown(step.failure) && llvm::all_of(step.handlers, isPlainHandler);
}

std::optional<bool> emit::isPlain(PlanFile &plan, DiagnosticEngine &diags) {
  bool isPlain =
      plan.steps().size() == plan.numSteps() &&
      !StringRef(plan.header().values).contains("\"$get_input\"") &&
      llvm::none_of(plan.steps(),
                    [](const planfile::StepHead &head) { return head.isLate; });
  bool isRead = eachCall(plan, diags, [&](const Step &step) {
    isPlain = isPlain && isPlainCall(step);
  });
  // A script is told the properties of its entity, which may name a cell.
  for (uint32_t id = 0; isRead && isPlain && id < plan.numEntities(); ++id) {
    llvm::Expected<StringRef> line = plan.entityLine(id);
    isPlain = line && !line->contains("\"$get_state\"") &&
              !line->contains("\"$get_input\"");
    llvm::consumeError(line.takeError());
  }
  return isRead ? std::optional(isPlain) : std::nullopt;
}
