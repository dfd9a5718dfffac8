//===- StateSpace.cpp - All states of a machine ---------------------------===//
///
/// \file
/// Breadth first from where the machine begins. An operation is taken as one
/// step: what others do while it runs is found from the states around it.
///
//===----------------------------------------------------------------------===//

#include "toscac/IR/StateSpace.h"

#include "toscac/Value/Evaluate.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace toscac;
using namespace toscac::ir;
using llvm::ArrayRef;
using MachineState = StateSpace::State;

namespace {

/// Knows the own cells, and nothing of neighbours.
class OwnCells : public Environment {
public:
  OwnCells(const Machine &machine, const StateSpace &space,
           const MachineState &state)
      : machine(machine), space(space), state(state) {}

  Evaluation attribute(const Query &query) override {
    ArrayRef<Value> words = query.arguments;
    auto is = [&](size_t i, llvm::StringRef text) {
      return words[i].isString() && words[i].asString() == text;
    };
    bool isOwn = words.size() == 4 && is(0, "SELF") && is(1, "INTERFACE") &&
                 is(2, machine.interface.str()) && words[3].isString();
    if (isOwn)
      for (auto [position, cell] : llvm::enumerate(space.cells))
        if (machine.cells[cell].name.str() == words[3].asString())
          return space.value(machine, state, position);
    return Evaluation::unknown();
  }

private:
  const Machine &machine;
  const StateSpace &space;
  const MachineState &state;
};

class Explorer {
public:
  Explorer(const Machine &machine, ValueArena &arena)
      : machine(machine), arena(arena), holds(machine, space, arena) {}

  StateSpace run();

private:
  void chooseCells();
  bool isSet(uint32_t cell) const;
  /// The number of \p state, which others may change at once.
  void reach(const MachineState &state, bool isNormal);
  uint32_t add(const MachineState &state, bool isNormal);
  void expand(uint32_t from);
  /// All states that \p sets can lead to from \p states.
  std::vector<MachineState> apply(std::vector<MachineState> states,
                                  ArrayRef<Set> sets);
  /// The indices of the values that \p set can give its cell in \p state.
  llvm::SmallVector<uint16_t, 4> valuesOf(const Set &set,
                                          const MachineState &state);
  void mark(const MachineState &state);

  const Machine &machine;
  ValueArena &arena;
  /// All its values as one number; `withFree` false: without cells that others
  /// set.
  uint32_t codeOf(const MachineState &state, bool withFree) const;

  StateSpace space;
  OwnConditions holds;
  static constexpr uint32_t none = ~0u;
  /// By code.
  std::vector<uint32_t> numbers;
  /// By code without free cells: all states that others make of it are there,
  /// and are normal.
  std::vector<bool> isReached, isReachedNormally;
  /// States whose operations are still to be looked at.
  std::vector<uint32_t> open;
};

} // namespace

bool OwnConditions::addReads(const Expr &expr, Answers &answers) const {
  if (expr.isLiteral()) {
    const Value &value = expr.value();
    if (value.isString())
      for (auto [position, cell] : llvm::enumerate(space.cells))
        if (machine.cells[cell].name.str() == value.asString() &&
            !llvm::is_contained(answers.reads, position))
          answers.reads.push_back(position);
    return !value.isList() && !value.isMap();
  }
  auto isLiteral = [](const Expr &word) { return word.isLiteral(); };
  if (expr.isCall(Function::Custom) ||
      (expr.isCall(Function::GetAttribute) &&
       !llvm::all_of(expr.children(), isLiteral)))
    return false;
  return llvm::all_of(expr.children(), [&](const Expr &child) {
    return addReads(child, answers);
  });
}

OwnConditions::Answers OwnConditions::makeAnswers(const Expr &condition) const {
  Answers answers;
  if (!addReads(condition, answers))
    answers.reads = llvm::to_vector<4>(
        llvm::seq<uint32_t>(0, static_cast<uint32_t>(space.cells.size())));
  size_t count = 1;
  for (uint32_t position : answers.reads)
    count *= machine.cells[space.cells[position]].domain.size();
  answers.truths.resize(count);
  return answers;
}

Truth OwnConditions::operator()(const MachineState &state,
                                const Expr *condition) {
  if (!condition)
    return Truth::True;
  auto [found, isNew] = known.try_emplace(condition);
  if (isNew)
    found->second = makeAnswers(*condition);
  Answers &answers = found->second;
  size_t code = 0;
  for (uint32_t position : answers.reads)
    code = code * machine.cells[space.cells[position]].domain.size() +
           state[position];
  std::optional<Truth> &truth = answers.truths[code];
  if (!truth)
    truth = evaluateIn(state, *condition);
  return *truth;
}

Truth OwnConditions::evaluateIn(const MachineState &state,
                                const Expr &condition) {
  OwnCells environment(machine, space, state);
  Evaluation result = evaluate(condition, environment, arena);
  if (!result.isKnown() || !result.value().isBoolean())
    return result.isUnknown() ? Truth::Maybe : Truth::False;
  return result.value().asBoolean() ? Truth::True : Truth::False;
}

bool Explorer::isSet(uint32_t cell) const {
  auto sets = [&](const Reaction &reaction) {
    return llvm::any_of(reaction.sets,
                        [&](const Set &set) { return set.cell == cell; });
  };
  return llvm::any_of(machine.operations, [&](const Operation &operation) {
    return sets(operation.entry) || sets(operation.success) ||
           sets(operation.failure);
  });
}

