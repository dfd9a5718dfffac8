//===- Watches.cpp - What has to be looked at after a write ---------------===//

#include "Watches.h"

#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::plan;

uint32_t Watches::add(std::optional<AtomId> atom, const CellRef &cell) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (atom) {
    os << "atom " << atom->index;
  } else {
    os << unsigned(cell.route.self) << ' ' << cell.interface.str() << ' '
       << cell.cell.str();
    for (const ir::PathStep &step : cell.route.fromSelf) {
      os << ' ' << unsigned(step.kind) << step.name.str() << ' ';
      if (step.index)
        os << *step.index;
    }
  }
  auto [found, isNew] = byText.try_emplace(text, watches.size());
  if (isNew) {
    watches.push_back({atom, cell.route.fromSelf, cell.route.self});
    byCell[{cell.interface.str().data(), cell.cell.str().data()}].push_back(
        found->second);
  }
  return found->second;
}

/// A loop can be counted if only cells of an element decide about it, or cells
/// of the entity itself: when one of those changes, it is counted anew.
CountedLoops::CountedLoops(Conditions &conditions, const Watches &watches)
    : byElement(watches.size()), byOwner(watches.size()) {
  for (auto [i, loop] : llvm::enumerate(conditions.loops)) {
    bool counted = loop.depth == 1;
    llvm::SmallVector<uint32_t, 2> ofElements, own;
    conditions.visitReads(
        loop.body,
        [&](AtomId atom, bool) {
          const Route &route = conditions.atoms[atom.index].cell.route;
          counted &= route.origin == 1 || route.steps.empty();
          (route.origin == 1 ? ofElements : own).push_back(atom.index);
        },
        [&](const CellRef &) { counted = false; });
    if (!counted)
      continue;
    conditions.loops[i].isCounted = true;
    for (uint32_t watch = 0; watch != watches.size(); ++watch) {
      std::optional<AtomId> atom = watches[watch].atom;
      if (atom && llvm::is_contained(ofElements, atom->index))
        byElement[watch].push_back(i);
      if (atom && llvm::is_contained(own, atom->index))
        byOwner[watch].push_back(i);
    }
  }
}
