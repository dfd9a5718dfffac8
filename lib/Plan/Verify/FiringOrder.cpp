//===- FiringOrder.cpp - Which rules have to be tried first ---------------===//

#include "FiringOrder.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

ArrayRef<uint32_t> FiringOrder::toTry(ArrayRef<uint32_t> risen) {
  if (risen.size() < 2)
    return risen;
  // Tasks follow each other in the completion that ends one; they write what
  // nobody else does.
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

void FiringOrder::letCallsPass(std::vector<uint32_t> &rules) const {
  llvm::SmallVector<uint32_t, 4> called;
  for (uint32_t rule : rules)
    if (system.rules[rule].isCall)
      called.push_back(system.rules[rule].operation);
  llvm::erase_if(rules, [&](uint32_t rule) {
    return !system.rules[rule].isCall &&
           llvm::is_contained(called, system.rules[rule].operation);
  });
}
