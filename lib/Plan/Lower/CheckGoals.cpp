//===- CheckGoals.cpp - Goals that are not reached, and why ---------------===//
///
/// \file
/// Where a goal is not reached, the reason is followed: what would have to
/// happen, which part of its precondition is false, what would have to write
/// that, and so on until nothing would, or until a cycle closes.
///
//===----------------------------------------------------------------------===//

#include "CheckGoals.h"

#include "RequirementCircle.h"
#include "System/NormalForm.h"
#include "toscac/Basic/CsrGraph.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::plan;

static constexpr char neverAccepted[] =
    "is never accepted, though the workflow asks for it";

namespace {

class GoalChecker : private ConditionWalk<GoalChecker, std::optional<Literal>> {
public:
  explicit GoalChecker(SymbolicRun &run)
      : ConditionWalk(run.system.conditions), run(run), system(run.system),
        layout(run.system.layout), truth(run.system, run.history) {}

  void check(llvm::ArrayRef<CellGoal> wanted);
  void reportIgnored(const Send &send);
  void checkPromise(SlotId slot, const ir::Promise &promise, const Goal &goal);
  /// What is missed, in words; empty if nothing is.
  std::string firstMissed(llvm::ArrayRef<CellGoal> wanted, const Goal &goal);

private:
  bool closesCircle(llvm::ArrayRef<CellGoal> goals);
  std::optional<EventId> missingEvent(const CellGoal &goal);
  friend ConditionWalk;
  using Builder = DiagnosticEngine::Builder;

  /// Where whoever wants something of \p entity wrote it; else \p machine.
  SourceRange placeOf(ir::EntityId entity, SourceRange machine) const {
    SourceRange place = layout.graph.rangeOf(entity);
    return place.isValid() ? place : machine;
  }
  bool isReached(const CellGoal &goal) const {
    return !goal.reached || run.history.value(goal.reached) == goal.value;
  }
  /// A goal that is not reached.
  std::string describe(const CellGoal &goal) {
    return "does not become " + toText(system.values[goal.value]) +
           ": it stays " + valueOf(goal.reached);
  }
  /// The first instance that does not keep it.
  std::optional<ir::EntityId>
  findBreaker(SlotId slot, const ir::Promise &promise, const Goal &goal);
  /// The first part of \p term that is false.
  std::optional<Literal> falsePart(TermId term, ir::EntityId entity) {
    return walk(term, entity, /*wanted=*/true);
  }
  std::optional<Literal> constant(bool) { return std::nullopt; }
  std::optional<Literal> other(const Term &, Binding &, bool) {
    return std::nullopt;
  }
  std::optional<Literal> atom(AtomId atom, Binding &bound, bool wanted);
  std::optional<Literal> group(const Group &group, Binding &bound);
  void explainEvent(EventId event, Builder &builder);
  bool explainPassed(EventId event, const Literal &literal, Builder &builder);
  void explainLiteral(EventId event, const Literal &literal, Builder &builder);
  void explainWriter(const Literal &literal, Builder &builder);
  /// The write on entry that makes \p literal hold as long as its operation
  /// runs, and no longer; null: there is none.
  const Write *entryFor(const Literal &literal);
  /// The operation that would make \p literal true.
  std::optional<EventId> writerOf(const Literal &literal);
  std::optional<EventId> writerOf(CellId cell,
                                  llvm::function_ref<bool(ValueId)> fits);
  bool isWorth(const Literal &literal, ValueId value) {
    Atom &atom = system.conditions.atoms[literal.atom.index];
    return system.conditions.test(atom, value) == literal.wanted;
  }
  std::string valuesFor(const Literal &literal);
  std::string valueOf(CellId cell) {
    return toText(system.values[valueAt(cell)]);
  }
  ValueId valueAt(CellId cell) const {
    return run.history.valueAfter(cell, run.history.lastWrite(cell, moment));
  }

  SymbolicRun &run;
  EventSystem &system;
  const Layout &layout;
  TruthOf truth;
  /// Conditions are looked at as of then.
  Moment moment = never;
  llvm::SmallVector<EventId, 8> path;
  /// How many elements a condition asks for, and how many there are.
  std::optional<std::pair<uint64_t, uint64_t>> tooFew;
  /// Entities of the operations that were found to wait for each other.
  std::vector<ir::EntityId> waiting;
};

} // namespace

