//===- Arrivals.cpp - All ways in which an event can be accepted ----------===//

#include "Arrivals.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

static constexpr size_t maxOccasions = 256;

Arrivals::Arrivals(Run &run)
    : run(run), truth(run.system, run.history),
      steps(run.steps, run.system.layout.numEvents()) {
  for (uint32_t i = 0; i != run.sends.size(); ++i)
    sends.push_back({i});
  llvm::stable_sort(sends, [&](SendId a, SendId b) {
    return run.sends[a.index].event < run.sends[b.index].event;
  });
}

ArrayRef<SendId> Arrivals::sendsTo(EventId event) const {
  auto eventOf = [&](SendId id) { return run.sends[id.index].event; };
  auto begin = llvm::partition_point(
      sends, [&](SendId id) { return eventOf(id) < event; });
  auto end = std::partition_point(
      begin, sends.end(), [&](SendId id) { return eventOf(id) == event; });
  return ArrayRef(sends).slice(begin - sends.begin(), end - begin);
}

std::vector<Arrival> Arrivals::arrivalsOf(EventId event) const {
  std::vector<Arrival> result;
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

bool Arrivals::couldHold(TermId id, llvm::SmallVectorImpl<ir::EntityId> &bound,
                         bool wanted) {
  EventSystem &system = run.system;
  const Term &term = system.conditions[id];
  switch (term.kind) {
  case Term::Kind::True:
    return wanted;
  case Term::Kind::False:
    return !wanted;
  case Term::Kind::And:
  case Term::Kind::Or: {
    auto part = [&](TermId child) { return couldHold(child, bound, wanted); };
    bool isAll = (term.kind == Term::Kind::And) == wanted;
    return isAll ? llvm::all_of(system.conditions.childrenOf(term), part)
                 : llvm::any_of(system.conditions.childrenOf(term), part);
  }
  case Term::Kind::Not:
    return couldHold(system.conditions.childrenOf(term).front(), bound,
                     !wanted);
  case Term::Kind::Atom: {
    const Atom &atom = system.conditions.atoms[term.first];
    CellId cell = findCell(system.layout, atom.cell, bound);
    if (!cell)
      return atom.whereNothing == wanted;
    return !intervalsOf(truth, Literal{cell, {term.first}, wanted}).empty();
  }
  case Term::Kind::Static:
  case Term::Kind::General:
  case Term::Kind::Loop:
    return true;
  }
  llvm_unreachable("all kinds are handled");
}

/// Whether the atom is true in one interval only, which ends, if at all, with
/// \p step itself.
bool Arrivals::isPlainAtom(AtomId id, ArrayRef<ir::EntityId> bound,
                           StepId step) {
  const Atom &atom = run.system.conditions.atoms[id.index];
  CellId cell = findCell(run.system.layout, atom.cell, bound);
  if (!cell)
    return true;
  auto intervals = intervalsOf(truth, Literal{cell, id, /*wanted=*/true});
  if (intervals.size() != 1)
    return false;
  WriteId begin = intervals.front().begin, end = intervals.front().end;
  if (begin && run.history.writes[begin.index].isOnEntry())
    return false;
  return !end || run.history.writes[end.index].step == step;
}

bool Arrivals::isPlain(TermId id, llvm::SmallVectorImpl<ir::EntityId> &bound,
                       StepId step) {
  EventSystem &system = run.system;
  const Term &term = system.conditions[id];
  switch (term.kind) {
  case Term::Kind::True:
  case Term::Kind::Static:
    return true;
  case Term::Kind::And:
    return llvm::all_of(system.conditions.childrenOf(term), [&](TermId child) {
      return isPlain(child, bound, step);
    });
  case Term::Kind::Atom:
    return isPlainAtom({term.first}, bound, step);
  case Term::Kind::Loop: {
    const Loop &loop = system.conditions.loops[term.first];
    bool plain = true;
    bound.resize(loop.depth);
    forEachEntity(system.layout, loop.route, bound, [&](ir::EntityId element) {
      bound.resize(loop.depth);
      bound.push_back(element);
      plain = isPlain(loop.body, bound, step);
      bound.resize(loop.depth);
      return plain;
    });
    return plain;
  }
  case Term::Kind::False:
  case Term::Kind::Or:
  case Term::Kind::Not:
  case Term::Kind::General:
    return false;
  }
  llvm_unreachable("all kinds are handled");
}

bool Arrivals::needsCare(EventId event) {
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
  llvm::SmallVector<ir::EntityId, 4> sender{
      layout.entity(at.block->slot, at.row)};
  llvm::SmallVector<ir::EntityId, 4> receiver{layout.entityOf(event)};
  if (accepted.empty())
    return couldHold(at.block->condition, sender, true) &&
           couldHold(precondition, receiver, true);
  return !isPlain(at.block->condition, sender, accepted.front()) ||
         !isPlain(precondition, receiver, accepted.front());
}

TermId Arrivals::conditionOf(const Arrival &arrival,
                             ir::EntityId &sender) const {
  const Layout &layout = run.system.layout;
  if (arrival.rule) {
    RulePlace at = run.system.place(*arrival.rule);
    sender = layout.entity(at.block->slot, at.row);
    return at.block->condition;
  }
  const Send &send = run.sends[arrival.sends.front().index];
  if (!send.isFromWorkflow())
    sender = layout.entityOf(run.event(send.sender));
  const Expr *condition = send.trigger ? send.trigger->condition : nullptr;
  return run.system.conditions.compile(condition, layout.graph.kindOf(sender));
}

void Arrivals::sortBounds(Occasion &occasion) const {
  auto add = [&](WriteId write, llvm::SmallVectorImpl<Bound> &bounds) {
    if (!write)
      return;
    StepId step = run.history.writes[write.index].step;
    bounds.push_back({step ? run.steps.stage(step) : 0, write, step});
  };
  for (const Interval &interval : occasion.intervals) {
    add(interval.begin, occasion.begins);
    add(interval.end, occasion.ends);
  }
  auto byStage = [](const Bound &a, const Bound &b) {
    return a.stage < b.stage;
  };
  llvm::stable_sort(occasion.begins, byStage);
  llvm::stable_sort(occasion.ends, byStage);
}

bool Arrivals::addOccasions(const Arrival &arrival, const Cube &cube,
                            std::vector<Occasion> &occasions) {
  std::vector<Occasion> found{{&arrival, {}}};
  for (const auto *at = cube.begin(); at != cube.end();) {
    const auto *end = std::find_if(at, cube.end(), [&](const Literal &other) {
      return other.cell != at->cell;
    });
    auto intervals = intervalsOf(truth, ArrayRef(at, end));
    if (intervals.empty())
      return true;
    if (intervals.size() > 1) {
      std::vector<Occasion> more;
      for (const Occasion &occasion : found)
        for (const Interval &interval : intervals) {
          more.push_back(occasion);
          more.back().intervals.push_back(interval);
        }
      found = std::move(more);
    } else {
      for (Occasion &occasion : found)
        occasion.intervals.push_back(intervals.front());
    }
    if (found.size() > maxOccasions)
      return false;
    at = end;
  }
  llvm::for_each(found, [&](Occasion &occasion) { sortBounds(occasion); });
  llvm::append_range(occasions, found);
  return true;
}

bool Arrivals::occasionsOf(EventId event, ArrayRef<Arrival> arrivals,
                           std::vector<Occasion> &occasions) {
  ir::EntityId entity = run.system.layout.entityOf(event);
  for (const Arrival &arrival : arrivals) {
    std::vector<Cube> cubes(1);
    ir::EntityId sender = entity;
    TermId condition = conditionOf(arrival, sender);
    if (!conjoin(truth, condition, sender, cubes) ||
        !conjoin(truth, run.system.precondition(event), entity, cubes))
      return false;
    for (const Cube &cube : cubes)
      if (!addOccasions(arrival, cube, occasions))
        return false;
  }
  return true;
}

std::shared_ptr<const Ways> Arrivals::waysOf(EventId event) {
  if (auto known = kept.find(event.index); known != kept.end())
    return known->second;
  auto ways = std::make_shared<Ways>();
  ways->arrivals = arrivalsOf(event);
  ways->areAll = occasionsOf(event, ways->arrivals, ways->occasions);
  if (kept.size() < mostKept)
    kept[event.index] = ways;
  return ways;
}

bool Arrivals::isTakenBy(const Occasion &occasion, StepId step) const {
  uint32_t moment = run.accepted[step.index].writes;
  return llvm::all_of(occasion.intervals, [&](const Interval &interval) {
    return (!interval.begin || interval.begin.index < moment) &&
           (!interval.end || interval.end.index >= moment);
  });
}
