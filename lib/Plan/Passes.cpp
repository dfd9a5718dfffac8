//===- Passes.cpp - Passes over the steps ---------------------------------===//

#include "Passes.h"

#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>

using namespace toscac;
using namespace toscac::plan;
using llvm::StringRef;

namespace {
struct Pass {
  StringRef name;
  void (*run)(PlanData &);
  unsigned level;
};
} // namespace

static constexpr Pass passes[] = {
#define PASS(NAME, FUNCTION, LEVEL, HELP) {NAME, FUNCTION, LEVEL},
#include "toscac/Plan/Passes.def"
};

bool toscac::plan::isPass(StringRef name) {
  return llvm::any_of(passes,
                      [&](const Pass &pass) { return pass.name == name; });
}

bool toscac::plan::verifySteps(const PlanData &plan) {
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
  return seen.all() && llvm::all_of(plan.run.exclusions.all(), isOfEvents);
}

/// One line for each step: `3 app[0].standard.start <- 1 2?`; a question mark
/// stands for a choice. After `><` come earlier steps that it must not overlap.
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
}

void toscac::plan::runPasses(PlanData &plan, const PlanOptions &options) {
  DiagnosticEngine &diags = plan.system.conditions.diags;
  for (const Pass &pass : passes) {
    if (options.optimization < pass.level)
      continue;
    auto start = std::chrono::steady_clock::now();
    pass.run(plan);
    std::chrono::duration<double> time =
        std::chrono::steady_clock::now() - start;
    if (options.timePasses)
      diags.remark(diag::PassTime, pass.name,
                   llvm::formatv("{0:f3}", time.count()).str());
    if (options.verifyEach && !verifySteps(plan))
      llvm::report_fatal_error(llvm::Twine("pass '") + pass.name +
                               "' broke the plan");
    if (options.printAfter == pass.name && options.passOutput)
      print(plan, pass.name, *options.passOutput);
  }
  assert(verifySteps(plan) && "a pass broke the steps");
}
