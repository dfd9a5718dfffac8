//===- Acts.cpp - What one completion does --------------------------------===//

#include "Acts.h"

#include <cstring>
#include <set>

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// Nobody needs to know what comes after so many.
static constexpr uint8_t maxStarts = 100;

Acts::Acts(const GroundSystem &system, const Independence &independence)
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
    bool isAnd = formula.kind == Formula::Kind::And;
    for (FormulaId part : formula.parts) {
      parents[part.index] = i;
      counts[i] += bool(truth[part.index]) != isAnd;
    }
    if (formula.kind != Formula::Kind::Test) {
      truth[i] = isAnd == (counts[i] == 0);
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

void Acts::flip(uint32_t at) {
  for (;;) {
    truth[at] ^= 1;
    for (uint32_t rule : rulesOf[at])
      touch(rule);
    uint32_t parent = parents[at];
    if (parent == ~0u)
      return;
    bool isAnd = system.formulas[parent].kind == Formula::Kind::And;
    bool had = counts[parent] != 0;
    counts[parent] += bool(truth[at]) != isAnd ? 1 : -1;
    if (had == (counts[parent] != 0))
      return;
    at = parent;
  }
}

void Acts::write(GroundWrite write) {
  if (now[write.cell] == write.value)
    return;
  now[write.cell] = write.value;
  for (uint32_t test : tests[write.cell])
    if ((system.formulas[test].values >> write.value & 1) != truth[test])
      flip(test);
}

void Acts::countStart(uint32_t operation, int times) {
  now[started(operation)] += times;
  if (system.operations[operation].promise)
    numBroken += times;
}

void Acts::setRunning(uint32_t operation, bool isRunning) {
  running[operation] = isRunning;
  for (uint32_t rule : rulesOfOperation[operation])
    touch(rule);
}

void Acts::load(const ActState &state) {
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

void Acts::deliver(uint32_t number) {
  const GroundOperation &operation = system.operations[number];
  if (isRunning(number) || !holds(operation.precondition))
    return;
  if (onStart)
    onStart(number);
  countStart(number, 1);
  if (now[started(number)] > maxStarts)
    isEndless = true;
  if (operation.takesNoTime())
    ++now[ended(number)];
  else
    setRunning(number, true);
  for (GroundWrite entry : operation.entry)
    write(entry);
  if (!isEndless)
    send(operation.onEntry);
}

void Acts::send(ArrayRef<GroundSend> sends) {
  for (const GroundSend &send : sends)
    if (holds(send.condition))
      deliver(send.operation);
}

void Acts::fire(uint32_t rule) {
  now[held(rule)] = 1;
  touch(rule);
  deliver(system.rules[rule].operation);
}

void Acts::findRisen() {
  for (uint32_t number : touched) {
    isTouched[number] = false;
    const GroundRule &rule = system.rules[number];
    bool isTrue = holds(rule.condition) &&
                  holds(system.operations[rule.operation].precondition);
    if (!isTrue)
      now[held(number)] = 0;
    bool rises = isTrue && !now[held(number)] && !isRunning(rule.operation);
    if (rises == isRisen[number])
      continue;
    isRisen[number] = rises;
    auto at = llvm::lower_bound(risen, number);
    if (rises)
      risen.insert(at, number);
    else
      risen.erase(at);
  }
  touched.clear();
}

ArrayRef<uint32_t> Acts::toTry() {
  if (risen.size() < 2)
    return risen;
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

bool Acts::settle() {
  for (findRisen(); !risen.empty() && !isEndless; findRisen()) {
    ArrayRef<uint32_t> rules = toTry();
    if (rules.size() != 1)
      return false;
    fire(rules.front());
  }
  return true;
}

void Acts::tryOrders(llvm::function_ref<void()> visit) {
  std::set<ActState> seen;
  std::vector<ActState> open{now};
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
    ActState before = now;
    for (uint32_t rule : std::vector<uint32_t>(toTry())) {
      load(before);
      findRisen();
      fire(rule);
      open.push_back(now);
    }
  }
}

bool Acts::begin() {
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    now[held(i)] = rule.hasHeld;
    touch(i);
  }
  for (uint32_t event : system.events)
    deliver(event);
  return settle();
}

bool Acts::end(uint32_t number) {
  ++now[ended(number)];
  setRunning(number, false);
  const GroundOperation &operation = system.operations[number];
  for (GroundWrite success : operation.success)
    write(success);
  send(operation.onSuccess);
  return settle();
}
