//===- Verify.cpp - Every order of completion -----------------------------===//

#include "Verify.h"

#include "NeverReady.h"
#include "Search.h"
#include "Story.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// Steps of \p run before \p end and not before \p begin.
static size_t countSteps(const Run &run, uint32_t begin, uint32_t end) {
  size_t count = 0;
  for (uint32_t i = begin; i != end; ++i)
    count += !run.steps.isJoin({i});
  return count;
}

/// The number of states that were seen; none, after a report, unless all orders
/// do the same.
static std::optional<size_t> verifyPart(const Start &start, const Run &run,
                                        Part part, uint64_t limit) {
  DiagnosticEngine &diags = run.system.conditions.diags;
  std::string problem;
  std::optional<GroundSystem> system = ground(start, run, part, problem);
  if (!system) {
    diags.report({}, diag::OrdersNotExplored, problem);
    return std::nullopt;
  }
  if (findNeverReady(*system, run))
    return std::nullopt;
  Search search(*system, run.system.layout, limit);
  uint32_t boundary = run.later ? run.later->steps : run.steps.size();
  switch (search.search()) {
  case Search::Verdict::Same:
    return search.numStates();
  case Search::Verdict::Unfinished:
    diags.report({}, diag::VerifyLimit, search.numStates(), search.depth,
                 part == Part::First
                     ? countSteps(run, 0, boundary)
                     : countSteps(run, boundary, run.steps.size()));
    return std::nullopt;
  case Search::Verdict::Breaks:
  case Search::Verdict::Differs:
  case Search::Verdict::Endless:
    tell(search.acts, search.schedule(), run.system, /*isRefused=*/true);
    return std::nullopt;
  }
  llvm_unreachable("all verdicts are handled");
}

void toscac::plan::verifyOrders(const Start &start, const Run &run,
                                uint64_t limit) {
  std::optional<size_t> states = verifyPart(start, run, Part::First, limit);
  if (states && start.hasLater()) {
    size_t first = *states;
    states = verifyPart(start, run, Part::Later, limit);
    if (states)
      *states += first;
  }
  if (states)
    run.system.conditions.diags.remark(
        diag::OrdersVerified, countSteps(run, 0, run.steps.size()), *states);
}
