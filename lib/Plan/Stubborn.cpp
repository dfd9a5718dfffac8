//===- Stubborn.cpp - Completions that must be tried now ------------------===//

#include "Stubborn.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;
using llvm::BitVector;

static void addCells(const GroundSystem &system, FormulaId formula,
                     BitVector &cells) {
  std::vector<const Formula *> tests;
  collectTests(system, formula, tests);
  for (const Formula *test : tests)
    cells.set(test->cell);
}

Stubborn::Stubborn(const Acts &acts)
    : acts(acts), system(acts.system), rulesOfCell(acts.numCells) {
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    BitVector cells(acts.numCells);
    addCells(system, rule.condition, cells);
    addCells(system, system.operations[rule.operation].precondition, cells);
    for (unsigned cell : cells.set_bits())
      rulesOfCell[cell].push_back(i);
  }
  uint32_t count = acts.numOperations;
  starts.assign(count, BitVector(count));
  startedBy.assign(count, BitVector(count));
  conflicts.assign(count, BitVector(count));
  writes.assign(count, BitVector(acts.numCells));
  reads.assign(count, BitVector(acts.numCells));
  writers.assign(acts.numCells, BitVector(count));
  for (uint32_t i = 0; i != count; ++i)
    findEffects(i);
  findConflicts();
}

/// \p operation may start in the act \p by, and all that follows from it.
void Stubborn::addStart(uint32_t operation, uint32_t by) {
  llvm::SmallVector<uint32_t> open{operation};
  while (!open.empty()) {
    uint32_t next = open.pop_back_val();
    if (starts[by].test(next))
      continue;
    starts[by].set(next);
    startedBy[next].set(by);
    addCells(system, system.operations[next].precondition, reads[by]);
    for (const GroundSend &send : system.operations[next].onEntry) {
      addCells(system, send.condition, reads[by]);
      open.push_back(send.operation);
    }
    for (GroundWrite write : system.operations[next].entry)
      writes[by].set(write.cell);
  }
}

void Stubborn::findEffects(uint32_t operation) {
  const GroundOperation &ending = system.operations[operation];
  for (GroundWrite write : ending.success)
    writes[operation].set(write.cell);
  for (const GroundSend &send : ending.onSuccess) {
    addCells(system, send.condition, reads[operation]);
    addStart(send.operation, operation);
  }
  auto addRule = [&](const GroundRule &rule) {
    addCells(system, rule.condition, reads[operation]);
    addStart(rule.operation, operation);
  };
  // One that held all the time fires again only after it has not.
  for (const GroundRule &rule : system.rules)
    if (rule.operation == operation)
      addRule(rule);
  BitVector done(acts.numCells);
  for (int cell;
       (cell = (BitVector(writes[operation]).reset(done)).find_first()) >= 0;) {
    done.set(cell);
    for (uint32_t rule : rulesOfCell[cell])
      addRule(system.rules[rule]);
  }
  for (unsigned cell : writes[operation].set_bits())
    writers[cell].set(operation);
}

void Stubborn::findConflicts() {
  for (uint32_t a = 0; a != acts.numOperations; ++a)
    for (uint32_t b = 0; b != a; ++b)
      if (writes[a].anyCommon(reads[b]) || writes[b].anyCommon(reads[a]) ||
          writes[a].anyCommon(writes[b]) || starts[a].anyCommon(starts[b]) ||
          starts[a].test(b) || starts[b].test(a)) {
        conflicts[a].set(b);
        conflicts[b].set(a);
      }
}

bool Stubborn::falseTests(const ActState &state, FormulaId id,
                          llvm::SmallVectorImpl<const Formula *> &tests) const {
  if (acts.holds(state, id))
    return false;
  const Formula &formula = system[id];
  if (formula.kind == Formula::Kind::Test)
    tests.push_back(&formula);
  for (FormulaId part : formula.parts)
    if (falseTests(state, part, tests) && formula.kind == Formula::Kind::And)
      break;
  return true;
}

/// Acts without which \p operation, which does not run, never ends.
void Stubborn::addNeeds(const ActState &state, uint32_t operation,
                        BitVector &set,
                        llvm::SmallVectorImpl<uint32_t> &open) const {
  BitVector needs = startedBy[operation];
  llvm::SmallVector<const Formula *> tests;
  if (falseTests(state, system.operations[operation].precondition, tests)) {
    BitVector wanted(acts.numOperations);
    for (const Formula *test : tests)
      wanted |= writers[test->cell];
    if (wanted.count() < needs.count())
      needs = wanted;
  }
  needs.reset(set);
  for (unsigned need : needs.set_bits())
    open.push_back(need);
  set |= needs;
}

std::vector<uint32_t> Stubborn::choose(const ActState &state,
                                       ArrayRef<uint32_t> running) const {
  std::vector<uint32_t> best(running);
  for (uint32_t first : running) {
    BitVector set(acts.numOperations);
    set.set(first);
    llvm::SmallVector<uint32_t> open{first};
    size_t size = 0;
    while (!open.empty() && size < best.size()) {
      uint32_t next = open.pop_back_val();
      if (!acts.isRunning(state, next)) {
        addNeeds(state, next, set, open);
        continue;
      }
      ++size;
      BitVector fresh = conflicts[next];
      fresh.reset(set);
      set |= fresh;
      for (unsigned other : fresh.set_bits())
        open.push_back(other);
    }
    if (size >= best.size())
      continue;
    best.clear();
    for (uint32_t operation : running)
      if (set.test(operation))
        best.push_back(operation);
    if (best.size() == 1)
      break;
  }
  return best;
}
