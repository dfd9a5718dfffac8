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

static GroundState initialState(const GroundSystem &system,
                                const StatePlaces &places) {
  GroundState state(places.size());
  for (auto [i, cell] : llvm::enumerate(system.cells))
    state[i] = cell.initial;
  return state;
}

GroundInterpreter::GroundInterpreter(const GroundSystem &system,
                                     const Independence &independence)
    : system(system), places(system), order(system, independence),
      now(initialState(system, places)), truth(system, now),
      running(places.numOperations), rulesOf(system.formulas.size()),
      rulesOfOperation(places.numOperations), touched(system.rules.size()),
      isRisen(system.rules.size()) {
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    rulesOf[rule.condition.index].push_back(i);
    rulesOf[system.operations[rule.operation].precondition.index].push_back(i);
    rulesOfOperation[rule.operation].push_back(i);
  }
}

void GroundInterpreter::write(GroundWrite write) {
  if (now[write.cell] == write.value ||
      !(write.isSure() || now[write.cell] == write.from))
    return;
  now[write.cell] = write.value;
  truth.write(write.cell, write.value, [&](FormulaId formula) {
    for (uint32_t rule : rulesOf[formula.index])
      touched.add(rule);
  });
}

void GroundInterpreter::countStart(uint32_t operation, int times) {
  now[places.started(operation)] += times;
  if (system.operations[operation].promise)
    numBroken += times;
}

void GroundInterpreter::setRunning(uint32_t operation, bool isRunning) {
  running[operation] = isRunning;
  for (uint32_t rule : rulesOfOperation[operation])
    touched.add(rule);
}

bool GroundInterpreter::isExpected() const {
  for (auto [i, cell] : llvm::enumerate(system.cells))
    if (now[i] != cell.expected && system.isCompared(cell))
      return false;
  for (auto [i, operation] : llvm::enumerate(system.operations))
    if (now[places.started(i)] != operation.expected &&
        system.isCompared(operation))
      return false;
  return true;
}

void GroundInterpreter::load(const GroundState &state) {
  auto assign = [&](uint32_t place) {
    if (place < places.numCells)
      return write({place, state[place]});
    if (place >= places.held(0)) {
      now[place] = state[place];
      return touched.add(place - places.held(0));
    }
    uint32_t operation = (place - places.numCells) % places.numOperations;
    if (place < places.ended(0))
      countStart(operation, int(state[place]) - int(now[place]));
    else
      now[place] = state[place];
    setRunning(operation, places.isRunning(state, operation));
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
  isEndless |= now[places.started(number)] > maxStarts;
  if (system.operations[number].takesNoTime())
    ++now[places.ended(number)];
  else
    setRunning(number, true);
}

void GroundInterpreter::ends(uint32_t operation) {
  ++now[places.ended(operation)];
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
  while (!touched.empty()) {
    uint32_t number = touched.take();
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
}

bool GroundInterpreter::settle() {
  for (findRisen(); !risen.empty() && !isEndless; findRisen()) {
    ArrayRef<uint32_t> rules = order.toTry(risen);
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
  while (!open.empty() && !isEndless && triesLeft) {
    --triesLeft;
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
    std::vector<uint32_t> rules = order.toTry(risen);
    order.letCallsPass(rules);
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
    now[places.held(i)] = rule.hasHeld;
    touched.add(i);
  }
  for (uint32_t event : system.events)
    deliver(event);
  return settle();
}

bool GroundInterpreter::end(uint32_t operation) {
  finish(operation);
  return settle();
}