void Explorer::chooseCells() {
  size_t states = 1;
  for (auto [i, cell] : llvm::enumerate(machine.cells)) {
    if (cell.domain.empty() || cell.domain.size() > StateSpace::maxStates)
      continue;
    states *= cell.domain.size();
    space.isComplete &= states <= StateSpace::maxStates;
    if (!space.isComplete)
      return;
    space.cells.push_back(i);
    // Day two writes what it asks for.
    bool isRequest = false;
#define CELL_ROLE(field, mark) isRequest |= machine.roles.field == i;
#include "toscac/IR/Roles.def"
    space.isFree.push_back(!isSet(i) || isRequest);
    space.reached.emplace_back(cell.domain.size(), false);
  }
}

void Explorer::mark(const MachineState &state) {
  for (auto [position, value] : llvm::enumerate(state))
    space.reached[position][value] = true;
}

uint32_t Explorer::codeOf(const MachineState &state, bool withFree) const {
  uint32_t code = 0;
  for (auto [position, value] : llvm::enumerate(state)) {
    code *= machine.cells[space.cells[position]].domain.size();
    code += withFree || !space.isFree[position] ? value : 0;
  }
  return code;
}

uint32_t Explorer::add(const MachineState &state, bool isNormal) {
  uint32_t &number = numbers[codeOf(state, /*withFree=*/true)];
  if (number == none) {
    number = space.states.size();
    space.states.push_back(state);
    space.isNormal.push_back(isNormal);
    mark(state);
    open.push_back(number);
  } else if (isNormal && !space.isNormal[number]) {
    // What follows from here is normal, too.
    space.isNormal[number] = true;
    open.push_back(number);
  }
  return number;
}

void Explorer::reach(const MachineState &state, bool isNormal) {
  uint32_t code = codeOf(state, /*withFree=*/false);
  if (isNormal ? isReachedNormally[code] : isReached[code])
    return;
  isReached[code] = true;
  isReachedNormally[code] = isReachedNormally[code] || isNormal;
  std::vector<MachineState> variants = {state};
  for (auto [position, free] : llvm::enumerate(space.isFree)) {
    if (!free)
      continue;
    size_t values = machine.cells[space.cells[position]].domain.size();
    for (size_t i = 0, end = variants.size(); i != end; ++i)
      for (uint16_t value = 0; value != values; ++value) {
        MachineState variant = variants[i];
        variant[position] = value;
        if (variant != variants[i])
          variants.push_back(variant);
      }
  }
  for (const MachineState &variant : variants)
    add(variant, isNormal);
}

llvm::SmallVector<uint16_t, 4> Explorer::valuesOf(const Set &set,
                                                  const MachineState &state) {
  ArrayRef<Value> domain = machine.cells[set.cell].domain;
  OwnCells environment(machine, space, state);
  Evaluation result = evaluate(*set.value, environment, arena);
  llvm::SmallVector<uint16_t, 4> values;
  for (auto [i, value] : llvm::enumerate(domain))
    if (!result.isKnown() || value == result.value())
      values.push_back(i);
  auto isSame = [&](const StateSpace::Outside &other) {
    return other.set == &set && other.value == result.value();
  };
  if (values.empty() && llvm::none_of(space.outside, isSame))
    space.outside.push_back({&set, result.value()});
  return values;
}

std::vector<MachineState> Explorer::apply(std::vector<MachineState> states,
                                          ArrayRef<Set> sets) {
  for (const Set &set : sets) {
    auto position = llvm::find(space.cells, set.cell);
    if (position == space.cells.end())
      continue;
    std::vector<MachineState> next;
    for (const MachineState &state : states)
      for (uint16_t value : valuesOf(set, state)) {
        next.push_back(state);
        next.back()[position - space.cells.begin()] = value;
      }
    states = std::move(next);
  }
  return states;
}

void Explorer::expand(uint32_t from) {
  MachineState state = space.states[from];
  bool isNormal = space.isNormal[from];
  for (auto [i, operation] : llvm::enumerate(machine.operations)) {
    if (holds(state, operation.precondition) == Truth::False)
      continue;
    space.accepted[i] = true;
    std::vector<MachineState> entered = apply({state}, operation.entry.sets);
    for (const MachineState &running : entered)
      mark(running);
    for (bool fails : {false, true}) {
      const Reaction &reaction = fails ? operation.failure : operation.success;
      for (const MachineState &done : apply(entered, reaction.sets)) {
        reach(done, isNormal && !fails);
        uint32_t to = add(done, isNormal && !fails);
        space.transitions.push_back(
            {from, to, static_cast<uint32_t>(i), fails});
      }
    }
  }
}

StateSpace Explorer::run() {
  space.accepted.assign(machine.operations.size(), false);
  chooseCells();
  if (!space.isComplete)
    return std::move(space);
  MachineState initial;
  size_t numCodes = 1;
  for (uint32_t cell : space.cells) {
    ArrayRef<Value> domain = machine.cells[cell].domain;
    numCodes *= domain.size();
    auto found = llvm::find(domain, machine.cells[cell].initial);
    initial.push_back(found == domain.end() ? 0 : found - domain.begin());
  }
  numbers.assign(numCodes, none);
  isReached.resize(numCodes);
  isReachedNormally.resize(numCodes);
  reach(initial, /*isNormal=*/true);
  while (!open.empty()) {
    uint32_t next = open.back();
    open.pop_back();
    expand(next);
  }
  return std::move(space);
}

StateSpace ir::explore(const Machine &machine, ValueArena &arena) {
  return Explorer(machine, arena).run();
}
