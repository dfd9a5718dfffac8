//===- Deliveries.cpp - All ways in which an event can be accepted --------===//

#include "Deliveries.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// Intervals of the cells of a condition multiply. Beyond, the event is not
/// settled by rules, and other orders are looked at instead.
static constexpr size_t maxWindows = 256;

Deliveries::Deliveries(SymbolicRun &run)
    : run(run), truth(run.system, run.history),
      steps(run.steps, run.system.layout.numEvents()) {
  for (uint32_t i = 0; i != run.sends.size(); ++i)
    sends.push_back({i});
  llvm::stable_sort(sends, [&](SendId a, SendId b) {
    return run.sends[a.index].event < run.sends[b.index].event;
  });
}

ArrayRef<SendId> Deliveries::sendsTo(EventId event) const {
  auto eventOf = [&](SendId id) { return run.sends[id.index].event; };
  auto begin = llvm::partition_point(
      sends, [&](SendId id) { return eventOf(id) < event; });
  auto end = std::partition_point(
      begin, sends.end(), [&](SendId id) { return eventOf(id) == event; });
  return ArrayRef(sends).slice(begin - sends.begin(), end - begin);
}

std::vector<Delivery> Deliveries::deliveriesOf(EventId event) const {
  std::vector<Delivery> result;
  run.system.forEachRuleOf(event,
                           [&](RuleId rule) { result.push_back({rule, {}}); });
  std::optional<size_t> unconditional;
  for (SendId id : sendsTo(event)) {
    const Send &send = run.sends[id.index];
    bool hasCondition = send.trigger && send.trigger->condition;
    if (!hasCondition && unconditional) {
      result[*unconditional].sends.push_back(id);
      continue;
    }
    if (!hasCondition)
      unconditional = result.size();
    result.push_back({std::nullopt, {id}});
  }
  return result;
}

namespace {

/// Whether a condition could be as it is wanted at some time of the run; what
/// is in loops, or left to the evaluator, could.
class PossibleCondition : public ConditionWalk<PossibleCondition, bool> {
public:
  explicit PossibleCondition(TruthOf &truth)
      : ConditionWalk(truth.system.conditions), truth(truth) {}

  bool constant(bool holds) const { return holds; }
  bool other(const Term &, Binding &, bool) const { return true; }
  bool atom(AtomId id, Binding &bound, bool wanted) {
    const Atom &atom = truth.system.conditions.atoms[id.index];
    CellId cell = findCell(truth.system.layout, atom.cell, bound);
    if (!cell)
      return atom.whereNothing == wanted;
    return !intervalsOf(truth, Literal{cell, id, wanted}).empty();
  }
  bool group(const Group &group, Binding &bound) {
    if (group.term.kind == Term::Kind::Loop)
      return true;
    Tally possible;
    forEachPart(group, bound, [&](TermId part) {
      possible.add(toTruth(walk(part, bound, group.wanted)));
      return !possible.decides(group.quorum);
    });
    return possible.worth(group.quorum) == Truth::True;
  }

private:
  TruthOf &truth;
};

/// Whether a condition is true because all of it is, each test in one interval
/// only, which ends, if at all, with a step itself.
class PlainCondition : public ConditionWalk<PlainCondition, bool> {
public:
  PlainCondition(TruthOf &truth, StepId step)
      : ConditionWalk(truth.system.conditions), truth(truth), step(step) {}

  bool constant(bool holds) const { return holds; }
  bool other(const Term &term, Binding &, bool wanted) const {
    return wanted && term.kind == Term::Kind::Static;
  }
  bool atom(AtomId id, Binding &bound, bool wanted) {
    const Atom &atom = truth.system.conditions.atoms[id.index];
    CellId cell = findCell(truth.system.layout, atom.cell, bound);
    if (!wanted || !cell)
      return wanted;
    auto intervals = intervalsOf(truth, Literal{cell, id, /*wanted=*/true});
    if (intervals.size() != 1)
      return false;
    WriteId begin = intervals.front().begin, end = intervals.front().end;
    const std::vector<Write> &writes = truth.history.writes;
    if (begin && writes[begin.index].isOnEntry())
      return false;
    return !end || writes[end.index].step == step;
  }
  bool group(const Group &group, Binding &bound) {
    bool result = group.quorum.isAll() && group.wanted;
    if (result)
      forEachPart(group, bound, [&](TermId part) {
        return result = walk(part, bound, /*wanted=*/true);
      });
    return result;
  }

private:
  TruthOf &truth;
  StepId step;
};

} // namespace

