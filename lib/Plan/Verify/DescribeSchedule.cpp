//===- DescribeSchedule.cpp - A schedule in words -------------------------===//

#include "DescribeSchedule.h"

#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

static std::string valueText(const GroundCell &cell, uint8_t value,
                             const EventSystem &system) {
  return toText(system.values[cell.values[value]]);
}

static std::string times(uint32_t count) {
  if (count == 0)
    return "never runs";
  return "runs " + (count == 1 ? "once" : std::to_string(count) + " times");
}

/// How far tasks are in \p last differs.
static std::string taskDifference(const GroundInterpreter &interpreter,
                                  const GroundState &last,
                                  const Layout &layout) {
  const GroundSystem &ground = interpreter.system;
  for (const GroundRule &rule : ground.rules)
    if (rule.isCall && interpreter.holds(last, rule.condition))
      return "the workflow's call of '" +
             layout.nameOf(ground.operations[rule.operation].id) +
             "' is never accepted";
  return "a step of the workflow is never done";
}

std::string toscac::plan::differenceOf(const GroundInterpreter &interpreter,
                                       const GroundState &last,
                                       const EventSystem &system) {
  const GroundSystem &ground = interpreter.system;
  const Layout &layout = system.layout;
  for (auto [i, operation] : llvm::enumerate(ground.operations)) {
    uint32_t count = last[interpreter.places.started(i)];
    if (count == operation.expected || !ground.isCompared(operation))
      continue;
    if (operation.isTask())
      return taskDifference(interpreter, last, layout);
    return "'" + layout.nameOf(operation.id) + "' " + times(count) +
           ", in the plan it " + times(operation.expected);
  }
  for (auto [i, cell] : llvm::enumerate(ground.cells))
    if (last[i] != cell.expected && ground.isCompared(cell))
      return cell.id == noCell
                 ? taskDifference(interpreter, last, layout)
                 : "'" + layout.nameOf(cell.id) + "' ends as " +
                       valueText(cell, last[i], system) + ", in the plan as " +
                       valueText(cell, cell.expected, system);
  return "it never ends";
}

namespace {

class Teller {
public:
  Teller(const GroundInterpreter &interpreter, EventSystem &system,
         bool isRefused)
      : interpreter(interpreter), ground(interpreter.system), system(system),
        layout(system.layout), isRefused(isRefused) {}

  void reportSchedule(ArrayRef<GroundState> states, llvm::StringRef given);
  /// The same, for those who want to follow it.
  Story tell(ArrayRef<GroundState> states) const;

private:
  std::string firstLine(const GroundState &first) const {
    return startsBetween(GroundState(interpreter.places.size()), first);
  }
  Story::Moment momentOf(const GroundState &before, const GroundState &after,
                         ArrayRef<uint32_t> shown) const;
  std::string nameOf(uint32_t operation) const {
    return layout.nameOf(ground.operations[operation].id);
  }
  /// The operation that stands for a promise which is broken in \p last.
  const GroundOperation *brokenIn(const GroundState &last) const;
  std::string howBroken(const GroundState &last,
                        const GroundOperation &broken) const;
  /// Tests that make \p formula true.
  void trueTests(const GroundState &state, FormulaId formula,
                 llvm::SmallVectorImpl<const Formula *> &tests) const;
  DiagnosticEngine::Builder reportOn(const GroundState &last);
  std::string lineFor(const GroundState &before,
                      const GroundState &after) const;
  std::string startsBetween(const GroundState &before,
                            const GroundState &after) const;
  std::string ignoredIn(uint32_t ended, const GroundState &before,
                        const GroundState &after) const;
  std::string reason(const GroundState &state, uint32_t operation) const;
  const Formula *falseTest(const GroundState &state, FormulaId formula) const;
  std::string valueText(uint32_t cell, uint8_t value) const {
    return ::valueText(ground.cells[cell], value, system);
  }

  const GroundInterpreter &interpreter;
  const GroundSystem &ground;
  EventSystem &system;
  const Layout &layout;
  bool isRefused;
};

} // namespace

