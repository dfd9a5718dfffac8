//===- GroundInterpreter.cpp - What one completion does -------------------===//

#include "GroundInterpreter.h"

#include <cstring>
#include <set>

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// How often an operation may start before its system counts as endless. The
/// count is a byte of the state; symbolic runs stop at 64 (--max-repeats).
static constexpr uint8_t maxStarts = 100;

GroundInterpreter::GroundInterpreter(const GroundSystem &system,
                                     const Independence &independence)
    : system(system), numCells(system.cells.size()),
      numOperations(system.operations.size()), independence(independence),
      running(numOperations), truth(system.formulas.size()),
      counts(system.formulas.size()), parents(system.formulas.size(), ~0u),
      tests(numCells), rulesOf(system.formulas.size()),
      rulesOfOperation(numOperations), isTouched(system.rules.size()),
      isRisen(system.rules.size()), mayFire(system.rules.size()) {
  now.resize(stateSize());
  for (auto [i, cell] : llvm::enumerate(system.cells))
    now[i] = cell.initial;
  // Parts come before what they are part of.
  for (auto [i, formula] : llvm::enumerate(system.formulas)) {
    for (FormulaId part : formula.parts) {
      parents[part.index] = i;
      counts[i] += truth[part.index];
    }
    if (!formula.isTest()) {
      truth[i] = counts[i] >= formula.needed;
      continue;
    }
    tests[formula.cell].push_back(i);
    truth[i] = formula.values >> now[formula.cell] & 1;
  }
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    rulesOf[rule.condition.index].push_back(i);
    rulesOf[system.operations[rule.operation].precondition.index].push_back(i);
    rulesOfOperation[rule.operation].push_back(i);
  }
}

void GroundInterpreter::flip(uint32_t at) {
  for (;;) {
    truth[at] ^= 1;
    for (uint32_t rule : rulesOf[at])
      touch(rule);
    uint32_t parent = parents[at];
    if (parent == ~0u)
      return;
    counts[parent] += truth[at] ? 1 : -1;
    bool holds = counts[parent] >= system.formulas[parent].needed;
    if (holds == bool(truth[parent]))
      return;
    at = parent;
  }
}

void GroundInterpreter::write(GroundWrite write) {
  if (now[write.cell] == write.value ||
      !(write.isSure() || now[write.cell] == write.from))
    return;
  now[write.cell] = write.value;
  for (uint32_t test : tests[write.cell])
    if ((system.formulas[test].values >> write.value & 1) != truth[test])
      flip(test);
}

void GroundInterpreter::countStart(uint32_t operation, int times) {
  now[started(operation)] += times;
  if (system.operations[operation].promise)
    numBroken += times;
}

void GroundInterpreter::setRunning(uint32_t operation, bool isRunning) {
  running[operation] = isRunning;
  for (uint32_t rule : rulesOfOperation[operation])
    touch(rule);
}

bool GroundInterpreter::isExpected() const {
  for (auto [i, cell] : llvm::enumerate(system.cells))
    if (now[i] != cell.expected && system.isCompared(cell))
      return false;
  for (auto [i, operation] : llvm::enumerate(system.operations))
    if (now[started(i)] != operation.expected && system.isCompared(operation))
      return false;
  return true;
}

void GroundInterpreter::load(const GroundState &state) {
  auto assign = [&](uint32_t place) {
    if (place < numCells)
      return write({place, state[place]});
    if (place >= held(0)) {
      now[place] = state[place];
      return touch(place - held(0));
    }
    uint32_t operation = (place - numCells) % numOperations;
    if (place < ended(0))
      countStart(operation, int(state[place]) - int(now[place]));
    else
      now[place] = state[place];
    setRunning(operation, isRunning(state, operation));
  };
  static constexpr uint32_t block = 32;
  for (uint32_t first = 0; first < now.size(); first += block) {
    uint32_t size = std::min<uint32_t>(block, now.size() - first);
    if (std::memcmp(&now[first], &state[first], size) == 0)
      continue;
    for (uint32_t place = first; place != first + size; ++place)
      if (now[place] != state[place])
        assign(place);
  }
}

