//===- Stubborn.cpp - Completions that must be tried now ------------------===//

#include "Stubborn.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

Stubborn::Stubborn(const Acts &acts, const Independence &independence)
    : acts(acts), independence(independence), system(acts.system),
      rules(acts.numOperations), isSent(acts.numOperations),
      rounds(acts.numOperations) {
  for (auto [i, rule] : llvm::enumerate(system.rules))
    rules[rule.operation].push_back(i);
  for (const GroundOperation &operation : system.operations)
    for (const auto *sends : {&operation.onEntry, &operation.onSuccess})
      for (const GroundSend &send : *sends)
        isSent.set(send.operation);
}

bool Stubborn::add(uint32_t act) {
  if (isIn(act))
    return false;
  rounds[act] = round;
  if (acts.isRunning(act))
    enabled.push_back(act);
  open.push_back(act);
  return true;
}

/// Those that are in the set already cost nothing, those that run most.
size_t Stubborn::costOf(ArrayRef<uint32_t> needs) const {
  size_t cost = 0;
  for (uint32_t act : needs)
    if (!isIn(act))
      cost += acts.isRunning(act) ? 1000 : 1;
  return cost;
}

std::vector<uint32_t> Stubborn::needsOf(FormulaId id) const {
  const Formula &formula = system[id];
  std::vector<uint32_t> needs;
  if (formula.kind == Formula::Kind::Test) {
    for (const Independence::ActWrite &write :
         independence.writesTo(formula.cell))
      if (formula.values >> write.value & 1)
        needs.push_back(write.act);
    return needs;
  }
  if (formula.kind == Formula::Kind::Or) {
    for (FormulaId part : formula.parts)
      llvm::append_range(needs, needsOf(part));
    return needs;
  }
  // One false part is enough.
  size_t best = ~size_t(0);
  for (FormulaId part : formula.parts) {
    if (acts.holds(part))
      continue;
    std::vector<uint32_t> some = needsOf(part);
    size_t cost = costOf(some);
    if (cost >= best)
      continue;
    best = cost;
    needs = std::move(some);
    if (cost == 0)
      break;
  }
  return needs;
}

std::vector<uint32_t> Stubborn::needsOf(uint32_t operation) const {
  std::vector<uint32_t> best(independence.startersOf(operation));
  size_t least = costOf(best);
  auto offer = [&](std::vector<uint32_t> needs) {
    size_t cost = costOf(needs);
    if (cost < least) {
      least = cost;
      best = std::move(needs);
    }
  };
  FormulaId precondition = system.operations[operation].precondition;
  if (!acts.holds(precondition))
    offer(needsOf(precondition));
  if (least == 0 || isSent.test(operation))
    return best;
  std::vector<uint32_t> needs;
  for (uint32_t rule : rules[operation]) {
    if (acts.holds(system.rules[rule].condition))
      return best;
    llvm::append_range(needs, needsOf(system.rules[rule].condition));
  }
  offer(std::move(needs));
  return best;
}

std::vector<uint32_t> Stubborn::grow(uint32_t first, size_t most) {
  ++round;
  open.clear();
  enabled.clear();
  add(first);
  while (!open.empty()) {
    uint32_t next = open.back();
    open.pop_back();
    if (acts.isRunning(next)) {
      for (uint32_t other : independence.against(next))
        add(other);
    } else {
      for (uint32_t need : needsOf(next))
        add(need);
    }
    if (enabled.size() >= most)
      return {};
  }
  return enabled;
}

std::vector<uint32_t> Stubborn::choose() {
  const llvm::BitVector &running = acts.allRunning();
  std::vector<uint32_t> best;
  size_t most = running.count();
  for (unsigned first : running.set_bits()) {
    std::vector<uint32_t> set = grow(first, most);
    if (set.empty())
      continue;
    best = std::move(set);
    most = best.size();
    if (most == 1)
      return best;
  }
  if (best.empty())
    for (unsigned operation : running.set_bits())
      best.push_back(operation);
  llvm::sort(best);
  return best;
}
