//===- StubbornSets.cpp - Completions that must be tried now --------------===//

#include "StubbornSets.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

StubbornSets::StubbornSets(const GroundInterpreter &interpreter,
                           const Independence &independence)
    : interpreter(interpreter), independence(independence),
      system(interpreter.system), rules(interpreter.places.numOperations),
      isSent(interpreter.places.numOperations),
      rounds(interpreter.places.numOperations) {
  for (auto [i, rule] : llvm::enumerate(system.rules))
    rules[rule.operation].push_back(i);
  for (const GroundOperation &operation : system.operations)
    for (const auto *sends : {&operation.onEntry, &operation.onSuccess})
      for (const GroundSend &send : *sends)
        isSent.set(send.operation);
}

bool StubbornSets::add(uint32_t completion) {
  if (isIn(completion))
    return false;
  rounds[completion] = round;
  if (interpreter.isRunning(completion))
    enabled.push_back(completion);
  open.push_back(completion);
  return true;
}

/// Those that are in the set already cost nothing, those that run most.
size_t StubbornSets::costOf(ArrayRef<uint32_t> needs) const {
  size_t cost = 0;
  for (uint32_t completion : needs)
    if (!isIn(completion))
      cost += interpreter.isRunning(completion) ? 1000 : 1;
  return cost;
}

std::vector<uint32_t> StubbornSets::needsOf(FormulaId id) const {
  const Formula &formula = system[id];
  std::vector<uint32_t> needs;
  if (formula.isTest()) {
    for (const Independence::CompletionWrite &write :
         independence.writesTo(formula.cell))
      if (formula.values >> write.value & 1)
        needs.push_back(write.completion);
    return needs;
  }
  // Of so many false parts one has to become true; of a group that needs all
  // of its parts, one false part is enough.
  size_t enough = formula.parts.size() - formula.needed + 1;
  std::vector<std::pair<size_t, std::vector<uint32_t>>> open;
  for (FormulaId part : formula.parts) {
    if (interpreter.holds(part))
      continue;
    std::vector<uint32_t> some = needsOf(part);
    size_t cost = costOf(some);
    open.emplace_back(cost, std::move(some));
    if (enough == 1 && cost == 0)
      break;
  }
  auto byCost = [](const auto &a, const auto &b) { return a.first < b.first; };
  if (open.size() > enough)
    llvm::stable_sort(open, byCost);
  for (const auto &[cost, some] : ArrayRef(open).take_front(enough))
    llvm::append_range(needs, some);
  return needs;
}

std::vector<uint32_t> StubbornSets::needsOf(uint32_t operation) const {
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
  if (!interpreter.holds(precondition))
    offer(needsOf(precondition));
  if (least == 0 || isSent.test(operation))
    return best;
  std::vector<uint32_t> needs;
  for (uint32_t rule : rules[operation]) {
    if (interpreter.holds(system.rules[rule].condition))
      return best;
    llvm::append_range(needs, needsOf(system.rules[rule].condition));
  }
  offer(std::move(needs));
  return best;
}

std::vector<uint32_t> StubbornSets::grow(uint32_t first, size_t most) {
  ++round;
  open.clear();
  enabled.clear();
  add(first);
  while (!open.empty()) {
    uint32_t next = open.back();
    open.pop_back();
    if (interpreter.isRunning(next)) {
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

template <typename Completions>
std::vector<uint32_t> StubbornSets::chooseAmong(const Completions &firsts) {
  std::vector<uint32_t> best;
  size_t most = ~size_t(0);
  for (uint32_t first : firsts) {
    std::vector<uint32_t> set = grow(first, most);
    if (set.empty())
      continue;
    best = std::move(set);
    most = best.size();
    if (most == 1)
      return best;
  }
  llvm::sort(best);
  return best;
}

// Most often the first is enough: the others are not even listed.
std::vector<uint32_t> StubbornSets::choose() {
  return chooseAmong(interpreter.allRunning().set_bits());
}

std::vector<uint32_t> StubbornSets::choose(ArrayRef<uint32_t> firsts) {
  return chooseAmong(firsts);
}
