//===- FailureExclusions.cpp - What a failure keeps from starting ---------===//
///
/// \file
/// What a step writes when it fails, and what its failure steps write, is no
/// part of the symbolic run. A step whose condition it may make false, be it
/// together with other failures, and that nothing orders against the failed
/// one, excludes it: so it has ended before, or does not start any more.
///
//===----------------------------------------------------------------------===//

#include "FailureExclusions.h"

#include "Steps/EventSteps.h"
#include "Steps/StartValues.h"
#include "Steps/StepConditions.h"
#include "System/ReverseWalk.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

class FailureExcluder {
public:
  explicit FailureExcluder(PlanData &plan)
      : plan(plan), run(plan.run), system(plan.system), layout(system.layout),
        order(plan), values(run, order),
        stepsOf(run.steps, layout.numEvents()) {}

  void exclude();

private:
  void addWrites(EventId event, ArrayRef<ir::Set> sets);
  void addReaders(CellId cell, ValueId value);
  /// Notes the failure of a step of the plan; \p next is its first failure
  /// step, and then the one after its last.
  void addFailure(uint32_t step, size_t &next);
  /// Whether \p reader may start after these failures, be it all of them.
  bool areHarmless(StepId reader, ArrayRef<uint32_t> together);
  void excludeFrom(StepId reader, ArrayRef<uint32_t> unclear);

  /// How a condition depends on its tests.
  struct Tests {
    /// Atoms that decide alone: unless the atom is as said here, the condition
    /// is false.
    llvm::DenseMap<uint32_t, bool> needed;
    /// Atoms of which the condition says something else, too.
    llvm::DenseSet<uint32_t> other;
  };
  const Tests &testsOf(TermId term);
  void addNeeded(TermId term, bool wanted, Tests &tests) const;
  /// What writing \p value to a cell that \p watch reads does to \p term.
  enum class Effect { None, Wrong, Unclear };
  Effect effectOf(const Watch &watch, ValueId value, TermId term);

  PlanData &plan;
  SymbolicRun &run;
  EventSystem &system;
  const Layout &layout;
  PlanOrder order;
  StartValues values;
  EventSteps stepsOf;
  struct Failure {
    StepId step;
    llvm::SmallVector<std::pair<CellId, ValueId>, 2> writes = {};
    /// All that it writes is in `writes`.
    bool isKnown = true;
  };
  std::vector<Failure> failures;
  /// Those that read what the last failure writes: whether each certainly finds
  /// something wrong.
  llvm::MapVector<uint32_t, bool> readers;
  /// By reader: failures that may make its conditions false.
  llvm::MapVector<uint32_t, std::vector<uint32_t>> unclear;
  /// What failures that are looked at together write.
  StartValues::MoreValues written;
  std::vector<std::pair<StepId, StepId>> found;
  llvm::DenseMap<uint32_t, Tests> tests;
};

} // namespace

void FailureExcluder::addNeeded(TermId id, bool wanted, Tests &into) const {
  const Conditions &conditions = system.conditions;
  const Term &term = conditions[id];
  auto addOthers = [&] {
    conditions.visitReads(
        id, [&](AtomId atom, bool) { into.other.insert(atom.index); },
        [](const CellRef &) {}, wanted);
  };
  switch (term.kind) {
  case Term::Kind::Atom:
    if (!into.needed.try_emplace(term.first, wanted).second)
      into.other.insert(term.first);
    return;
  case Term::Kind::Not:
    return addNeeded(conditions.childrenOf(term).front(), !wanted, into);
  case Term::Kind::And:
  case Term::Kind::Or:
    if ((term.kind == Term::Kind::And) != wanted && term.count > 1)
      return addOthers();
    for (TermId part : conditions.childrenOf(term))
      addNeeded(part, wanted, into);
    return;
  case Term::Kind::Loop: {
    const Loop &loop = conditions.loops[term.first];
    Quorum quorum = wanted ? loop.quorum : loop.quorum.negated();
    return loop.more || !quorum.isAll() ? addOthers()
                                        : addNeeded(loop.body, wanted, into);
  }
  default:
    return;
  }
}

const FailureExcluder::Tests &FailureExcluder::testsOf(TermId term) {
  auto [at, isNew] = tests.try_emplace(term.index);
  if (isNew)
    addNeeded(term, /*wanted=*/true, at->second);
  return at->second;
}

FailureExcluder::Effect FailureExcluder::effectOf(const Watch &watch,
                                                  ValueId value, TermId term) {
  // Where entities leave, conditions are asked without them later on.
  if (!watch.atom || !value || plan.start.hasLater())
    return Effect::Unclear;
  const Tests &all = testsOf(term);
  auto needed = all.needed.find(watch.atom->index);
  if (needed == all.needed.end() || all.other.contains(watch.atom->index))
    return Effect::Unclear;
  Atom &atom = system.conditions.atoms[watch.atom->index];
  return system.conditions.test(atom, value) == needed->second ? Effect::None
                                                               : Effect::Wrong;
}

