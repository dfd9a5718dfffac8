//===- Moves.cpp - What each move reads and writes ------------------------===//

#include "Moves.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

Moves::Moves(const GroundSystem &system)
    : system(system), numOperations(system.operations.size()),
      effects(numOperations + system.rules.size()),
      writers(system.cells.size()), readers(system.formulas.size()),
      waiting(system.formulas.size()), tests(system.cells.size()) {
  for (Move move = 0; move != size(); ++move)
    findEffects(move);
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    waiting[rule.condition.index].push_back(i);
    waiting[system.operations[rule.operation].precondition.index].push_back(i);
  }
  for (uint32_t i = 0; i != system.formulas.size(); ++i)
    if (!readers[i].empty() || !waiting[i].empty())
      forEachTest(system, {i}, [&](const Formula &test) {
        tests[test.cell].push_back({{i}, test.values});
      });
}

/// \p operation is started, with what it sends on entry.
void Moves::addStart(uint32_t operation, Effects &made) {
  if (llvm::is_contained(made.starts, operation))
    return;
  made.starts.push_back(operation);
  for (GroundWrite write : system.operations[operation].entry)
    made.writes.push_back({write, operation});
  addSends(system.operations[operation].onEntry, made);
}

void Moves::addSends(ArrayRef<GroundSend> sends, Effects &made) {
  for (const GroundSend &send : sends) {
    made.reads.push_back({send.condition, moveItself});
    made.reads.push_back(
        {system.operations[send.operation].precondition, send.operation});
    addStart(send.operation, made);
  }
}

void Moves::findEffects(Move move) {
  Effects &made = effects[move];
  if (isFiring(move)) {
    addStart(system.rules[ruleOf(move)].operation, made);
  } else {
    const GroundOperation &operation = system.operations[move];
    if (operation.takesNoTime())
      return;
    for (GroundWrite write : operation.success)
      made.writes.push_back({write, moveItself});
    addSends(operation.onSuccess, made);
    for (const GroundSend &send : operation.onSuccess) {
      if (system[send.condition].isTrue())
        made.sends.push_back(send.operation);
    }
    llvm::sort(made.sends);
    made.sends.erase(std::unique(made.sends.begin(), made.sends.end()),
                     made.sends.end());
  }
  for (const MoveRead &read : made.reads)
    readers[read.formula.index].push_back({move, read.by});
  for (const MoveWrite &write : made.writes)
    writers[write.write.cell].push_back({move, write});
}