std::optional<Literal> GoalChecker::group(const Group &group, Binding &bound) {
  std::optional<Literal> found;
  int64_t parts = 0;
  forEachPart(group, bound, [&](TermId part) {
    ++parts;
    llvm::SmallVector<ir::EntityId, 4> copy(bound.begin(), bound.end());
    bool isWorth = truth.evaluate(part, copy, moment).strict == group.wanted;
    if (!isWorth)
      found = walk(part, bound, group.wanted);
    return !found;
  });
  if (int64_t needed = group.quorum.outOf(parts); !found && needed > parts)
    tooFew = {uint64_t(needed), uint64_t(parts)};
  return found;
}

std::optional<Literal> GoalChecker::atom(AtomId id, Binding &bound,
                                         bool wanted) {
  const Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(layout, atom.cell, bound);
  if (!cell)
    return std::nullopt;
  Literal literal{cell, id, wanted};
  if (isWorth(literal, valueAt(cell)))
    return std::nullopt;
  return literal;
}

std::optional<EventId>
GoalChecker::writerOf(CellId cell, llvm::function_ref<bool(ValueId)> fits) {
  CellPlace at = layout.place(cell);
  for (auto [i, operation] :
       llvm::enumerate(layout.machine(at.slot).operations))
    for (const ir::Set &set : operation.success.sets)
      if (set.cell == at.cell && set.value->isLiteral() &&
          fits(system.values.intern(set.value->value())))
        return layout.event(at.slot, at.row, i);
  return std::nullopt;
}

std::optional<EventId> GoalChecker::writerOf(const Literal &literal) {
  return writerOf(literal.cell,
                  [&](ValueId value) { return isWorth(literal, value); });
}

/// `created or started`: what the domain has, or what the operations write.
std::string GoalChecker::valuesFor(const Literal &literal) {
  CellPlace at = layout.place(literal.cell);
  const ir::Machine &machine = layout.machine(at.slot);
  std::vector<std::string> fitting;
  for (const Value &value : machine.cells[at.cell].domain)
    if (isWorth(literal, system.values.intern(value)))
      fitting.push_back(toText(value));
  if (!fitting.empty())
    return llvm::join(fitting, " or ");
  const Expr &test = *system.conditions.atoms[literal.atom.index].test;
  if (test.isCall(Function::Equal) && literal.wanted)
    for (const Expr &side : test.children())
      if (side.isLiteral())
        return toText(side);
  if (std::optional<EventId> writer = writerOf(literal))
    for (const ir::Set &set : layout.operation(*writer).success.sets)
      if (set.cell == at.cell)
        return toText(*set.value);
  return toText(test);
}

/// Explains an event whose condition was true for a while and is false at the
/// end: nobody sent it in time. False if the literal was never true.
bool GoalChecker::explainPassed(EventId event, const Literal &literal,
                                Builder &builder) {
  WriteId begin;
  for (WriteId id : run.history.writesTo(literal.cell)) {
    const Write &write = run.history.writes[id.index];
    if (write.step && !write.isOnEntry() && isWorth(literal, write.value)) {
      begin = id;
      continue;
    }
    if (!begin || !write.step)
      continue;
    const Write &first = run.history.writes[begin.index];
    builder.note(layout.operation(run.event(write.step)).range,
                 diag::GoalPassed, layout.nameOf(literal.cell),
                 toText(system.values[first.value]),
                 layout.nameOf(run.event(first.step)),
                 layout.nameOf(run.event(write.step)), layout.nameOf(event));
    return true;
  }
  return false;
}

static bool hasPartAt(const Expr &expr, SourceRange range) {
  return expr.range() == range ||
         llvm::any_of(expr.children(),
                      [&](const Expr &part) { return hasPartAt(part, range); });
}

void GoalChecker::explainLiteral(EventId event, const Literal &literal,
                                 Builder &builder) {
  // Another operation may have asked the same first.
  SourceRange range = system.conditions.atoms[literal.atom.index].test->range();
  const Expr *precondition = layout.operation(event).precondition;
  if (precondition && !hasPartAt(*precondition, range))
    range = precondition->range();
  builder.note(range, diag::GoalNeeds, layout.nameOf(event),
               layout.nameOf(literal.cell), valuesFor(literal),
               valueOf(literal.cell));
  if (explainPassed(event, literal, builder))
    return;
  if (const Write *entry = entryFor(literal))
    builder.note(layout.operation(run.event(entry->step)).range,
                 diag::GoalOnlyWhile, layout.nameOf(literal.cell),
                 toText(system.values[entry->value]),
                 layout.nameOf(run.event(entry->step)));
  else
    explainWriter(literal, builder);
}

