//===- Goal.cpp - Whether a workflow gets where it wants ------------------===//
///
/// \file
/// Where a goal is not reached, the reason is followed: what would have to
/// happen, which part of its precondition is false, what would have to write
/// that, and so on until nothing would, or until a circle closes.
///
//===----------------------------------------------------------------------===//

#include "Goal.h"

#include "Cubes.h"
#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include <map>

using namespace toscac;
using namespace toscac::plan;

static constexpr char neverAccepted[] =
    "is never accepted, though the workflow asks for it";

namespace {

class GoalChecker {
public:
  explicit GoalChecker(Run &run)
      : run(run), system(run.system), layout(run.system.layout),
        truth(run.system, run.history) {}

  void check(llvm::ArrayRef<CellGoal> wanted);
  void reportIgnored(const Send &send);
  void checkPromise(SlotId slot, const ir::Promise &promise, const Goal &goal);

private:
  using Bound = llvm::SmallVectorImpl<ir::EntityId>;
  using Builder = DiagnosticEngine::Builder;

  /// The first part of \p term that is not worth \p wanted.
  std::optional<Literal> firstFalse(TermId term, Bound &bound, bool wanted);
  std::optional<Literal> falsePart(TermId term, ir::EntityId entity);
  std::optional<Literal> falseElement(uint32_t loop, Bound &bound, bool wanted);
  void explainEvent(EventId event, Builder &builder);
  bool explainPassed(EventId event, const Literal &literal, Builder &builder);
  void explainLiteral(EventId event, const Literal &literal, Builder &builder);
  void explainWriter(const Literal &literal, Builder &builder);
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

  Run &run;
  EventSystem &system;
  const Layout &layout;
  TruthOf truth;
  /// Conditions are looked at as of then.
  Moment moment = never;
  llvm::SmallVector<EventId, 8> path;
};

} // namespace

std::optional<Literal> GoalChecker::falseElement(uint32_t id, Bound &bound,
                                                 bool wanted) {
  const Loop &loop = system.conditions.loops[id];
  std::optional<Literal> found;
  bound.resize(loop.depth);
  forEachEntity(layout, loop.route, bound, [&](ir::EntityId element) {
    bound.resize(loop.depth);
    bound.push_back(element);
    found = firstFalse(loop.body, bound, wanted);
    bound.resize(loop.depth);
    return !found;
  });
  return found;
}

std::optional<Literal> GoalChecker::firstFalse(TermId id, Bound &bound,
                                               bool wanted) {
  const Term &term = system.conditions[id];
  switch (term.kind) {
  case Term::Kind::True:
  case Term::Kind::False:
  case Term::Kind::Static:
  case Term::Kind::General:
    return std::nullopt;
  case Term::Kind::And:
  case Term::Kind::Or: {
    llvm::SmallVector<ir::EntityId, 4> copy(bound.begin(), bound.end());
    if (truth.evaluate(id, copy, moment).strict == wanted)
      return std::nullopt;
    for (TermId child : system.conditions.childrenOf(term))
      if (auto found = firstFalse(child, bound, wanted))
        return found;
    return std::nullopt;
  }
  case Term::Kind::Not:
    return firstFalse(system.conditions.childrenOf(term).front(), bound,
                      !wanted);
  case Term::Kind::Loop:
    return falseElement(term.first, bound, wanted);
  case Term::Kind::Atom:
    break;
  }
  const Atom &atom = system.conditions.atoms[term.first];
  CellId cell = findCell(layout, atom.cell, bound);
  if (!cell)
    return std::nullopt;
  Literal literal{cell, {term.first}, wanted};
  if (isWorth(literal, valueAt(cell)))
    return std::nullopt;
  return literal;
}

std::optional<Literal> GoalChecker::falsePart(TermId term,
                                              ir::EntityId entity) {
  llvm::SmallVector<ir::EntityId, 4> bound{entity};
  return firstFalse(term, bound, /*wanted=*/true);
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

/// Whether the literal was true for a while: then nobody sent the event in that
/// time, which is the reason.
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
  if (!explainPassed(event, literal, builder))
    explainWriter(literal, builder);
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
    std::string circle;
    for (const EventId *at = llvm::find(path, event); at != path.end(); ++at)
      circle += "'" + layout.nameOf(*at) + "' waits for ";
    builder.note(range, diag::GoalCircle,
                 circle + "'" + layout.nameOf(event) + "'");
    return;
  }
  path.push_back(event);
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
  builder.note(range, diag::GoalNobodySends, layout.nameOf(event));
}

void GoalChecker::check(llvm::ArrayRef<CellGoal> wanted) {
  // One for all instances of a class.
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> reported;
  std::vector<CellGoal> goals = wanted.vec();
  llvm::append_range(goals, run.unmetGoals);
  for (const CellGoal &goal : goals) {
    if (!goal.reached || run.history.value(goal.reached) == goal.value)
      continue;
    CellPlace at = layout.place(goal.reached);
    if (!reported.insert({at.slot.index, at.cell}).second)
      continue;
    std::optional<EventId> writer = writerOf(
        goal.reached, [&](ValueId value) { return value == goal.value; });
    SourceRange range = writer ? layout.operation(*writer).range
                               : layout.machine(at.slot).range;
    Builder builder = system.conditions.diags.report(
        range, diag::UnreachableGoal, layout.nameOf(goal.reached),
        "does not become " + toText(system.values[goal.value]) + ": it stays " +
            valueOf(goal.reached));
    path.clear();
    if (writer)
      explainEvent(*writer, builder);
  }
  for (const Send &send : run.sends) {
    if (!send.isFromWorkflow() || send.accepted)
      continue;
    Builder builder = system.conditions.diags.report(
        layout.operation(send.event).range, diag::UnreachableGoal,
        layout.nameOf(send.event), neverAccepted);
    path.clear();
    explainEvent(send.event, builder);
  }
}

