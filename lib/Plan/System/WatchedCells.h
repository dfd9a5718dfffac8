//===- WatchedCells.h - What a write may have changed -----------*- C++ -*-===//
///
/// \file
/// The atoms that read one cell of a machine are tested together: for each
/// value there is a word with a bit for each watch on the cell, set where its
/// atom holds. So a write costs a few operations, however many watches there
/// are.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_WATCHEDCELLS_H
#define TOSCAC_LIB_PLAN_WATCHEDCELLS_H

#include "EventSystem.h"
#include "llvm/ADT/bit.h"

namespace toscac::plan {

class WatchedCells {
public:
  explicit WatchedCells(EventSystem &system);

  /// Calls \p visit with each watch on the cell number \p cell of \p slot's
  /// machine whose atom is not worth what it was, and whether a condition that
  /// was not true may be now, or one that was is not any more. (A value that
  /// only got uncertain makes nothing true.)
  template <typename Visit>
  void forEachChanged(SlotId slot, uint32_t cell, const CellState &before,
                      const CellState &after, Visit visit) {
    uint32_t number = firstCells[system.programOf(slot)] + cell;
    bool isLate = before.value == atRunTime || after.value == atRunTime;
    for (uint32_t i = firstWords[number]; i != firstWords[number + 1]; ++i) {
      Word &word = words[i];
      Bits old = bitsOf(word, before), now = bitsOf(word, after);
      uint64_t strict = word.always | (old.holds ^ now.holds);
      uint64_t changed = strict | (old.isUnknown ^ now.isUnknown);
      uint64_t matters = strict | ((now.holds | word.negated) & ~now.isUnknown);
      if (isLate)
        changed = matters = ~uint64_t(0) >> (64 - word.watches.size());
      for (; changed; changed &= changed - 1) {
        unsigned bit = llvm::countr_zero(changed);
        visit(word.watches[bit], bool(matters >> bit & 1));
      }
    }
  }

private:
  /// A bit for each of up to 64 watches.
  struct Word {
    llvm::SmallVector<uint32_t, 4> watches;
    /// Watches on whole conditions.
    uint64_t always = 0;
    uint64_t negated = 0;
    /// By value, as far as it was asked for.
    std::vector<uint64_t> holds;
    std::vector<uint8_t> isKnown;
  };
  struct Bits {
    uint64_t holds;
    uint64_t isUnknown;
  };
  void add(llvm::ArrayRef<uint32_t> watches);
  uint64_t test(Word &word, ValueId value);
  uint64_t holds(Word &word, ValueId value) {
    if (value.index < word.isKnown.size() && word.isKnown[value.index])
      return word.holds[value.index];
    return test(word, value);
  }
  Bits bitsOf(Word &word, const CellState &state) {
    uint64_t now = holds(word, state.value);
    if (!state.isInFlight())
      return {now, 0};
    if (state.ending == notKnown)
      return {now, ~uint64_t(0)};
    return {now, (now ^ holds(word, state.ending)) |
                     (now ^ holds(word, state.earlier))};
  }

  EventSystem &system;
  /// By program: the number of its first cell.
  std::vector<uint32_t> firstCells;
  /// By number of a cell, and one more.
  std::vector<uint32_t> firstWords;
  std::vector<Word> words;
};

} // namespace toscac::plan

#endif