const Formula *Teller::falseTest(const GroundState &state, FormulaId id) const {
  if (interpreter.holds(state, id))
    return nullptr;
  const Formula &formula = ground[id];
  if (formula.isTest())
    return &formula;
  for (FormulaId part : formula.parts)
    if (const Formula *found = falseTest(state, part))
      return found;
  return nullptr;
}

std::string Teller::reason(const GroundState &state, uint32_t operation) const {
  if (interpreter.places.isRunning(state, operation))
    return "it is running";
  const Formula *test =
      falseTest(state, ground.operations[operation].precondition);
  if (!test)
    return "its precondition is false";
  std::vector<std::string> wanted;
  for (uint32_t i = 0; i != ground.cells[test->cell].values.size(); ++i)
    if (test->values >> i & 1)
      wanted.push_back(valueText(test->cell, i));
  return "'" + layout.nameOf(ground.cells[test->cell].id) + "' is " +
         valueText(test->cell, state[test->cell]) + ", not " +
         llvm::join(wanted, " or ");
}

std::string Teller::startsBetween(const GroundState &before,
                                  const GroundState &after) const {
  std::vector<std::string> names;
  for (uint32_t i = 0; i != interpreter.places.numOperations; ++i)
    if (before[interpreter.places.started(i)] !=
            after[interpreter.places.started(i)] &&
        !ground.operations[i].takesNoTime())
      names.push_back("'" + nameOf(i) + "'");
  if (names.empty())
    return "";
  return llvm::join(names, ", ") + (names.size() == 1 ? " starts" : " start");
}

/// Events of the plan that are sent at that moment and find nobody ready.
std::string Teller::ignoredIn(uint32_t ended, const GroundState &before,
                              const GroundState &after) const {
  GroundState state = before;
  ++state[interpreter.places.ended(ended)];
  for (GroundWrite write : ground.operations[ended].success)
    if (write.isSure())
      state[write.cell] = write.value;
  std::string text;
  for (const GroundSend &send : ground.operations[ended].onSuccess)
    if (ground.operations[send.operation].expected &&
        interpreter.holds(state, send.condition) &&
        before[interpreter.places.started(send.operation)] ==
            after[interpreter.places.started(send.operation)])
      text += "; '" + nameOf(send.operation) +
              "' is ignored: " + reason(state, send.operation);
  return text;
}

std::string Teller::lineFor(const GroundState &before,
                            const GroundState &after) const {
  for (uint32_t i = 0; i != interpreter.places.numOperations; ++i) {
    if (before[interpreter.places.ended(i)] ==
            after[interpreter.places.ended(i)] ||
        ground.operations[i].takesNoTime())
      continue;
    std::string starts = startsBetween(before, after);
    return "'" + nameOf(i) + "' finishes" +
           (starts.empty() ? "" : "; " + starts) + ignoredIn(i, before, after);
  }
  llvm_unreachable("in each act something ends");
}

const GroundOperation *Teller::brokenIn(const GroundState &last) const {
  for (auto [i, operation] : llvm::enumerate(ground.operations))
    if (operation.promise && last[interpreter.places.started(i)])
      return &operation;
  return nullptr;
}

void Teller::trueTests(const GroundState &state, FormulaId id,
                       llvm::SmallVectorImpl<const Formula *> &tests) const {
  if (!interpreter.holds(state, id))
    return;
  const Formula &formula = ground[id];
  if (formula.isTest())
    tests.push_back(&formula);
  size_t missing = formula.needed;
  for (FormulaId part : formula.parts) {
    if (missing == 0)
      return;
    trueTests(state, part, tests);
    missing -= interpreter.holds(state, part);
  }
}