const Write *GoalChecker::entryFor(const Literal &literal) {
  for (WriteId id : run.history.writesTo(literal.cell))
    if (const Write &write = run.history.writes[id.index];
        write.step && write.isOnEntry() && isWorth(literal, write.value))
      return &write;
  return nullptr;
}

/// What would have to write the cell, and why it does not.
void GoalChecker::explainWriter(const Literal &literal, Builder &builder) {
  std::optional<EventId> writer = writerOf(literal);
  if (writer)
    return explainEvent(*writer, builder);
  CellPlace at = layout.place(literal.cell);
  builder.note(layout.machine(at.slot).cells[at.cell].range,
               diag::GoalNobodyWrites, layout.nameOf(literal.cell),
               valuesFor(literal));
}

void GoalChecker::explainEvent(EventId event, Builder &builder) {
  SourceRange range = layout.operation(event).range;
  if (llvm::is_contained(path, event)) {
    std::vector<std::string> cycle;
    for (const EventId *at = llvm::find(path, event); at != path.end(); ++at) {
      cycle.push_back(layout.nameOf(*at));
      waiting.push_back(layout.entityOf(*at));
    }
    builder.note(range, diag::GoalCycle, describeCycle(cycle));
    return;
  }
  path.push_back(event);
  tooFew.reset();
  ir::EntityId entity = layout.entityOf(event);
  if (auto part = falsePart(system.precondition(event), entity))
    return explainLiteral(event, *part, builder);
  std::optional<Literal> unmet;
  system.forEachRuleOf(event, [&](RuleId rule) {
    RulePlace at = system.place(rule);
    if (!unmet)
      unmet =
          falsePart(at.block->condition, layout.entity(at.block->slot, at.row));
  });
  if (unmet)
    return explainLiteral(event, *unmet, builder);
  if (tooFew)
    builder.note(range, diag::GoalTooFew, layout.nameOf(event), tooFew->first,
                 tooFew->second);
  else
    builder.note(range, diag::GoalNobodySends, layout.nameOf(event));
}

/// The operation that would reach \p goal, if it is not reached.
std::optional<EventId> GoalChecker::missingEvent(const CellGoal &goal) {
  if (!goal.reached || run.history.value(goal.reached) == goal.value)
    return std::nullopt;
  return writerOf(goal.reached,
                  [&](ValueId value) { return value == goal.value; });
}

/// Whether the goals are not reached because requirements lead in a circle:
/// that is one mistake, however many nodes wait because of it.
bool GoalChecker::closesCircle(llvm::ArrayRef<CellGoal> goals) {
  DiagnosticEngine unsaid;
  // One instance of a class waits as the others do.
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> seen;
  for (const CellGoal &goal : goals) {
    std::optional<EventId> event = missingEvent(goal);
    if (!event)
      continue;
    CellPlace at = layout.place(goal.reached);
    if (!seen.insert({at.slot.index, at.cell}).second)
      continue;
    Builder builder = unsaid.report({}, diag::UnreachableGoal, "", "");
    path.clear();
    waiting.clear();
    explainEvent(*event, builder);
    if (!waiting.empty() &&
        reportRequirementCircle(waiting, layout.graph, system.conditions.diags))
      return true;
  }
  return false;
}

void GoalChecker::check(llvm::ArrayRef<CellGoal> wanted) {
  // One for all instances of a class.
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> reported;
  std::vector<CellGoal> goals = wanted.vec();
  llvm::append_range(goals, run.unmetGoals);
  if (closesCircle(goals))
    return;
  for (const CellGoal &goal : goals) {
    if (isReached(goal))
      continue;
    CellPlace at = layout.place(goal.reached);
    if (!reported.insert({at.slot.index, at.cell}).second)
      continue;
    std::optional<EventId> writer = writerOf(
        goal.reached, [&](ValueId value) { return value == goal.value; });
    SourceRange machine = layout.machine(at.slot).range;
    SourceRange place = placeOf(layout.entity(at.slot, at.row), machine);
    Builder builder = system.conditions.diags.report(
        place, diag::UnreachableGoal, layout.nameOf(goal.reached),
        describe(goal));
    path.clear();
    if (writer)
      explainEvent(*writer, builder);
    else if (place != machine)
      builder.note(machine, diag::MachineHere);
    builder.foldNotes();
  }
  for (const Send &send : run.sends) {
    if (!send.isFromWorkflow() || send.accepted)
      continue;
    std::optional<Literal> part =
        falsePart(system.precondition(send.event), layout.entityOf(send.event));
    if (const Write *entry = part ? entryFor(*part) : nullptr) {
      system.conditions.diags.report(
          layout.operation(send.event).range, diag::TransientPrecondition,
          layout.nameOf(send.event), layout.nameOf(run.event(entry->step)),
          layout.nameOf(part->cell), toText(system.values[entry->value]));
      continue;
    }
    SourceRange place = send.trigger && send.trigger->range.isValid()
                            ? send.trigger->range
                            : placeOf(layout.entityOf(send.event),
                                      layout.operation(send.event).range);
    Builder builder = system.conditions.diags.report(
        place, diag::UnreachableGoal, layout.nameOf(send.event), neverAccepted);
    path.clear();
    explainEvent(send.event, builder);
    builder.foldNotes();
  }
}

