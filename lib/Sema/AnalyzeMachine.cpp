//===- AnalyzeMachine.cpp - Checks of one machine -------------------------===//

#include "toscac/Sema/AnalyzeMachine.h"

#include "toscac/Basic/DiagnosticsSema.h"
#include "toscac/IR/StateSpace.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

using namespace toscac;
using namespace toscac::sema;
using ir::StateSpace;
using ir::Truth;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

class MachineAnalysis {
public:
  MachineAnalysis(const ir::Machine &machine, DiagnosticEngine &diags)
      : machine(machine), diags(diags), space(explore(machine, scratch)),
        holds(machine, space, scratch) {}

  void run(Finality finality);

private:
  void findUnreached();
  void findOutside();
  void findDeadOperations();
  void findTraps();
  void findTraps(size_t position, ArrayRef<Value> goals);
  /// The states from which \p goals of the cell at \p position are reached.
  llvm::BitVector leadingTo(size_t position, ArrayRef<Value> goals) const;
  void findAmbiguities();
  llvm::BitVector firesIn(const ir::Trigger &rule,
                          const ir::Operation &operation);
  const ir::Operation *ownOperation(const ir::Trigger &rule) const;

  const ir::Machine &machine;
  DiagnosticEngine &diags;
  ValueArena scratch;
  StateSpace space;
  ir::OwnConditions holds;
  /// Values that operations ask for which are never accepted.
  llvm::SmallVector<Value, 2> askedInVain;
};

} // namespace

static std::string joinValues(ArrayRef<Value> values) {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "'" : " or '") + toText(value) + "'";
  return text;
}

void MachineAnalysis::findUnreached() {
  for (auto [position, index] : llvm::enumerate(space.cells)) {
    const ir::Cell &cell = machine.cells[index];
    // A switch is no state.
    if (space.isFree[position] || cell.type == TypeKind::Boolean)
      continue;
    for (auto [i, reached] : llvm::enumerate(space.reached[position]))
      if (!reached)
        diags.report(cell.range, diag::UnreachableState, toText(cell.domain[i]),
                     cell.name.str());
  }
}

void MachineAnalysis::findOutside() {
  for (const StateSpace::Outside &outside : space.outside) {
    const ir::Cell &cell = machine.cells[outside.set->cell];
    std::string all;
    for (const Value &value : cell.domain)
      all += (all.empty() ? "" : ", ") + toText(value);
    diags.report(outside.set->range, diag::ValueOutsideDomain,
                 toText(outside.value), cell.name.str(),
                 ", which can be " + all);
  }
}

static void addLiterals(const Expr &expr, llvm::SmallVectorImpl<Value> &to) {
  if (expr.isLiteral())
    to.push_back(expr.value());
  for (const Expr &part : expr.children())
    addLiterals(part, to);
}

/// What a type has is not said again of its users.
void MachineAnalysis::findDeadOperations() {
  for (auto [i, operation] : llvm::enumerate(machine.operations)) {
    if (space.accepted[i])
      continue;
    if (operation.precondition)
      addLiterals(*operation.precondition, askedInVain);
    SourceRange place = operation.precondition ? operation.precondition->range()
                                               : operation.range;
    if (!place.isValid())
      place = operation.range;
    bool isSaid = llvm::any_of(diags.all(), [&](const Diagnostic &said) {
      return said.id == diag::DeadOperation.id && said.range == place;
    });
    if (!isSaid)
      diags.report(place, diag::DeadOperation, operation.name.str(),
                   machine.interface.str());
  }
}

llvm::BitVector MachineAnalysis::leadingTo(size_t position,
                                           ArrayRef<Value> goals) const {
  llvm::BitVector leads(space.states.size());
  // Others may change their cells at any time: states that differ only in
  // these are one.
  auto own = [&](uint32_t state) {
    std::vector<uint16_t> values;
    for (auto [i, value] : llvm::enumerate(space.states[state]))
      if (!space.isFree[i])
        values.push_back(value);
    return values;
  };
  std::map<std::vector<uint16_t>, llvm::SmallVector<uint32_t, 2>> alike;
  for (uint32_t i = 0; i != space.states.size(); ++i) {
    alike[own(i)].push_back(i);
    leads[i] = llvm::is_contained(
        goals, space.value(machine, space.states[i], position));
  }
  std::vector<std::vector<uint32_t>> sources(space.states.size());
  for (const StateSpace::Transition &transition : space.transitions)
    if (!transition.fails)
      sources[transition.to].push_back(transition.from);
  std::vector<uint32_t> open;
  for (unsigned state : leads.set_bits())
    open.push_back(state);
  while (!open.empty()) {
    uint32_t state = open.back();
    open.pop_back();
    llvm::SmallVector<uint32_t, 2> before = alike[own(state)];
    llvm::append_range(before, sources[state]);
    for (uint32_t other : before)
      if (!leads[other]) {
        leads.set(other);
        open.push_back(other);
      }
  }
  return leads;
}

