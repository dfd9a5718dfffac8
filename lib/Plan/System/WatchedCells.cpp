//===- WatchedCells.cpp - What a write may have changed -------------------===//

#include "WatchedCells.h"

using namespace toscac::plan;

static constexpr size_t bitsOfWord = 64;

WatchedCells::WatchedCells(EventSystem &system) : system(system) {
  for (const Program &program : system.programs) {
    firstCells.push_back(firstWords.size());
    for (llvm::ArrayRef<uint32_t> watches : program.watches) {
      firstWords.push_back(words.size());
      for (; !watches.empty();
           watches = watches.drop_front(std::min(bitsOfWord, watches.size())))
        add(watches.take_front(bitsOfWord));
    }
  }
  firstWords.push_back(words.size());
}

void WatchedCells::add(llvm::ArrayRef<uint32_t> watches) {
  Word &word = words.emplace_back();
  word.watches.assign(watches.begin(), watches.end());
  for (auto [i, watch] : llvm::enumerate(watches)) {
    std::optional<AtomId> atom = system.watches[watch].atom;
    if (!atom)
      word.always |= uint64_t(1) << i;
    else if (system.conditions.atoms[atom->index].isNegated)
      word.negated |= uint64_t(1) << i;
  }
}

uint64_t WatchedCells::test(Word &word, ValueId value) {
  uint64_t holds = 0;
  for (auto [i, watch] : llvm::enumerate(word.watches))
    if (std::optional<AtomId> atom = system.watches[watch].atom)
      if (system.conditions.test(system.conditions.atoms[atom->index], value))
        holds |= uint64_t(1) << i;
  if (!value || value == atRunTime)
    return holds;
  if (word.isKnown.size() <= value.index) {
    word.isKnown.resize(system.values.size());
    word.holds.resize(system.values.size());
  }
  word.isKnown[value.index] = true;
  word.holds[value.index] = holds;
  return holds;
}
