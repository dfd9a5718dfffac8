//===- FailureLowering.h - One failure after another ------------*- C++ -*-===//

#ifndef TOSCAC_LIB_PLAN_FAILURELOWERING_H
#define TOSCAC_LIB_PLAN_FAILURELOWERING_H

#include "FailureCells.h"
#include "FailureTasks.h"
#include "Steps/Guards.h"
#include "System/Interpreter.h"

namespace toscac::plan {

/// What a condition is worth, and on which failure steps and values of the run
/// that depends.
struct Answer {
  Truth truth = Truth::True;
  Guards guards;
  llvm::SmallVector<uint32_t, 2> writers;
  /// It depends on a cell whose writer has not ended.
  bool isUnsettled = false;

  bool isPossible() const { return truth != Truth::False && !isUnsettled; }
  void add(const Answer &other) {
    addGuards(guards, other.guards);
    writers.append(other.writers);
  }
};

using Sender = std::optional<uint32_t>;

/// An event that has been sent.
struct PendingEvent {
  Invocation invocation;
  /// A failure step; none: the step that failed.
  Sender sender;
  Answer condition;
  /// The task of the workflow that sent it, if one did; what it sends waits.
  TaskId task = {};
};

/// Lowers what follows one failure after another.
class FailureLowering : private Interpreter<FailureLowering> {
public:
  explicit FailureLowering(PlanData &plan)
      : plan(plan), system(plan.system), layout(plan.system.layout),
        order(plan), eventSteps(plan.steps, layout.numEvents()),
        cells(plan, order) {}

  void lower(StepId step);

private:
  // Conditions.
  friend class FailureTruth;
  /// Whether the cell may be another one when the event that is looked at is
  /// accepted: a step goes on that writes it.
  bool isVolatile(CellId cell) {
    return (receiver && contested.contains({receiver->index, cell.index})) ||
           cells.isVolatile(cell);
  }
  Answer evaluate(TermId term, ir::EntityId self, bool strict = false);
  Answer evaluate(const Expr *expr, ir::EntityId self);
  Answer evaluateRule(const RulePlace &at, bool strict);

  // What the interpreter asks for.
  friend Interpreter;
  bool isInFlight(EventId event) const { return running.contains(event.index); }
  bool holds(EventId event, Answer &needs);
  bool mayHold(RuleId rule) {
    return evaluateRule(system.place(rule), /*strict=*/true).truth !=
           Truth::False;
  }
  bool isReady(RuleId rule, Answer &needs);
  bool hasHeld(RuleId rule) const { return heldRules.contains(rule.index); }
  void setHeld(RuleId rule, bool isHeld);
  void acceptBy(RuleId rule, const Answer &needs);
  void starts(uint32_t number) { running.insert(eventOf(number).index); }
  void ends(uint32_t number) { running.erase(eventOf(number).index); }
  void writeAll(uint32_t number, When when);
  void sendAll(uint32_t number, When when);

  // Acts.
  void lowerOnce();
  /// Finds what failure steps read and others, which nothing orders, write;
  /// says whether there is more than is known.
  bool findContested();
  llvm::SmallVector<CellId, 4> cellsOf(EventId event,
                                       llvm::ArrayRef<ir::Set> sets);
  void change(llvm::ArrayRef<CellId> written, std::optional<EventId> ended,
              llvm::function_ref<void()> act);
  llvm::SmallVector<RuleId, 4> rulesThatRead(llvm::ArrayRef<CellId> written);
  void apply(EventId event, llvm::ArrayRef<ir::Set> sets, Sender writer,
             bool isInFlight);
  void sendAll(EventId event, llvm::ArrayRef<ir::Trigger> triggers,
               Sender sender);
  void tryPending();
  bool isLate(const Answer &answer, Sender sender);
  /// Whether a step of the plan may run the event, or would have.
  bool isLeftToPlan(EventId event, bool isAskedFor);

  // Tasks of the workflow.
  void beginTasks();
  void withTasks(llvm::function_ref<void(const FailureTasks::Events &)> act);
  bool skipTasks();
  const Answer &answerOf(TaskConditionId condition);

  // Steps.
  void accept(const Invocation &invocation, Sender sender, const Answer &needs);
  void addDeps(FailureStep &made, Sender sender, const Answer &needs);
  void end(uint32_t number);
  bool isTooMany();
  void addDataDeps(FailureStep &step);
  std::optional<uint32_t> openWriterOf(ir::EntityId entity,
                                       llvm::StringRef attribute);
  /// What holds only if the failure step has not been left out.
  const Expr *hasRun(const FailureStep &step);
  uint32_t occurrenceOf(EventId event);
  FailureStep &step(uint32_t number) {
    return plan.failureSteps[first + number];
  }
  EventId eventOf(uint32_t number) { return step(number).invocation.event; }
  size_t numSteps() const { return plan.failureSteps.size() - first; }

  PlanData &plan;
  EventSystem &system;
  const Layout &layout;
  PlanOrder order;
  EventSteps eventSteps;
  FailureCells cells;
  bool wasCut = false;

  // Of the failure at hand.
  StepId failed;
  size_t first = 0;
  llvm::DenseSet<uint32_t> running;
  llvm::DenseSet<uint32_t> heldRules;
  /// Rules that hold only on values in flight so far.
  llvm::DenseSet<uint32_t> openRules;
  std::vector<PendingEvent> pending;
  /// Whose precondition, or rule, is looked at.
  std::optional<EventId> receiver;
  /// Of events and cells: what the cell was when that was looked at last.
  llvm::DenseMap<std::pair<uint32_t, uint32_t>, ValueId> reads;
  /// Events, and cells that may change before these are accepted.
  llvm::DenseSet<std::pair<uint32_t, uint32_t>> contested;
  FailureTasks tasks;
  /// By condition of the tasks.
  std::vector<std::optional<Answer>> taskAnswers;
};

} // namespace toscac::plan

#endif
