//===- Watches.h - What has to be looked at after a write -------*- C++ -*-===//
///
/// \file
/// Which reads of cells there are in all conditions. When a cell is written,
/// the watches on it lead back to the entities whose conditions may have
/// changed.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_WATCHES_H
#define TOSCAC_LIB_PLAN_WATCHES_H

#include "Conditions.h"

namespace toscac::plan {

/// Says that a cell is read by conditions of entities from which a path leads
/// to it. The conditions of one machine that do so are in its program.
struct Watch {
  /// Not set: the whole condition is to be looked at, whatever was written.
  std::optional<AtomId> atom;
  llvm::ArrayRef<ir::PathStep> fromSelf;
  ir::EntityKind self;
};

class Watches {
public:
  /// The watch for reads of \p cell; alike ones are one.
  uint32_t add(std::optional<AtomId> atom, const CellRef &cell);

  uint32_t size() const { return watches.size(); }
  const Watch &operator[](uint32_t watch) const { return watches[watch]; }
  /// Watches on the cells of that name.
  llvm::SmallVector<uint32_t, 2> on(Name interface, Name cell) const {
    return byCell.lookup({interface.str().data(), cell.str().data()});
  }

private:
  std::vector<Watch> watches;
  using CellName = std::pair<const char *, const char *>;
  llvm::DenseMap<CellName, llvm::SmallVector<uint32_t, 2>> byCell;
  llvm::StringMap<uint32_t> byText;
};

/// Loops whose truth can be counted, so that a write to a cell of one element
/// costs no look at the others.
class CountedLoops {
public:
  /// Marks the loops of \p conditions that can be counted.
  CountedLoops(Conditions &conditions, const Watches &watches);

  /// Those whose body reads a cell of an element by \p watch.
  llvm::ArrayRef<uint32_t> ofElement(uint32_t watch) const {
    return byElement[watch];
  }
  /// Those whose body reads, by \p watch, a cell of the entity that has the
  /// condition: they are counted anew.
  llvm::ArrayRef<uint32_t> ofOwner(uint32_t watch) const {
    return byOwner[watch];
  }

private:
  std::vector<llvm::SmallVector<uint32_t, 1>> byElement, byOwner;
};

} // namespace toscac::plan

#endif