/// What an event of the service sends does not wait: what counts is how things
/// are when it arrives.
void GoalChecker::reportIgnored(const Send &send) {
  Builder builder =
      system.conditions.diags.report(send.trigger->range, diag::UnreachableGoal,
                                     layout.nameOf(send.event), neverAccepted);
  path.assign(1, send.event);
  moment = send.moment;
  std::optional<Literal> part =
      falsePart(system.precondition(send.event), layout.entityOf(send.event));
  if (!part)
    return;
  builder.note(send.trigger->range, diag::GoalIgnored,
               layout.nameOf(part->cell), valueOf(part->cell),
               valuesFor(*part));
  moment = never;
  for (WriteId id : run.history.writesTo(part->cell)) {
    const Write &write = run.history.writes[id.index];
    if (id.index < send.moment.writes || !isWorth(*part, write.value))
      continue;
    builder.note(layout.operation(run.event(write.step)).range,
                 diag::GoalComesLater, layout.nameOf(run.event(write.step)));
    return;
  }
  explainWriter(*part, builder);
}

/// What intents say of \p workflow.
static ir::Intent::Way wayOf(const Layout &layout, Name workflow) {
  for (const ir::Machine &machine : layout.set.machines)
    for (const ir::Intent &intent : machine.intents)
      if (intent.workflow == workflow)
        return intent.way;
  return ir::Intent::Way::Other;
}

/// Whether \p entity goes through \p workflow, which is \p way: where a
/// deployment changes, what leaves is taken down, and what is new or to be up
/// is brought up.
static bool goesThrough(const Goal &goal, const ir::Graph &graph,
                        ir::EntityId entity, Name workflow,
                        ir::Intent::Way way) {
  if (goal.reach == Goal::Reach::Defined)
    return goal.workflow == workflow;
  ir::Presence presence = graph.presenceOf(entity);
  if (presence == ir::Presence::Leaving)
    return way == ir::Intent::Way::Down;
  bool goesUp = presence == ir::Presence::New ||
                presence == ir::Presence::Replaced ||
                goal.reach == Goal::Reach::Update;
  return goesUp && way == ir::Intent::Way::Up;
}

std::optional<ir::EntityId> GoalChecker::findBreaker(SlotId slot,
                                                     const ir::Promise &promise,
                                                     const Goal &goal) {
  TermId term = system.conditions.compile(promise.condition,
                                          layout.slots[slot.index].kind);
  ir::Intent::Way way = wayOf(layout, promise.name);
  for (uint32_t row = 0; row != layout.slots[slot.index].rows; ++row) {
    ir::EntityId entity = layout.entity(slot, row);
    if (!goesThrough(goal, layout.graph, entity, promise.name, way))
      continue;
    llvm::SmallVector<ir::EntityId, 4> bound{entity};
    if (!truth.evaluate(term, bound, never).strict)
      return entity;
  }
  return std::nullopt;
}

/// Reports the first instance of a class that does not keep it.
void GoalChecker::checkPromise(SlotId slot, const ir::Promise &promise,
                               const Goal &goal) {
  std::optional<ir::EntityId> breaker = findBreaker(slot, promise, goal);
  if (!breaker)
    return;
  ir::EntityId entity = *breaker;
  TermId term = system.conditions.compile(promise.condition,
                                          layout.slots[slot.index].kind);
  std::optional<Literal> part = falsePart(term, entity);
  std::string why = part ? ": '" + layout.nameOf(part->cell) + "' is " +
                               valueOf(part->cell) + ", not " + valuesFor(*part)
                         : "";
  SourceRange place = placeOf(entity, promise.range);
  Builder builder = system.conditions.diags.report(place, diag::GoalNotMet,
                                                   layout.graph.nameOf(entity),
                                                   promise.name.str(), why);
  if (place != promise.range)
    builder.note(promise.range, diag::MachineHere);
  path.clear();
  if (std::optional<EventId> writer = part ? writerOf(*part) : std::nullopt)
    explainEvent(*writer, builder);
  builder.foldNotes();
}