void MachineAnalysis::findTraps(size_t position, ArrayRef<Value> goals) {
  const ir::Cell &cell = machine.cells[space.cells[position]];
  llvm::BitVector leads = leadingTo(position, goals);
  // Whether a value has states without a way on, and others.
  llvm::SmallVector<bool, 8> trapped(cell.domain.size(), false);
  llvm::SmallVector<bool, 8> free(cell.domain.size(), false);
  for (uint32_t i = 0; i != space.states.size(); ++i)
    if (space.isNormal[i])
      (leads[i] ? free : trapped)[space.states[i][position]] = true;
  for (auto [i, value] : llvm::enumerate(cell.domain))
    // That the way on is never taken has been said.
    if (trapped[i] && !free[i] && !llvm::is_contained(askedInVain, value))
      diags.report(cell.range, diag::TrapState, toText(value), cell.name.str(),
                   joinValues(goals));
}

/// What is desired of a cell X stands in intents, or in the values of a cell
/// `desired_X`.
void MachineAnalysis::findTraps() {
  for (auto [position, index] : llvm::enumerate(space.cells)) {
    const ir::Cell &cell = machine.cells[index];
    llvm::SmallVector<Value> goals;
    for (const ir::Intent &intent : machine.intents)
      if (intent.goal == index && !llvm::is_contained(goals, intent.value))
        goals.push_back(intent.value);
    std::string desired = ("desired_" + cell.name.str()).str();
    for (const ir::Cell &other : machine.cells)
      if (goals.empty() && other.name.str() == desired)
        llvm::append_range(goals, other.domain);
    if (!goals.empty() && !space.isFree[position])
      findTraps(position, goals);
  }
}

const ir::Operation *
MachineAnalysis::ownOperation(const ir::Trigger &rule) const {
  if (!rule.receiver.steps.empty() || rule.interface != machine.interface)
    return nullptr;
  auto found =
      llvm::find_if(machine.operations, [&](const ir::Operation &operation) {
        return operation.name == rule.operation;
      });
  return found == machine.operations.end() ? nullptr : found;
}

/// Whether both leave different values in a cell.
static bool contradict(const ir::Operation &a, const ir::Operation &b) {
  auto setsOf = [](const ir::Operation &operation) {
    llvm::SmallVector<ir::Set, 4> sets(operation.entry.sets);
    llvm::append_range(sets, operation.success.sets);
    return sets;
  };
  for (const ir::Set &first : setsOf(a))
    for (const ir::Set &second : setsOf(b)) {
      bool same = first.value->isLiteral() && second.value->isLiteral() &&
                  first.value->value() == second.value->value();
      if (first.cell == second.cell && !same)
        return true;
    }
  return false;
}

/// The states in which \p rule sends its event and \p operation accepts it.
/// Neighbours are left out: where they decide, they may tell rules apart.
llvm::BitVector MachineAnalysis::firesIn(const ir::Trigger &rule,
                                         const ir::Operation &operation) {
  llvm::BitVector result(space.states.size());
  for (auto [i, state] : llvm::enumerate(space.states)) {
    auto isTrue = [&, &state = state](const Expr *condition) {
      return holds(state, condition) == Truth::True;
    };
    result[i] = isTrue(rule.condition) && isTrue(operation.precondition);
  }
  return result;
}

void MachineAnalysis::findAmbiguities() {
  struct Rule {
    const ir::Trigger &trigger;
    const ir::Operation &operation;
    llvm::BitVector states;
  };
  std::vector<Rule> rules;
  for (const ir::Trigger &rule : machine.rules)
    if (const ir::Operation *operation = ownOperation(rule))
      rules.push_back({rule, *operation, firesIn(rule, *operation)});
  for (auto [i, b] : llvm::enumerate(rules))
    for (const Rule &a : llvm::ArrayRef(rules).take_front(i)) {
      if (&a.operation == &b.operation || !a.states.anyCommon(b.states) ||
          !contradict(a.operation, b.operation))
        continue;
      diags
          .report(b.trigger.range, diag::AmbiguousEvent, b.operation.name.str(),
                  a.operation.name.str())
          .note(a.trigger.range, diag::OtherRuleHere, a.operation.name.str());
    }
}

void MachineAnalysis::run(Finality finality) {
  if (!space.isComplete || space.cells.empty())
    return;
  findOutside();
  findDeadOperations();
  findAmbiguities();
  if (finality == Finality::Refinable)
    return;
  findUnreached();
  findTraps();
}

void sema::analyzeMachine(const ir::Machine &machine, Finality finality,
                          DiagnosticEngine &diags) {
  MachineAnalysis(machine, diags).run(finality);
}
