//===- Verify.cpp - Every order of completion -----------------------------===//

#include "Verify.h"

#include "DescribeSchedule.h"
#include "NeverAccepted.h"
#include "Representatives.h"
#include "Search.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// Steps of \p run before \p end and not before \p begin.
static size_t countSteps(const SymbolicRun &run, uint32_t begin, uint32_t end) {
  size_t count = 0;
  for (uint32_t i = begin; i != end; ++i)
    count += !run.steps.isJoin({i});
  return count;
}

/// The number of states that were seen; none, after a report, unless all orders
/// do the same.
static std::optional<size_t> verifyPart(const Start &start,
                                        const SymbolicRun &run, Part part,
                                        uint64_t limit) {
  Represented represented = represent(start, run, part);
  if (represented.states)
    return represented.states;
  DiagnosticEngine &diags = run.system.conditions.diags;
  std::string problem;
  std::optional<GroundSystem> system = std::move(represented.system);
  if (!system)
    system = ground(start, run, part, problem);
  if (!system) {
    diags.report({}, diag::OrdersNotExplored, problem);
    return std::nullopt;
  }
  // What one outcome leaves out, another one may want.
  if (!run.outcome && findNeverAccepted(*system, run))
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
    reportSchedule(search.interpreter, search.schedule(), run.system,
                   /*isRefused=*/true);
    return std::nullopt;
  }
  llvm_unreachable("all verdicts are handled");
}

std::optional<size_t> toscac::plan::findStates(const Start &start,
                                               const SymbolicRun &run,
                                               uint64_t limit) {
  std::optional<size_t> states = verifyPart(start, run, Part::First, limit);
  if (!states || !start.hasLater())
    return states;
  std::optional<size_t> later = verifyPart(start, run, Part::Later, limit);
  if (later)
    *later += *states;
  return later;
}

/// Says which promises of machines were held against every order.
static void tellPromises(const SymbolicRun &run) {
  const Layout &layout = run.system.layout;
  llvm::MapVector<llvm::StringRef, std::vector<std::string>> kept;
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    for (const ir::Promise &promise : layout.machine({i}).promises) {
      bool isGoal = promise.kind == ir::Promise::Kind::Goal;
      bool isMeant = !isGoal || promise.name == layout.graph.goal.workflow;
      std::string name = ("'" + llvm::Twine(isGoal ? "goal." : "always.") +
                          promise.name.str() + "'")
                             .str();
      std::vector<std::string> &names =
          kept[layout.machine({i}).interface.str()];
      if (isMeant && layout.slots[i].rows > 0 &&
          !llvm::is_contained(names, name))
        names.push_back(name);
    }
  // What a template adds comes last, and is asked for first.
  constexpr size_t maxNamed = 3;
  std::string text;
  for (auto &[interface, names] : kept) {
    if (names.empty())
      continue;
    size_t hidden = names.size() - std::min(names.size(), maxNamed);
    std::reverse(names.begin(), names.end());
    names.resize(names.size() - hidden);
    text += (text.empty() ? "" : ", ") + llvm::join(names, ", ") +
            (hidden ? " and " + std::to_string(hidden) + " more" : "") +
            " of interface '" + interface.str() + "'";
  }
  if (!text.empty())
    run.system.conditions.diags.remark(diag::PromisesVerified, text);
}

/// Says which nodes have machines for intents, and are moved by nothing: of
/// these, nothing was proved.
static void tellUnmoved(const Start &start, const SymbolicRun &run) {
  const Layout &layout = run.system.layout;
  const ir::Graph &graph = layout.graph;
  llvm::BitVector moved(graph.numEntities());
  for (ArrayRef<CellGoal> goals :
       {ArrayRef(start.goals), ArrayRef(start.laterGoals)})
    for (const CellGoal &goal : goals) {
      CellPlace at = layout.place(goal.desired);
      moved.set(layout.entity(at.slot, at.row).index);
    }
  for (uint32_t i = 0; i != run.steps.size(); ++i)
    if (!run.steps.isJoin({i}))
      moved.set(layout.entityOf(run.event({i})).index);
  auto hasIntents = [&](ir::EntityId entity) {
    return llvm::any_of(layout.slotsOf(entity).ids(), [&](SlotId slot) {
      return !layout.machine(slot).intents.empty();
    });
  };
  std::string first;
  size_t count = 0;
  for (uint32_t i = 0; i != graph.numNodes(); ++i) {
    ir::EntityId entity = graph.entity(ir::NodeId{i});
    bool stays =
        graph.hasRecorded && graph.presenceOf(entity) == ir::Presence::Kept;
    if (stays || moved.test(entity.index) || !hasIntents(entity))
      continue;
    if (count++ == 0)
      first = graph.nameOf(entity);
  }
  if (count)
    run.system.conditions.diags.remark(diag::VerifiedUnmoved, count, first);
}

void toscac::plan::verifyOrders(const Start &start, const SymbolicRun &run,
                                uint64_t limit) {
  // Each outcome is looked at when the plan is made.
  if (!run.system.hasLateCells) {
    std::optional<size_t> states = findStates(start, run, limit);
    if (!states)
      return;
    run.system.conditions.diags.remark(
        diag::OrdersVerified, countSteps(run, 0, run.steps.size()), *states);
    tellPromises(run);
  }
  tellUnmoved(start, run);
}