static void forEachGoalPromise(
    const Layout &layout,
    llvm::function_ref<void(SlotId, const ir::Promise &)> visit) {
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    for (const ir::Promise &promise : layout.machine({i}).promises)
      if (promise.kind == ir::Promise::Kind::Goal)
        visit({i}, promise);
}

void toscac::plan::checkGoalPromises(const Goal &goal, SymbolicRun &run) {
  forEachGoalPromise(run.system.layout,
                     [&](SlotId slot, const ir::Promise &promise) {
                       GoalChecker(run).checkPromise(slot, promise, goal);
                     });
}

void toscac::plan::checkGoals(llvm::ArrayRef<CellGoal> goals,
                              SymbolicRun &run) {
  GoalChecker(run).check(goals);
}

void toscac::plan::reportIgnored(SendId send, SymbolicRun &run) {
  GoalChecker(run).reportIgnored(run.sends[send.index]);
}

/// Whether \p step is the workflow's own event of the service, or one that this
/// sends.
static bool isOfWorkflow(const SymbolicRun &run, StepId step) {
  const Layout &layout = run.system.layout;
  while (!run.steps.isJoin(step) &&
         layout.graph.kindOf(layout.entityOf(run.event(step))) ==
             ir::EntityKind::Service) {
    std::optional<SendId> cause = run.causes[step.index].send();
    if (!cause)
      return false;
    const Send &send = run.sends[cause->index];
    if (send.isFromWorkflow())
      return true;
    step = send.sender;
  }
  return false;
}

/// An event to all instances of a class may be superfluous for those that are
/// recorded: they have reached what it is sent for.
static bool maySpare(const SymbolicRun &run, const Send &send) {
  const ir::Graph &graph = run.system.layout.graph;
  ir::EntityId entity = run.system.layout.entityOf(send.event);
  if (!graph.hasRecorded || graph.presenceOf(entity) == ir::Presence::New)
    return false;
  return llvm::any_of(
      send.trigger->receiver.steps,
      [](const ir::PathStep &step) { return step.hasName() && !step.index; });
}

std::vector<SendId> toscac::plan::findUnheard(const SymbolicRun &run) {
  llvm::DenseSet<uint32_t> heard;
  for (uint32_t i = 0; i != run.steps.size(); ++i)
    if (!run.steps.isJoin({i}))
      heard.insert(run.event({i}).index);
  std::vector<SendId> result;
  for (uint32_t i = 0; i != run.sends.size(); ++i) {
    const Send &send = run.sends[i];
    if (!send.accepted && send.wasSent && !send.heldOnArrival &&
        !send.isFromWorkflow() && isOfWorkflow(run, send.sender) &&
        !heard.contains(send.event.index) && !maySpare(run, send))
      result.push_back({i});
  }
  return result;
}

std::string GoalChecker::firstMissed(llvm::ArrayRef<CellGoal> wanted,
                                     const Goal &goal) {
  for (llvm::ArrayRef<CellGoal> goals : {wanted, {run.unmetGoals}})
    for (const CellGoal &missed : goals)
      if (!isReached(missed))
        return "'" + layout.nameOf(missed.reached) + "' " + describe(missed);
  auto describeSend = [&](const Send &send) {
    return "'" + layout.nameOf(send.event) + "' " + neverAccepted;
  };
  for (const Send &send : run.sends)
    if (send.isFromWorkflow() && !send.accepted)
      return describeSend(send);
  for (SendId id : findUnheard(run))
    return describeSend(run.sends[id.index]);
  std::string broken;
  forEachGoalPromise(layout, [&](SlotId slot, const ir::Promise &promise) {
    if (!broken.empty())
      return;
    if (auto entity = findBreaker(slot, promise, goal))
      broken = "'" + layout.graph.nameOf(*entity) +
               "' does not end as its 'goal." + promise.name.str().str() +
               "' says";
  });
  return broken;
}

std::string toscac::plan::firstMissed(llvm::ArrayRef<CellGoal> goals,
                                      const Goal &goal, SymbolicRun &run) {
  return GoalChecker(run).firstMissed(goals, goal);
}

void toscac::plan::reportMissed(llvm::ArrayRef<CellGoal> goals,
                                const Goal &goal, SymbolicRun &run) {
  checkGoals(goals, run);
  checkGoalPromises(goal, run);
  llvm::DenseSet<const ir::Operation *> reported;
  for (SendId id : findUnheard(run))
    if (reported.insert(&run.system.layout.operation(run.sends[id.index].event))
            .second)
      reportIgnored(id, run);
}
