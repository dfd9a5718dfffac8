//===- Story.cpp - A schedule in words ------------------------------------===//

#include "Story.h"

#include "toscac/Basic/DiagnosticsPlan.h"
#include "llvm/ADT/StringExtras.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

class Teller {
public:
  Teller(const Acts &acts, EventSystem &system, bool isRefused)
      : acts(acts), ground(acts.system), system(system), layout(system.layout),
        isRefused(isRefused) {}

  void tell(ArrayRef<ActState> states);

private:
  std::string nameOf(uint32_t operation) const {
    return layout.nameOf(ground.operations[operation].id);
  }
  std::string difference(const ActState &last) const;
  /// The operation that stands for a promise which is broken in \p last.
  const GroundOperation *brokenIn(const ActState &last) const;
  std::string howBroken(const ActState &last,
                        const GroundOperation &broken) const;
  /// Tests that make \p formula true.
  void trueTests(const ActState &state, FormulaId formula,
                 llvm::SmallVectorImpl<const Formula *> &tests) const;
  DiagnosticEngine::Builder reportOn(const ActState &last);
  std::string lineFor(const ActState &before, const ActState &after) const;
  std::string startsBetween(const ActState &before,
                            const ActState &after) const;
  std::string ignoredIn(uint32_t ended, const ActState &before,
                        const ActState &after) const;
  std::string reason(const ActState &state, uint32_t operation) const;
  const Formula *falseTest(const ActState &state, FormulaId formula) const;
  std::string valueText(uint32_t cell, uint8_t value) const {
    return toText(system.values[ground.cells[cell].values[value]]);
  }

  const Acts &acts;
  const GroundSystem &ground;
  EventSystem &system;
  const Layout &layout;
  bool isRefused;
};

} // namespace

static std::string times(uint32_t count) {
  if (count == 0)
    return "never runs";
  return "runs " + (count == 1 ? "once" : std::to_string(count) + " times");
}

/// What is other than in the plan: steps if there are any, else cells.
std::string Teller::difference(const ActState &last) const {
  for (auto [i, operation] : llvm::enumerate(ground.operations))
    if (uint32_t count = last[acts.started(i)];
        count != operation.expected && operation.isTask())
      return "a step of the workflow is never done";
    else if (count != operation.expected)
      return "'" + nameOf(i) + "' " + times(count) + ", in the plan it " +
             times(operation.expected);
  for (auto [i, cell] : llvm::enumerate(ground.cells))
    if (last[i] != cell.expected)
      return "'" + layout.nameOf(cell.id) + "' ends as " +
             valueText(i, last[i]) + ", in the plan as " +
             valueText(i, cell.expected);
  return "it never ends";
}

const Formula *Teller::falseTest(const ActState &state, FormulaId id) const {
  if (acts.holds(state, id))
    return nullptr;
  const Formula &formula = ground[id];
  if (formula.kind == Formula::Kind::Test)
    return &formula;
  for (FormulaId part : formula.parts)
    if (const Formula *found = falseTest(state, part))
      return found;
  return nullptr;
}

std::string Teller::reason(const ActState &state, uint32_t operation) const {
  if (acts.isRunning(state, operation))
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

std::string Teller::startsBetween(const ActState &before,
                                  const ActState &after) const {
  std::vector<std::string> names;
  for (uint32_t i = 0; i != acts.numOperations; ++i)
    if (before[acts.started(i)] != after[acts.started(i)] &&
        !ground.operations[i].takesNoTime())
      names.push_back("'" + nameOf(i) + "'");
  if (names.empty())
    return "";
  return llvm::join(names, ", ") + (names.size() == 1 ? " starts" : " start");
}

/// Events of the plan that are sent at that moment and find nobody ready.
std::string Teller::ignoredIn(uint32_t ended, const ActState &before,
                              const ActState &after) const {
  ActState state = before;
  ++state[acts.ended(ended)];
  for (GroundWrite write : ground.operations[ended].success)
    state[write.cell] = write.value;
  std::string text;
  for (const GroundSend &send : ground.operations[ended].onSuccess)
    if (ground.operations[send.operation].expected &&
        acts.holds(state, send.condition) &&
        before[acts.started(send.operation)] ==
            after[acts.started(send.operation)])
      text += "; '" + nameOf(send.operation) +
              "' is ignored: " + reason(state, send.operation);
  return text;
}

std::string Teller::lineFor(const ActState &before,
                            const ActState &after) const {
  for (uint32_t i = 0; i != acts.numOperations; ++i) {
    if (before[acts.ended(i)] == after[acts.ended(i)] ||
        ground.operations[i].takesNoTime())
      continue;
    std::string starts = startsBetween(before, after);
    return "'" + nameOf(i) + "' finishes" +
           (starts.empty() ? "" : "; " + starts) + ignoredIn(i, before, after);
  }
  llvm_unreachable("in each act something ends");
}

const GroundOperation *Teller::brokenIn(const ActState &last) const {
  for (auto [i, operation] : llvm::enumerate(ground.operations))
    if (operation.promise && last[acts.started(i)])
      return &operation;
  return nullptr;
}

void Teller::trueTests(const ActState &state, FormulaId id,
                       llvm::SmallVectorImpl<const Formula *> &tests) const {
  if (!acts.holds(state, id))
    return;
  const Formula &formula = ground[id];
  if (formula.kind == Formula::Kind::Test)
    tests.push_back(&formula);
  for (FormulaId part : formula.parts) {
    trueTests(state, part, tests);
    if (formula.kind == Formula::Kind::Or && acts.holds(state, part))
      return;
  }
}

/// `: 'a' is x and 'b' is y`; empty if that has changed at once.
std::string Teller::howBroken(const ActState &last,
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

DiagnosticEngine::Builder Teller::reportOn(const ActState &last) {
  DiagnosticEngine &diags = system.conditions.diags;
  const GroundOperation *broken = brokenIn(last);
  if (!broken && isRefused)
    return diags.report({}, diag::OrderMatters, difference(last));
  if (!broken)
    return diags.report({}, diag::OrderDependent, difference(last));
  auto report = [&](auto kind) {
    return diags.report(
        broken->promise->range, kind, broken->promise->name.str(),
        layout.graph.nameOf(broken->owner), howBroken(last, *broken));
  };
  return isRefused ? report(diag::PromiseNotKept) : report(diag::BrokenPromise);
}

void Teller::tell(ArrayRef<ActState> states) {
  auto report = reportOn(states.back());
  ActState nothing(acts.stateSize());
  std::string first = startsBetween(nothing, states.front());
  report.note({}, diag::OrderMattersFirst, first);
  for (size_t i = 1; i != states.size(); ++i)
    report.note({}, diag::OrderMattersNext, i,
                lineFor(states[i - 1], states[i]));
}

void toscac::plan::tell(const Acts &acts, ArrayRef<ActState> states,
                        EventSystem &system, bool isRefused) {
  Teller(acts, system, isRefused).tell(states);
}
