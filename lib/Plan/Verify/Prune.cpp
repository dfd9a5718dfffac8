//===- Prune.cpp - What can happen in a ground system ---------------------===//
///
/// \file
/// Two sets grow together until neither does: operations that some order might
/// accept, and values that cells might have. A condition can hold if each of
/// its tests has a value that makes it true, whether or not these values ever
/// meet: what is left out surely never happens, what is kept may not happen
/// either.
///
//===----------------------------------------------------------------------===//

#include "Prune.h"

#include "llvm/ADT/BitVector.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

class Pruner {
public:
  explicit Pruner(const GroundSystem &all) : all(all) {}

  GroundSystem prune();

private:
  bool canHold(FormulaId id) const;
  void findPossible();
  bool tryAccept(uint32_t operation);
  std::vector<EventId> findSentInVain() const;
  FormulaId simplify(FormulaId id, GroundSystem &into);
  void pruneOperation(const GroundOperation &old, GroundSystem &into);

  const GroundSystem &all;
  /// By cell, a bit for each value that it might have.
  std::vector<uint64_t> possible;
  /// Operations that some order might accept.
  llvm::BitVector accepted;
  /// New numbers of what is kept.
  std::vector<uint32_t> cellNumbers, operationNumbers;
};

} // namespace

bool Pruner::canHold(FormulaId id) const {
  const Formula &formula = all[id];
  if (formula.isTest())
    return formula.values & possible[formula.cell];
  return formula.areEnough([&](FormulaId part) { return canHold(part); });
}

bool Pruner::tryAccept(uint32_t number) {
  const GroundOperation &operation = all.operations[number];
  if (accepted.test(number) || !canHold(operation.precondition))
    return false;
  accepted.set(number);
  for (const auto *writes : {&operation.entry, &operation.success})
    for (GroundWrite write : *writes)
      possible[write.cell] |= uint64_t(1) << write.value;
  return true;
}

/// What some order might accept, and the values that cells might have.
void Pruner::findPossible() {
  for (const GroundCell &cell : all.cells)
    possible.push_back(uint64_t(1) << cell.initial);
  accepted.resize(all.operations.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t event : all.events)
      changed |= tryAccept(event);
    for (const GroundRule &rule : all.rules)
      if (!accepted.test(rule.operation) && canHold(rule.condition))
        changed |= tryAccept(rule.operation);
    for (unsigned sender : accepted.set_bits())
      for (const auto *sends :
           {&all.operations[sender].onEntry, &all.operations[sender].onSuccess})
        for (const GroundSend &send : *sends)
          if (!accepted.test(send.operation) && canHold(send.condition))
            changed |= tryAccept(send.operation);
  }
}

/// A rule without a condition wants nothing but what the precondition says.
std::vector<EventId> Pruner::findSentInVain() const {
  llvm::BitVector sent(all.operations.size());
  for (uint32_t event : all.events)
    sent.set(event);
  for (const GroundRule &rule : all.rules)
    if (rule.isConditional && canHold(rule.condition))
      sent.set(rule.operation);
  for (unsigned sender : accepted.set_bits())
    for (const auto *sends :
         {&all.operations[sender].onEntry, &all.operations[sender].onSuccess})
      for (const GroundSend &send : *sends)
        if (canHold(send.condition))
          sent.set(send.operation);
  sent.reset(accepted);
  std::vector<EventId> result;
  for (unsigned operation : sent.set_bits())
    if (!all.operations[operation].takesNoTime())
      result.push_back(all.operations[operation].id);
  return result;
}

FormulaId Pruner::simplify(FormulaId id, GroundSystem &into) {
  const Formula &formula = all[id];
  auto make = [&](Formula made) -> FormulaId {
    into.formulas.push_back(std::move(made));
    return {uint32_t(into.formulas.size() - 1)};
  };
  if (formula.isTest()) {
    uint64_t can = possible[formula.cell];
    if ((formula.values & can) == can || !(formula.values & can))
      return make(Formula::constant(formula.values & can));
    return make(Formula::test(cellNumbers[formula.cell], formula.values));
  }
  std::vector<FormulaId> parts;
  size_t needed = formula.needed, left = formula.parts.size();
  for (FormulaId part : formula.parts) {
    if (needed == 0 || left < needed)
      break;
    FormulaId child = simplify(part, into);
    if (!into[child].isConstant())
      parts.push_back(child);
    else if (into[child].isTrue())
      --needed;
    left -= into[child].isConstant();
  }
  if (needed == 0 || left < needed)
    return make(Formula::constant(needed == 0));
  if (parts.size() == 1)
    return parts.front();
  return make(Formula::group(std::move(parts), needed));
}

void Pruner::pruneOperation(const GroundOperation &old, GroundSystem &into) {
  GroundOperation kept{old.id, simplify(old.precondition, into)};
  kept.expected = old.expected;
  kept.promise = old.promise;
  kept.owner = old.owner;
  auto keepWrites = [&](ArrayRef<GroundWrite> from,
                        std::vector<GroundWrite> &to) {
    for (GroundWrite write : from)
      if (cellNumbers[write.cell] != ~0u)
        to.push_back({cellNumbers[write.cell], write.value, write.from});
  };
  auto keepSends = [&](ArrayRef<GroundSend> from, std::vector<GroundSend> &to) {
    for (const GroundSend &send : from)
      if (accepted.test(send.operation) && canHold(send.condition))
        to.push_back(
            {simplify(send.condition, into), operationNumbers[send.operation]});
  };
  keepWrites(old.entry, kept.entry);
  keepWrites(old.success, kept.success);
  keepSends(old.onEntry, kept.onEntry);
  keepSends(old.onSuccess, kept.onSuccess);
  into.operations.push_back(std::move(kept));
}

GroundSystem Pruner::prune() {
  findPossible();
  GroundSystem kept;
  cellNumbers.assign(all.cells.size(), ~0u);
  for (auto [i, cell] : llvm::enumerate(all.cells))
    if (possible[i] & (possible[i] - 1)) {
      cellNumbers[i] = kept.cells.size();
      kept.cells.push_back(cell);
    }
  operationNumbers.assign(all.operations.size(), ~0u);
  uint32_t number = 0;
  for (unsigned operation : accepted.set_bits())
    operationNumbers[operation] = number++;
  for (unsigned operation : accepted.set_bits())
    pruneOperation(all.operations[operation], kept);
  for (const GroundRule &rule : all.rules)
    if (accepted.test(rule.operation) && canHold(rule.condition))
      kept.rules.push_back({simplify(rule.condition, kept),
                            operationNumbers[rule.operation], rule.owner,
                            rule.hasHeld, rule.isConditional, rule.isCall});
  for (uint32_t event : all.events)
    if (accepted.test(event))
      kept.events.push_back(operationNumbers[event]);
  kept.sentInVain = findSentInVain();
  kept.leavesTasks = all.leavesTasks;
  return kept;
}

GroundSystem toscac::plan::prune(const GroundSystem &all) {
  return Pruner(all).prune();
}