/// `: 'a' is x and 'b' is y`; empty if that has changed at once.
std::string Teller::howBroken(const GroundState &last,
                              const GroundOperation &broken) const {
  llvm::SmallVector<const Formula *> tests;
  for (const GroundRule &rule : ground.rules)
    if (&ground.operations[rule.operation] == &broken)
      trueTests(last, rule.condition, tests);
  std::vector<std::string> parts;
  for (const Formula *test : tests) {
    std::string part = "'" + layout.nameOf(ground.cells[test->cell].id) +
                       "' is " + valueText(test->cell, last[test->cell]);
    if (!llvm::is_contained(parts, part))
      parts.push_back(std::move(part));
  }
  return parts.empty() ? "" : ": " + llvm::join(parts, " and ");
}

DiagnosticEngine::Builder Teller::reportOn(const GroundState &last) {
  DiagnosticEngine &diags = system.conditions.diags;
  const GroundOperation *broken = brokenIn(last);
  if (!broken && isRefused)
    return diags.report({}, diag::OrderMatters,
                        differenceOf(interpreter, last, system));
  if (!broken)
    return diags.report({}, diag::OrderDependent,
                        differenceOf(interpreter, last, system));
  auto report = [&](auto kind) {
    return diags.report(
        broken->promise->range, kind, broken->promise->name.str(),
        layout.graph.nameOf(broken->owner), howBroken(last, *broken));
  };
  return isRefused ? report(diag::PromiseNotKept) : report(diag::BrokenPromise);
}

void Teller::reportSchedule(ArrayRef<GroundState> states,
                            llvm::StringRef given) {
  auto report = reportOn(states.back());
  if (!given.empty())
    report.note({}, diag::OrderGiven, given);
  report.note({}, diag::OrderMattersFirst, firstLine(states.front()));
  for (size_t i = 1; i != states.size(); ++i)
    report.note({}, diag::OrderMattersNext, i,
                lineFor(states[i - 1], states[i]));
}

Story::Moment Teller::momentOf(const GroundState &before,
                               const GroundState &after,
                               ArrayRef<uint32_t> shown) const {
  Story::Moment moment;
  for (auto [number, cell] : llvm::enumerate(shown))
    if (before[cell] != after[cell])
      moment.writes.push_back({number, valueText(cell, after[cell])});
  for (uint32_t i = 0; i != interpreter.places.numOperations; ++i)
    if (interpreter.places.isRunning(after, i) &&
        !ground.operations[i].takesNoTime())
      moment.running.push_back(nameOf(i));
  return moment;
}

Story Teller::tell(ArrayRef<GroundState> states) const {
  Story story;
  story.isRefused = isRefused;
  bool isAboutEnd = !brokenIn(states.back());
  GroundState start = states.front();
  std::vector<uint32_t> shown;
  for (auto [i, cell] : llvm::enumerate(ground.cells)) {
    start[i] = cell.initial;
    bool changes = llvm::any_of(
        states, [&, i = i](const GroundState &s) { return s[i] != start[i]; });
    if (cell.id == noCell ||
        (!changes && (!isAboutEnd || cell.expected == cell.initial)))
      continue;
    shown.push_back(i);
    story.cells.push_back({layout.nameOf(cell.id), valueText(i, cell.initial),
                           isAboutEnd ? valueText(i, cell.expected) : ""});
  }
  story.moments.push_back(momentOf(start, states.front(), shown));
  story.moments.back().text = firstLine(states.front());
  for (size_t i = 1; i != states.size(); ++i) {
    story.moments.push_back(momentOf(states[i - 1], states[i], shown));
    story.moments.back().text = lineFor(states[i - 1], states[i]);
  }
  return story;
}

void toscac::plan::reportSchedule(const GroundInterpreter &interpreter,
                                  ArrayRef<GroundState> states,
                                  EventSystem &system, bool isRefused,
                                  llvm::StringRef given) {
  Teller teller(interpreter, system, isRefused);
  teller.reportSchedule(states, given);
  if (!system.stories)
    return;
  system.stories->push_back(teller.tell(states));
  system.stories->back().claim = system.conditions.diags.all().back().message;
}

Story toscac::plan::tellSchedule(const GroundInterpreter &interpreter,
                                 ArrayRef<GroundState> states,
                                 EventSystem &system) {
  return Teller(interpreter, system, /*isRefused=*/false).tell(states);
}