void GroundInterpreter::deliver(uint32_t operation) {
  Nothing needs;
  if (accepts(operation, needs))
    enter(operation);
}

void GroundInterpreter::starts(uint32_t number) {
  if (onStart)
    onStart(number);
  countStart(number, 1);
  isEndless |= now[started(number)] > maxStarts;
  if (system.operations[number].takesNoTime())
    ++now[ended(number)];
  else
    setRunning(number, true);
}

void GroundInterpreter::ends(uint32_t operation) {
  ++now[ended(operation)];
  setRunning(operation, false);
}

void GroundInterpreter::writeAll(uint32_t number, When when) {
  const GroundOperation &operation = system.operations[number];
  for (GroundWrite each :
       when == When::Entry ? operation.entry : operation.success)
    write(each);
}

void GroundInterpreter::sendAll(uint32_t number, When when) {
  const GroundOperation &operation = system.operations[number];
  for (const GroundSend &send :
       when == When::Entry ? operation.onEntry : operation.onSuccess)
    if (holds(send.condition) && !isEndless)
      deliver(send.operation);
}

void GroundInterpreter::findRisen() {
  for (uint32_t number : touched) {
    isTouched[number] = false;
    Nothing needs;
    bool doesRise = rises(number, needs);
    if (doesRise == isRisen[number])
      continue;
    isRisen[number] = doesRise;
    auto at = llvm::lower_bound(risen, number);
    if (doesRise)
      risen.insert(at, number);
    else
      risen.erase(at);
  }
  touched.clear();
}

/// Calls of tasks come first.
void GroundInterpreter::letCallsPass(std::vector<uint32_t> &rules) const {
  llvm::SmallVector<uint32_t, 4> called;
  for (uint32_t rule : rules)
    if (system.rules[rule].isCall)
      called.push_back(system.rules[rule].operation);
  llvm::erase_if(rules, [&](uint32_t rule) {
    return !system.rules[rule].isCall &&
           llvm::is_contained(called, system.rules[rule].operation);
  });
}

ArrayRef<uint32_t> GroundInterpreter::toTry() {
  if (risen.size() < 2)
    return risen;
  // Tasks follow each other in the act that ends one; they write what nobody
  // else does.
  for (const uint32_t &rule : risen)
    if (system.operations[system.rules[rule].operation].isTask())
      return rule;
  for (const uint32_t &rule : risen)
    if (independence.rulesAgainst(rule).empty())
      return rule;
  mayFire.reset();
  for (uint32_t rule : risen) {
    mayFire.set(rule);
    for (uint32_t later : independence.rulesAfter(rule))
      mayFire.set(later);
  }
  for (const uint32_t &rule : risen)
    if (llvm::none_of(independence.rulesAgainst(rule),
                      [&](uint32_t other) { return mayFire.test(other); }))
      return rule;
  return risen;
}

bool GroundInterpreter::settle() {
  for (findRisen(); !risen.empty() && !isEndless; findRisen()) {
    ArrayRef<uint32_t> rules = toTry();
    if (rules.size() != 1)
      return false;
    Nothing needs;
    fire(rules.front(), needs);
  }
  return true;
}

void GroundInterpreter::tryOrders(llvm::function_ref<void()> visit) {
  std::set<GroundState> seen;
  std::vector<GroundState> open{now};
  while (!open.empty() && !isEndless) {
    load(open.back());
    open.pop_back();
    findRisen();
    if (!seen.insert(now).second)
      continue;
    if (risen.empty()) {
      visit();
      continue;
    }
    GroundState before = now;
    std::vector<uint32_t> rules = toTry();
    letCallsPass(rules);
    for (uint32_t rule : rules) {
      load(before);
      findRisen();
      Nothing needs;
      fire(rule, needs);
      open.push_back(now);
    }
  }
}

bool GroundInterpreter::begin() {
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    now[held(i)] = rule.hasHeld;
    touch(i);
  }
  for (uint32_t event : system.events)
    deliver(event);
  return settle();
}

bool GroundInterpreter::end(uint32_t operation) {
  finish(operation);
  return settle();
}