bool Deliveries::needsCare(EventId event) {
  ArrayRef<StepId> accepted = stepsOf(event);
  std::optional<RuleId> only;
  size_t rules = 0;
  run.system.forEachRuleOf(event, [&](RuleId rule) {
    only = rule;
    ++rules;
  });
  if (rules == 0 && sendsTo(event).empty())
    return false;
  if (rules != 1 || !sendsTo(event).empty() || accepted.size() > 1)
    return true;
  const Layout &layout = run.system.layout;
  RulePlace at = run.system.place(*only);
  TermId precondition = run.system.precondition(event);
  ir::EntityId sender = layout.entity(at.block->slot, at.row);
  ir::EntityId receiver = layout.entityOf(event);
  if (accepted.empty()) {
    PossibleCondition could(truth);
    return could.walk(at.block->condition, sender, /*wanted=*/true) &&
           could.walk(precondition, receiver, /*wanted=*/true);
  }
  PlainCondition plain(truth, accepted.front());
  return !plain.walk(at.block->condition, sender, /*wanted=*/true) ||
         !plain.walk(precondition, receiver, /*wanted=*/true);
}

TermId Deliveries::conditionOf(const Delivery &delivery,
                               ir::EntityId &sender) const {
  const Layout &layout = run.system.layout;
  if (delivery.rule) {
    RulePlace at = run.system.place(*delivery.rule);
    sender = layout.entity(at.block->slot, at.row);
    return at.block->condition;
  }
  const Send &send = run.sends[delivery.sends.front().index];
  if (!send.isFromWorkflow())
    sender = layout.entityOf(run.event(send.sender));
  const Expr *condition = send.trigger ? send.trigger->condition : nullptr;
  return run.system.conditions.compile(condition, layout.graph.kindOf(sender));
}

void Deliveries::sortBounds(AcceptanceWindow &window) const {
  auto add = [&](WriteId write, llvm::SmallVectorImpl<Bound> &bounds) {
    if (!write)
      return;
    StepId step = run.history.writes[write.index].step;
    bounds.push_back({step ? run.steps.stage(step) : 0, write, step});
  };
  for (const Interval &interval : window.intervals) {
    add(interval.begin, window.begins);
    add(interval.end, window.ends);
  }
  auto byStage = [](const Bound &a, const Bound &b) {
    return a.stage < b.stage;
  };
  llvm::stable_sort(window.begins, byStage);
  llvm::stable_sort(window.ends, byStage);
}

bool Deliveries::addWindows(const Delivery &delivery,
                            const Conjunction &conjunction,
                            std::vector<AcceptanceWindow> &windows) {
  std::vector<AcceptanceWindow> found{{&delivery, {}}};
  for (const auto *at = conjunction.begin(); at != conjunction.end();) {
    const auto *end =
        std::find_if(at, conjunction.end(), [&](const Literal &other) {
          return other.cell != at->cell;
        });
    auto intervals = intervalsOf(truth, ArrayRef(at, end));
    if (intervals.empty())
      return true;
    if (intervals.size() > 1) {
      std::vector<AcceptanceWindow> more;
      for (const AcceptanceWindow &window : found)
        for (const Interval &interval : intervals) {
          more.push_back(window);
          more.back().intervals.push_back(interval);
        }
      found = std::move(more);
    } else {
      for (AcceptanceWindow &window : found)
        window.intervals.push_back(intervals.front());
    }
    if (found.size() > maxWindows)
      return false;
    at = end;
  }
  llvm::for_each(found, [&](AcceptanceWindow &window) { sortBounds(window); });
  llvm::append_range(windows, found);
  return true;
}

bool Deliveries::windowsOf(EventId event, ArrayRef<Delivery> deliveries,
                           std::vector<AcceptanceWindow> &windows) {
  ir::EntityId entity = run.system.layout.entityOf(event);
  for (const Delivery &delivery : deliveries) {
    std::vector<Conjunction> conjunctions(1);
    ir::EntityId sender = entity;
    TermId condition = conditionOf(delivery, sender);
    if (!conjoin(truth, condition, sender, conjunctions) ||
        !conjoin(truth, run.system.precondition(event), entity, conjunctions))
      return false;
    for (const Conjunction &conjunction : conjunctions)
      if (!addWindows(delivery, conjunction, windows))
        return false;
  }
  return true;
}

std::shared_ptr<const Ways> Deliveries::waysOf(EventId event) {
  if (auto known = kept.find(event.index); known != kept.end())
    return known->second;
  auto ways = std::make_shared<Ways>();
  ways->deliveries = deliveriesOf(event);
  ways->areAll = windowsOf(event, ways->deliveries, ways->windows);
  if (kept.size() < mostKept)
    kept[event.index] = ways;
  return ways;
}

bool Deliveries::isTakenBy(const AcceptanceWindow &window, StepId step) const {
  uint32_t moment = run.accepted[step.index].writes;
  return llvm::all_of(window.intervals, [&](const Interval &interval) {
    return (!interval.begin || interval.begin.index < moment) &&
           (!interval.end || interval.end.index >= moment);
  });
}
