//===- Acts.cpp - What one completion does --------------------------------===//

#include "Acts.h"

#include "llvm/ADT/BitVector.h"
#include <set>

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// Nobody needs to know what comes after so many.
static constexpr uint8_t maxStarts = 100;

void toscac::plan::collectTests(const GroundSystem &system, FormulaId id,
                                std::vector<const Formula *> &tests) {
  const Formula &formula = system[id];
  if (formula.kind == Formula::Kind::Test)
    tests.push_back(&formula);
  for (FormulaId part : formula.parts)
    collectTests(system, part, tests);
}

static void addStart(const GroundSystem &system, uint32_t number,
                     Footprint &footprint) {
  if (llvm::is_contained(footprint.starts, number))
    return;
  footprint.starts.push_back(number);
  const GroundOperation &operation = system.operations[number];
  collectTests(system, operation.precondition, footprint.tests);
  llvm::append_range(footprint.writes, operation.entry);
  for (const GroundSend &send : operation.onEntry) {
    collectTests(system, send.condition, footprint.tests);
    addStart(system, send.operation, footprint);
  }
}

Footprint toscac::plan::footprintOf(const GroundSystem &system,
                                    uint32_t operation) {
  Footprint footprint;
  addStart(system, operation, footprint);
  return footprint;
}

Acts::Acts(const GroundSystem &system)
    : system(system), numCells(system.cells.size()),
      numOperations(system.operations.size()) {
  for (const GroundRule &rule : system.rules) {
    Footprint &footprint = footprints.emplace_back();
    collectTests(system, rule.condition, footprint.tests);
    addStart(system, rule.operation, footprint);
  }
}

void Acts::deliver(ActState &state, uint32_t number) {
  const GroundOperation &operation = system.operations[number];
  if (isRunning(state, number) || !holds(state, operation.precondition))
    return;
  if (++state[started(number)] > maxStarts)
    isEndless = true;
  if (operation.takesNoTime())
    ++state[ended(number)];
  for (GroundWrite write : operation.entry)
    state[write.cell] = write.value;
  if (!isEndless)
    send(state, operation.onEntry);
}

void Acts::send(ActState &state, ArrayRef<GroundSend> sends) {
  for (const GroundSend &send : sends)
    if (holds(state, send.condition))
      deliver(state, send.operation);
}

/// Rules that hold again lose their memory of having held.
std::vector<uint32_t> Acts::risen(ActState &state) const {
  std::vector<uint32_t> result;
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    bool now = holds(state, rule.condition) &&
               holds(state, system.operations[rule.operation].precondition);
    if (!now)
      state[held(i)] = 0;
    else if (!state[held(i)] && !isRunning(state, rule.operation))
      result.push_back(i);
  }
  return result;
}

/// Whether what \p writer writes changes a test of \p reader.
bool Acts::disturbs(const ActState &state, const Footprint &writer,
                    const Footprint &reader) const {
  for (GroundWrite write : writer.writes) {
    for (const Formula *test : reader.tests)
      if (test->cell == write.cell &&
          (test->values >> write.value & 1) !=
              (test->values >> state[write.cell] & 1))
        return true;
    for (GroundWrite other : reader.writes)
      if (other.cell == write.cell)
        return true;
  }
  return false;
}

/// The rules that may fire before this act is over.
std::vector<uint32_t> Acts::mayFire(const ActState &state,
                                    ArrayRef<uint32_t> risen) const {
  std::vector<uint32_t> result(risen);
  llvm::BitVector seen(system.rules.size());
  for (uint32_t rule : risen)
    seen.set(rule);
  for (size_t i = 0; i != result.size(); ++i)
    for (uint32_t other = 0; other != system.rules.size(); ++other)
      if (!seen.test(other) &&
          disturbs(state, footprints[result[i]], footprints[other])) {
        seen.set(other);
        result.push_back(other);
      }
  return result;
}

static bool startsSame(const Footprint &a, const Footprint &b) {
  return llvm::any_of(a.starts, [&](uint32_t operation) {
    return llvm::is_contained(b.starts, operation);
  });
}

ArrayRef<uint32_t> Acts::toTry(const ActState &state,
                               ArrayRef<uint32_t> risen) const {
  if (risen.size() < 2)
    return risen;
  std::vector<uint32_t> others = mayFire(state, risen);
  for (const uint32_t &rule : risen) {
    bool isAlone = llvm::none_of(others, [&](uint32_t other) {
      return other != rule &&
             (startsSame(footprints[rule], footprints[other]) ||
              disturbs(state, footprints[rule], footprints[other]) ||
              disturbs(state, footprints[other], footprints[rule]));
    });
    if (isAlone)
      return rule;
  }
  return risen;
}

std::vector<ActState> Acts::settle(ActState first) {
  std::vector<ActState> open, settled;
  std::set<ActState> seen;
  open.push_back(std::move(first));
  while (!open.empty() && !isEndless) {
    ActState state = std::move(open.back());
    open.pop_back();
    std::vector<uint32_t> rules = risen(state);
    if (!seen.insert(state).second)
      continue;
    if (rules.empty()) {
      settled.push_back(std::move(state));
      continue;
    }
    for (uint32_t rule : toTry(state, rules)) {
      ActState after = state;
      after[held(rule)] = 1;
      deliver(after, system.rules[rule].operation);
      open.push_back(std::move(after));
    }
  }
  return settled;
}

std::vector<ActState> Acts::begin() {
  ActState state(stateSize());
  for (auto [i, cell] : llvm::enumerate(system.cells))
    state[i] = cell.initial;
  for (auto [i, rule] : llvm::enumerate(system.rules))
    state[held(i)] = rule.hasHeld;
  for (uint32_t event : system.events)
    deliver(state, event);
  return settle(std::move(state));
}

std::vector<ActState> Acts::end(const ActState &before, uint32_t number) {
  ActState state = before;
  ++state[ended(number)];
  const GroundOperation &operation = system.operations[number];
  for (GroundWrite write : operation.success)
    state[write.cell] = write.value;
  send(state, operation.onSuccess);
  return settle(std::move(state));
}
