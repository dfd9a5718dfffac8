//===- RunPasses.cpp - From the run to the plan ---------------------------===//
///
/// \file
/// The one place that runs, times, prints and verifies passes. It lies beside
/// the rooms because passes come from several of them.
///
//===----------------------------------------------------------------------===//

#include "RunPasses.h"

#include "Failure/FailureExclusions.h"
#include "Failure/FailureSteps.h"
#include "Hazards/Hazards.h"
#include "Lower/Simulate.h"
#include "Passes/DataFlow.h"
#include "Passes/Passes.h"
#include "Passes/Refinement.h"
#include "Steps/Guards.h"
#include "Verify/Outcomes.h"
#include "Verify/Unavailable.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "toscac/Plan/PassTimer.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::StringRef;

/// False after a report.
static bool checkEachOutcome(PlanData &plan) {
  auto simulateAgain = [&](SymbolicRun &run) {
    return simulate(plan.start, plan.options.maxRepeats, run,
                    [] { return true; });
  };
  auto look = [&](const SymbolicRun &run, StringRef given) {
    return lookAtOutcome(plan.start, run, given);
  };
  checkOutcomes(plan, {simulateAgain, look, plan.areOrdersOpen,
                       plan.options.verifyLimit});
  return !plan.system.conditions.diags.hasErrors();
}

namespace {
struct Pass {
  StringRef name;
  bool (*run)(PlanData &);
  unsigned level;
};
} // namespace

static bool apply(void (*pass)(PlanData &), PlanData &plan) {
  pass(plan);
  return true;
}

static bool apply(bool (*pass)(PlanData &), PlanData &plan) {
  return pass(plan);
}

static constexpr Pass passes[] = {
#define PASS(NAME, FUNCTION, LEVEL, HELP)                                      \
  {NAME, [](PlanData &plan) { return apply(FUNCTION, plan); }, LEVEL},
#include "toscac/Plan/Passes.def"
};

llvm::ArrayRef<llvm::StringLiteral> toscac::plan::passNames() {
  static constexpr llvm::StringLiteral names[] = {
#define PASS(NAME, FUNCTION, LEVEL, HELP) NAME,
#include "toscac/Plan/Passes.def"
  };
  return names;
}

/// Checks what passes may break: steps wait for earlier ones, each once, and
/// every step of the run is there, except those that only wait. Exclusions are
/// of steps of the run that do something. Failure steps are numbered on.
static bool verifySteps(const PlanData &plan) {
  auto isOfEvents = [&](const Exclusion &pair) {
    return pair.earlier < pair.later &&
           pair.later.index < plan.run.steps.size() &&
           !plan.run.steps.isJoin(pair.earlier) &&
           !plan.run.steps.isJoin(pair.later);
  };
  llvm::BitVector seen(plan.run.steps.size());
  for (uint32_t i = 0; i != plan.run.steps.size(); ++i)
    if (plan.run.steps.isJoin({i}))
      seen.set(i);
  for (uint32_t i = 0; i != plan.steps.size(); ++i) {
    llvm::ArrayRef<Dep> deps = plan.steps.deps({i});
    for (size_t d = 0; d != deps.size(); ++d)
      if (deps[d].step() >= StepId{i} ||
          (d && deps[d - 1].step() >= deps[d].step()))
        return false;
    StepId origin = plan.origins[i];
    if (!origin || plan.steps.isJoin({i}))
      continue;
    if (seen.test(origin.index))
      return false;
    seen.set(origin.index);
  }
  uint32_t next = plan.steps.size();
  auto isLater = [&](const FailureStep &step) {
    uint32_t own = next++;
    return step.after.index < plan.steps.size() && llvm::is_sorted(step.deps) &&
           (step.deps.empty() || step.deps.back() < own);
  };
  return seen.all() && llvm::all_of(plan.run.exclusions.all(), isOfEvents) &&
         llvm::all_of(plan.failureSteps, isLater);
}

/// One line for each step: `3 app[0].standard.start <- 1 2?`; a question mark
/// stands for a choice. After `><` come earlier steps that it must not overlap,
/// after `!` the step whose failure a failure step follows.
static void print(const PlanData &plan, StringRef pass, llvm::raw_ostream &os) {
  Exclusions exclusions = exclusionsOf(plan);
  os << "after " << pass << ":\n";
  for (uint32_t i = 0; i != plan.steps.size(); ++i) {
    os << "  " << i << ' '
       << (plan.steps.isJoin({i}) ? "join" : plan.nameOf(StepId{i}));
    StringRef arrow = " <-";
    for (Dep dep : plan.steps.deps({i})) {
      os << arrow << ' ' << dep.step().index << (dep.isChoice() ? "?" : "");
      arrow = "";
    }
    StringRef mark = " ><";
    for (const Exclusion &pair : exclusions.of({i})) {
      os << mark << ' ' << pair.earlier.index;
      mark = "";
    }
    os << '\n';
  }
  uint32_t id = plan.steps.size();
  for (const FailureStep &step : plan.failureSteps) {
    os << "  " << id++ << ' ' << plan.nameOf(step) << " ! " << step.after.index;
    StringRef arrow = " <-";
    for (uint32_t dep : step.deps) {
      os << arrow << ' ' << dep;
      arrow = "";
    }
    os << '\n';
  }
}

bool toscac::plan::runPasses(PlanData &plan) {
  const PlanOptions &options = plan.options;
  DiagnosticEngine &diags = plan.system.conditions.diags;
  for (const Pass &pass : passes) {
    if (options.optimization < pass.level)
      continue;
    bool goesOn = [&] {
      PassTimer timer(options.timePasses, pass.name, diags);
      return pass.run(plan);
    }();
    if (!goesOn)
      return false;
    if (options.verifyEach && !verifySteps(plan))
      llvm::report_fatal_error(llvm::Twine("pass '") + pass.name +
                               "' broke the plan");
    if (options.printAfter == pass.name && options.passOutput)
      print(plan, pass.name, *options.passOutput);
  }
  assert(verifySteps(plan) && "a pass broke the steps");
  return true;
}
