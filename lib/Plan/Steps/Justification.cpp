//===- Justification.cpp - What makes a condition hold --------------------===//

#include "Justification.h"

#include "Guards.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace toscac;
using namespace toscac::plan;

void JustificationOf::operator()(TermId term, ir::EntityId self, Moment at,
                                 Justification &justification) {
  moment = at;
  found = &justification;
  walk(term, self, /*wanted=*/true);
}

/// None: it is known already.
void JustificationOf::addGuard(const Expr *guard, bool wanted) {
  if (!guard)
    return;
  ValueArena &arena = system.conditions.arena;
  found->guards.push_back(
      wanted ? guard
             : arena.make(Expr::call(Function::Not,
                                     arena.save(llvm::ArrayRef(*guard)))));
}

WriteId JustificationOf::heldSince(AtomId id, CellId cell, WriteId write,
                                   bool wanted) {
  Atom &atom = system.conditions.atoms[id.index];
  while (write) {
    WriteId previous = history.writes[write.index].previous;
    ValueId before = history.valueAfter(cell, previous);
    if (before == atRunTime || system.conditions.test(atom, before) != wanted)
      return write;
    write = previous;
  }
  return write;
}

void JustificationOf::atom(AtomId id, Binding &bound, bool wanted) {
  const Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(system.layout, atom.cell, bound);
  if (!cell)
    return;
  WriteId last = history.lastWrite(cell, moment);
  if (history.valueAfter(cell, last) == atRunTime) {
    found->deps.push_back(history.writes[last.index].step);
    found->late.push_back({last, id, wanted});
    found->guards.push_back(
        guardFor(system.layout, atom, cell, wanted, system.conditions.arena));
    return;
  }
  WriteId begin = heldSince(id, cell, last, wanted);
  if (begin && history.writes[begin.index].step)
    found->deps.push_back(history.writes[begin.index].step);
}

uint32_t JustificationOf::stageAfter(const Justification &justification) const {
  uint32_t stage = 0;
  for (Dep dep : justification.deps)
    stage = std::max(stage, steps.stage(dep.step()) + 1);
  return stage;
}

void JustificationOf::choose(llvm::ArrayRef<Justification> candidates,
                             size_t needed) {
  // One that needs nothing of the run is better than any that does.
  auto rank = [&](const Justification &candidate) {
    return std::pair(!candidate.guards.empty(), stageAfter(candidate));
  };
  llvm::SmallVector<const Justification *, 4> ranked;
  for (const Justification &candidate : candidates)
    ranked.push_back(&candidate);
  llvm::stable_sort(ranked,
                    [&](const Justification *a, const Justification *b) {
                      return rank(*a) < rank(*b);
                    });
  llvm::ArrayRef<const Justification *> best = ranked;
  best = best.take_front(needed);
  bool isChoice = candidates.size() > needed;
  auto take = [&](const Justification &candidate) {
    for (Dep dep : candidate.deps)
      found->deps.push_back(Dep(dep.step(), isChoice || dep.isChoice()));
  };
  if (!isChoice || best.empty() || best.back()->guards.empty()) {
    for (const Justification *candidate : best) {
      take(*candidate);
      found->guards.append(candidate->guards);
      found->late.append(candidate->late);
    }
    return;
  }
  // Whichever of them will turn out to hold.
  Conditions &conditions = system.conditions;
  llvm::SmallVector<const Expr *, 4> guards;
  for (const Justification &candidate : candidates) {
    take(candidate);
    if (candidate.guards.empty())
      --needed;
    else
      guards.push_back(
          combineGuards(candidate.guards, Function::And, conditions.arena));
  }
  found->guards.push_back(
      someOf(guards, needed, conditions.names, conditions.arena));
}

void JustificationOf::group(const Group &group, Binding &bound) {
  llvm::SmallVector<Justification, 2> candidates;
  int64_t parts = 0;
  forEachPart(group, bound, [&](TermId part) {
    ++parts;
    if (group.quorum.isAll()) {
      walk(part, bound, group.wanted);
    } else if (truth.isWorth(part, bound, group.wanted, moment)) {
      llvm::SaveAndRestore into(found, &candidates.emplace_back());
      walk(part, bound, group.wanted);
    }
    return true;
  });
  if (!candidates.empty())
    choose(candidates, std::max<int64_t>(group.quorum.outOf(parts), 0));
}

/// The evaluator does not say which of the cells it read decided.
void JustificationOf::other(const Term &term, Binding &bound, bool wanted) {
  if (term.kind == Term::Kind::Static)
    return addGuard(truth.staticAnswer(term.first, bound.front()).guard,
                    wanted);
  forEachRead(system.layout, system.conditions.others[term.first],
              bound.front(), [&](CellId cell) {
                WriteId write = history.lastWrite(cell, moment);
                if (write && history.writes[write.index].step)
                  found->deps.push_back(history.writes[write.index].step);
              });
  bool isKnown;
  StaticAnswer answer = truth.general(term.first, bound.front(), moment,
                                      /*stable=*/false, isKnown);
  addGuard(answer.guard, wanted);
}