/// What an event of the service sends does not wait: what counts is how things
/// are when it arrives.
void GoalChecker::reportIgnored(const Send &send) {
  Builder builder = system.conditions.diags.report(
      layout.operation(send.event).range, diag::UnreachableGoal,
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

/// The workflow that \p entity goes through: where a deployment changes, what
/// leaves is undeployed, and what is new or to be up is deployed.
static llvm::StringRef workflowFor(const Goal &goal, const ir::Graph &graph,
                                   ir::EntityId entity) {
  if (goal.reach == Goal::Reach::Defined)
    return goal.workflow.str();
  ir::Presence presence = graph.presenceOf(entity);
  if (presence == ir::Presence::Leaving)
    return "undeploy";
  bool goesUp = presence == ir::Presence::New ||
                presence == ir::Presence::Replaced ||
                goal.reach == Goal::Reach::Update;
  return goesUp ? "deploy" : "";
}

/// Reports the first instance of a class that does not keep it.
void GoalChecker::checkPromise(SlotId slot, const ir::Promise &promise,
                               const Goal &goal) {
  TermId term = system.conditions.compile(promise.condition,
                                          layout.slots[slot.index].kind);
  for (uint32_t row = 0; row != layout.slots[slot.index].rows; ++row) {
    ir::EntityId entity = layout.entity(slot, row);
    if (workflowFor(goal, layout.graph, entity) != promise.name.str())
      continue;
    llvm::SmallVector<ir::EntityId, 4> bound{entity};
    if (truth.evaluate(term, bound, never).strict)
      continue;
    std::optional<Literal> part = falsePart(term, entity);
    std::string why = part ? ": '" + layout.nameOf(part->cell) + "' is " +
                                 valueOf(part->cell) + ", not " +
                                 valuesFor(*part)
                           : "";
    Builder builder = system.conditions.diags.report(
        promise.range, diag::GoalNotMet, layout.graph.nameOf(entity),
        promise.name.str(), why);
    path.clear();
    if (std::optional<EventId> writer = part ? writerOf(*part) : std::nullopt)
      explainEvent(*writer, builder);
    return;
  }
}

void toscac::plan::checkGoalPromises(const Goal &goal, Run &run) {
  const Layout &layout = run.system.layout;
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    for (const ir::Promise &promise : layout.machine({i}).promises)
      if (promise.kind == ir::Promise::Kind::Goal)
        GoalChecker(run).checkPromise({i}, promise, goal);
}

/// What \p operation writes to \p mark, if that counts as failed.
static const ir::Set *findMark(const ir::Operation &operation,
                               const ir::FailureMark &mark) {
  for (const ir::Reaction *reaction : {&operation.success, &operation.entry})
    for (const ir::Set &set : reaction->sets)
      if (set.cell == mark.cell && set.value->isLiteral() &&
          set.value->value() == mark.value)
        return &set;
  return nullptr;
}

void toscac::plan::checkGoals(llvm::ArrayRef<CellGoal> goals, Run &run) {
  GoalChecker(run).check(goals);
}

void toscac::plan::reportIgnored(SendId send, Run &run) {
  GoalChecker(run).reportIgnored(run.sends[send.index]);
}

/// A machine that a step leaves as one that has failed is reported, once for
/// all instances of a class.
void toscac::plan::checkFailureMarks(const Run &run, bool isRefused) {
  const Layout &layout = run.system.layout;
  const History &history = run.history;
  // Slot, mark and operation; and the first cell that is left so.
  std::map<std::tuple<uint32_t, uint32_t, uint32_t>, CellId> left;
  for (uint32_t i = 0; i != history.writes.size(); ++i) {
    const Write &write = history.writes[i];
    if (!write.step || history.lastWrite(write.cell) != WriteId{i})
      continue;
    CellPlace at = layout.place(write.cell);
    for (auto [number, mark] :
         llvm::enumerate(layout.machine(at.slot).failures)) {
      if (mark.cell != at.cell || run.system.values[write.value] != mark.value)
        continue;
      EventPlace by = layout.place(run.event(write.step));
      if (by.slot != at.slot ||
          !findMark(layout.operation(run.event(write.step)), mark))
        continue;
      auto [first, isNew] = left.try_emplace(
          {at.slot.index, uint32_t(number), by.operation}, write.cell);
      if (!isNew)
        first->second = std::min(first->second, write.cell);
    }
  }
  for (const auto &[place, cell] : left) {
    auto [slot, number, operation] = place;
    const ir::Machine &machine = layout.machine({slot});
    const ir::FailureMark &mark = machine.failures[number];
    auto report = [&, cell = cell, operation = operation](auto kind) {
      run.system.conditions.diags.report(
          findMark(machine.operations[operation], mark)->range, kind,
          layout.nameOf(cell), toText(mark.value));
    };
    isRefused ? report(diag::LeftAsFailed) : report(diag::EndsFailed);
  }
}
