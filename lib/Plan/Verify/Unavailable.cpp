//===- Unavailable.cpp - How many are down at once ------------------------===//
///
/// \file
/// An instance is down from the step that takes it from where its intent wants
/// it, until the one that brings it back; while its properties are taken over,
/// it counts as down, too. Of two such intervals one is over before the other
/// begins only if the plan orders the end of the one before the beginning of
/// the other. Where that orders intervals in chains, no more of them are open
/// at once than there are chains; and intervals of which no two are ordered can
/// all be open: their beginnings wait for none of their ends.
///
//===----------------------------------------------------------------------===//

#include "Unavailable.h"

#include "Steps/PlanOrder.h"
#include "toscac/Basic/DiagnosticsPlan.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

struct Interval {
  ir::NodeId node;
  /// Steps of the plan. No beginning: it is down before the plan begins; no
  /// end: it stays so.
  StepId begin, end;
};

/// Intervals that follow each other. Several at once of one node count as one.
struct Chain {
  ir::NodeId node;
  llvm::SmallVector<StepId, 1> ends;
};

class UnavailableCheck {
public:
  explicit UnavailableCheck(const PlanData &plan)
      : plan(plan), layout(plan.system.layout), graph(plan.graph()),
        order(plan) {}

  bool check(bool tells);

private:
  void addDown(ir::NodeId node, SlotId slot, const ir::Intent &intent,
               std::vector<Interval> &intervals);
  void collectUpdates();
  std::vector<Interval> intervalsOf(const ir::NodeClass &own);
  bool check(const ir::NodeClass &own, bool tells);

  const PlanData &plan;
  const Layout &layout;
  const ir::Graph &graph;
  PlanOrder order;
  /// By node: steps that let it take over its properties.
  llvm::DenseMap<uint32_t, llvm::SmallVector<StepId, 1>> updates;
};

} // namespace

void UnavailableCheck::addDown(ir::NodeId node, SlotId slot,
                               const ir::Intent &intent,
                               std::vector<Interval> &intervals) {
  const History &history = plan.run.history;
  CellId cell =
      layout.cell(slot, layout.rowOf(slot, graph.entity(node)), intent.goal);
  auto isUp = [&](ValueId value) {
    return value != atRunTime && plan.system.values[value] == intent.value;
  };
  bool wasUp = isUp(history.initial(cell));
  StepId begin;
  for (WriteId id : history.writesTo(cell)) {
    const Write &write = history.writes[id.index];
    bool isUpNow = isUp(write.value) && !write.isOnEntry();
    if (wasUp && !isUpNow)
      begin = order.inPlan(write.step);
    else if (!wasUp && isUpNow)
      intervals.push_back({node, begin, order.inPlan(write.step)});
    wasUp = isUpNow;
  }
  if (!wasUp)
    intervals.push_back({node, begin, StepId()});
}

void UnavailableCheck::collectUpdates() {
  for (uint32_t i = 0; i != plan.steps.size(); ++i) {
    if (plan.steps.isJoin({i}))
      continue;
    EventPlace at = layout.place(EventId{plan.steps.event({i})});
    ir::EntityId entity = layout.entity(at.slot, at.row);
    if (graph.isNode(entity) &&
        layout.machine(at.slot).roles.updateOperation == at.operation)
      updates[entity.index].push_back({i});
  }
}

std::vector<Interval> UnavailableCheck::intervalsOf(const ir::NodeClass &own) {
  std::vector<Interval> intervals;
  for (ir::NodeId node : own.nodes.ids()) {
    ir::Presence presence = graph.presenceOf(node);
    if (presence == ir::Presence::New || presence == ir::Presence::Leaving)
      continue;
    for (StepId step : updates.lookup(node.index))
      intervals.push_back({node, step, step});
    for (SlotId slot : layout.slotsOf(graph.entity(node)).ids())
      for (const ir::Intent &intent : layout.machine(slot).intents)
        if (intent.way == ir::Intent::Way::Up)
          addDown(node, slot, intent, intervals);
  }
  llvm::stable_sort(intervals, [](const Interval &a, const Interval &b) {
    if (!a.begin || !b.begin)
      return !a.begin && b.begin;
    return a.begin < b.begin;
  });
  return intervals;
}

bool UnavailableCheck::check(const ir::NodeClass &own, bool tells) {
  std::vector<Interval> intervals = intervalsOf(own);
  std::vector<Chain> chains;
  // What is down already cannot be helped, and one at a time has to be changed.
  uint32_t downAtFirst = 0, stuck = 0;
  for (const Interval &each : intervals) {
    downAtFirst += !each.begin;
    stuck += !each.end;
  }
  uint32_t allowed = std::max({*own.maxUnavailable, downAtFirst, stuck + 1});
  for (const Interval &next : intervals) {
    auto same = llvm::find_if(
        chains, [&](const Chain &chain) { return chain.node == next.node; });
    if (same != chains.end()) {
      same->ends.push_back(next.end);
      continue;
    }
    auto over = llvm::find_if(chains, [&](const Chain &chain) {
      return llvm::all_of(chain.ends, [&](StepId end) {
        return end && next.begin && order.isBefore(end, next.begin);
      });
    });
    // What was used last is likely to be over last.
    if (over != chains.end())
      chains.erase(over);
    chains.push_back({next.node, {next.end}});
    if (chains.size() <= allowed)
      continue;
    plan.system.conditions.diags.report(
        own.range, diag::TooManyDown, own.name.str(), uint32_t(chains.size()),
        allowed, graph.nameOf(chains.front().node), graph.nameOf(next.node));
    return false;
  }
  if (tells && !intervals.empty())
    plan.system.conditions.diags.remark(diag::UnavailableProved, own.name.str(),
                                        uint32_t(chains.size()),
                                        own.nodes.count);
  return true;
}

bool UnavailableCheck::check(bool tells) {
  collectUpdates();
  return llvm::all_of(graph.nodeClasses, [&](const ir::NodeClass &own) {
    return !own.maxUnavailable || check(own, tells);
  });
}

bool toscac::plan::checkUnavailable(PlanData &plan) {
  if (llvm::none_of(plan.graph().nodeClasses, [](const ir::NodeClass &own) {
        return own.maxUnavailable.has_value();
      }))
    return true;
  return UnavailableCheck(plan).check(plan.options.verifyLimit.has_value());
}
