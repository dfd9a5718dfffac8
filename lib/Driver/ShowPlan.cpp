//===- ShowPlan.cpp - Plans for people ------------------------------------===//

#include "Emit.h"
#include "toscac/Basic/DiagnosticsRun.h"
#include "toscac/Plan/PrintPlan.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using llvm::raw_ostream;
using planfile::ShownSteps;

static llvm::Error show(planfile::Plan &plan, EmitKind kind,
                        const DriverOptions &options,
                        const planfile::ViewOptions &view, raw_ostream &os) {
  if (kind == EmitKind::Diff) {
    viewPlan(plan, view, os);
    return llvm::Error::success();
  }
  if (kind == EmitKind::PlanText)
    return printPlan(
        plan, options.plan.allSteps ? ShownSteps::All : ShownSteps::Calls, os);
  return options.format == PictureFormat::Dot ? drawPlanAsDot(plan, os)
                                              : drawPlanAsMermaid(plan, os);
}

int toscac::showPlan(planfile::Plan &plan, EmitKind kind,
                     const DriverOptions &options,
                     const planfile::ViewOptions &view, Output &output,
                     DiagnosticEngine &diags) {
  auto print = [&](raw_ostream &os) {
    if (llvm::Error error = show(plan, kind, options, view, os))
      diags.report({}, diag::CannotReadFile, options.inputs.front(),
                   llvm::toString(std::move(error)));
  };
  return output.write(print, diags);
}