void FailureExcluder::addWrites(EventId event, ArrayRef<ir::Set> sets) {
  EventPlace at = layout.place(event);
  for (const ir::Set &set : sets) {
    CellId cell = layout.cell(at.slot, at.row, set.cell);
    ValueId value = system.valueOf(set, layout.entity(at.slot, at.row),
                                   [](CellId) { return nullptr; });
    if (value)
      failures.back().writes.emplace_back(cell, value);
    failures.back().isKnown &= bool(value);
    addReaders(cell, value);
  }
}

void FailureExcluder::addReaders(CellId cell, ValueId value) {
  CellPlace at = layout.place(cell);
  ir::EntityId entity = layout.entity(at.slot, at.row);
  for (uint32_t number : system.watchesOf(at.slot, at.cell)) {
    const Watch &watch = system.watches[number];
    auto addSteps = [&](EventId event, TermId term,
                        std::optional<RuleId> rule) {
      ArrayRef<StepId> steps = stepsOf.of(event);
      Effect effect =
          steps.empty() ? Effect::None : effectOf(watch, value, term);
      if (effect != Effect::None)
        for (StepId step : steps)
          if (!rule || (run.causes[step.index].rule() == rule &&
                        !run.firedBefore.contains(step.index)))
            readers[step.index] |= effect == Effect::Wrong;
    };
    forEachOrigin(
        layout.graph, entity, watch.fromSelf, watch.self,
        [&](ir::EntityId owner) {
          system.forEachReader(
              owner, number,
              [&](const EventPlace &reader) {
                EventId event = layout.event(reader);
                addSteps(event, system.precondition(event), std::nullopt);
              },
              [&](RuleId rule) {
                RulePlace place = system.place(rule);
                addSteps(place.receiver, place.block->condition, rule);
              });
        });
  }
}

bool FailureExcluder::areHarmless(StepId reader, ArrayRef<uint32_t> together) {
  written.clear();
  for (uint32_t number : together) {
    const Failure &failure = failures[number];
    if (!failure.isKnown)
      return false;
    for (const auto &[cell, value] : failure.writes)
      written[cell.index].push_back(value);
  }
  bool holds = true;
  forEachCondition(run, reader, [&](const StepCondition &condition) {
    holds = holds && values.surelyHolds(reader, condition.term, condition.self);
  });
  return holds;
}

/// Several steps may fail. As few are excluded as it takes for the rest to be
/// harmless together.
void FailureExcluder::excludeFrom(StepId reader, ArrayRef<uint32_t> unclear) {
  if (areHarmless(reader, unclear))
    return;
  std::vector<uint32_t> rest;
  for (uint32_t failure : unclear)
    if (areHarmless(reader, failure))
      rest.push_back(failure);
    else
      found.emplace_back(failures[failure].step, reader);
  size_t excluded = 0, enough = rest.size();
  while (excluded != enough) {
    size_t middle = (excluded + enough) / 2;
    if (areHarmless(reader, ArrayRef(rest).drop_front(middle)))
      enough = middle;
    else
      excluded = middle + 1;
  }
  for (uint32_t failure : ArrayRef(rest).take_front(enough))
    found.emplace_back(failures[failure].step, reader);
}

void FailureExcluder::addFailure(uint32_t step, size_t &next) {
  readers.clear();
  failures.push_back({plan.origins[step]});
  EventId event{plan.steps.event({step})};
  addWrites(event, layout.operation(event).failure.sets);
  for (; next != plan.failureSteps.size() &&
         plan.failureSteps[next].after.index <= step;
       ++next) {
    EventId reaction = plan.failureSteps[next].invocation.event;
    addWrites(reaction, layout.operation(reaction).entry.sets);
    addWrites(reaction, layout.operation(reaction).success.sets);
  }
  StepId failed = failures.back().step;
  for (auto [number, isWrong] : readers) {
    StepId reader{number};
    if (reader == failed || order.areOrdered(failed, reader) ||
        run.exclusions.contains(failed, reader))
      continue;
    if (isWrong)
      found.emplace_back(failed, reader);
    else
      unclear[number].push_back(failures.size() - 1);
  }
}

void FailureExcluder::exclude() {
  size_t next = 0;
  for (uint32_t i = 0; i != plan.steps.size(); ++i)
    if (plan.isCall({i}))
      addFailure(i, next);
  values.more = &written;
  for (const auto &[reader, together] : unclear)
    excludeFrom({reader}, together);
  for (const auto &[failed, reader] : found)
    run.exclusions.add(failed, reader);
  run.exclusions.normalize();
}

void toscac::plan::excludeFailures(PlanData &plan) {
  FailureExcluder(plan).exclude();
}
