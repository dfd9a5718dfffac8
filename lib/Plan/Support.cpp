//===- Support.cpp - What makes a condition hold --------------------------===//

#include "Support.h"

#include "Guards.h"

using namespace toscac;
using namespace toscac::plan;

void SupportOf::operator()(TermId term, ir::EntityId self, Moment at,
                           Support &support) {
  moment = at;
  llvm::SmallVector<ir::EntityId, 4> bound{self};
  collect(term, bound, /*wanted=*/true, support);
}

void SupportOf::collect(TermId id, Bound &bound, bool wanted,
                        Support &support) {
  const Term &term = system.conditions[id];
  switch (term.kind) {
  case Term::Kind::True:
  case Term::Kind::False:
    return;
  case Term::Kind::And:
  case Term::Kind::Or:
    if ((term.kind == Term::Kind::And) != wanted)
      return collectAny(term, bound, wanted, support);
    for (TermId child : system.conditions.childrenOf(term))
      collect(child, bound, wanted, support);
    return;
  case Term::Kind::Not:
    return collect(system.conditions.childrenOf(term).front(), bound, !wanted,
                   support);
  case Term::Kind::Atom:
    return collectAtom({term.first}, bound, wanted, support);
  case Term::Kind::Loop:
    return collectLoop(term.first, bound, wanted, support);
  case Term::Kind::Static:
    return addGuard(truth.staticAnswer(term.first, bound.front()).guard, wanted,
                    support);
  case Term::Kind::General:
    return collectGeneral(term.first, bound, wanted, support);
  }
}

/// None: it is known already.
void SupportOf::addGuard(const Expr *guard, bool wanted, Support &support) {
  if (!guard)
    return;
  ValueArena &arena = system.conditions.arena;
  support.guards.push_back(
      wanted ? guard
             : arena.make(Expr::call(Function::Not,
                                     arena.save(llvm::ArrayRef(*guard)))));
}

WriteId SupportOf::startOfRun(AtomId id, CellId cell, WriteId write,
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

/// \p test, in which \p query takes the place of the one it has.
static Expr withQuery(const Expr &test, const Expr &query, ValueArena &arena) {
  if (test.isCall(Function::GetAttribute))
    return query;
  llvm::SmallVector<Expr, 4> children;
  for (const Expr &child : test.children())
    children.push_back(withQuery(child, query, arena));
  return withChildren(test, arena.save(llvm::ArrayRef<Expr>(children)));
}

void SupportOf::collectAtom(AtomId id, Bound &bound, bool wanted,
                            Support &support) {
  const Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(system.layout, atom.cell, bound);
  if (!cell)
    return;
  WriteId last = history.lastWrite(cell, moment);
  if (history.valueAfter(cell, last) == atRunTime) {
    ValueArena &arena = system.conditions.arena;
    Expr query = queryOf(system.layout, cell, arena);
    support.deps.push_back(history.writes[last.index].step);
    support.late.push_back({last, id, wanted});
    return addGuard(arena.make(withQuery(*atom.test, query, arena)), wanted,
                    support);
  }
  WriteId begin = startOfRun(id, cell, last, wanted);
  if (begin && history.writes[begin.index].step)
    support.deps.push_back(history.writes[begin.index].step);
}

bool SupportOf::isWorth(TermId term, Bound &bound, bool wanted) {
  // Loops bind further entities; what was bound before stays.
  llvm::SmallVector<ir::EntityId, 4> copy(bound.begin(), bound.end());
  Truth stable = truth.evaluate(term, copy, moment).stable;
  return stable == (wanted ? Truth::True : Truth::False);
}

uint32_t SupportOf::stageAfter(const Support &support) const {
  uint32_t stage = 0;
  for (Dep dep : support.deps)
    stage = std::max(stage, steps.stage(dep.step()) + 1);
  return stage;
}

void SupportOf::choose(llvm::MutableArrayRef<Support> candidates,
                       Support &support) {
  if (candidates.empty())
    return;
  // One that needs nothing of the run is better than any that does.
  auto rank = [&](const Support &candidate) {
    return std::pair(!candidate.guards.empty(), stageAfter(candidate));
  };
  Support *best = candidates.begin();
  for (Support &candidate : candidates)
    if (rank(candidate) < rank(*best))
      best = &candidate;
  bool isChoice = candidates.size() > 1;
  auto take = [&](const Support &candidate) {
    for (Dep dep : candidate.deps)
      support.deps.push_back(Dep(dep.step(), isChoice || dep.isChoice()));
  };
  if (!isChoice || best->guards.empty()) {
    take(*best);
    support.guards.append(best->guards);
    support.late.append(best->late);
    return;
  }
  // Whichever of them will turn out to hold.
  llvm::SmallVector<const Expr *, 4> guards;
  for (const Support &candidate : candidates) {
    take(candidate);
    guards.push_back(combineGuards(candidate.guards, Function::And,
                                   system.conditions.arena));
  }
  support.guards.push_back(
      combineGuards(guards, Function::Or, system.conditions.arena));
}

void SupportOf::collectAny(const Term &term, Bound &bound, bool wanted,
                           Support &support) {
  llvm::SmallVector<Support, 2> candidates;
  for (TermId child : system.conditions.childrenOf(term))
    if (isWorth(child, bound, wanted))
      collect(child, bound, wanted, candidates.emplace_back());
  choose(candidates, support);
}

void SupportOf::collectLoop(uint32_t id, Bound &bound, bool wanted,
                            Support &support) {
  const Loop &loop = system.conditions.loops[id];
  llvm::SmallVector<Support, 0> candidates;
  bound.resize(loop.depth);
  forEachEntity(system.layout, loop.route, bound, [&](ir::EntityId element) {
    bound.resize(loop.depth);
    bound.push_back(element);
    if (wanted)
      collect(loop.body, bound, wanted, support);
    else if (isWorth(loop.body, bound, wanted))
      collect(loop.body, bound, wanted, candidates.emplace_back());
    bound.resize(loop.depth);
    return true;
  });
  choose(candidates, support);
}

/// The evaluator does not say which of the cells it read decided.
void SupportOf::collectGeneral(uint32_t other, Bound &bound, bool wanted,
                               Support &support) {
  for (const CellRef &ref : system.conditions.others[other].reads) {
    Route route{0, ref.route.fromSelf, ref.route.fromSelf, ref.route.self};
    forEachEntity(system.layout, route, bound, [&](ir::EntityId entity) {
      auto cell = system.layout.findCell(entity, ref.interface, ref.cell);
      if (!cell)
        return true;
      WriteId write = history.lastWrite(cell, moment);
      if (write && history.writes[write.index].step)
        support.deps.push_back(history.writes[write.index].step);
      return true;
    });
  }
  bool isKnown;
  StaticAnswer answer = truth.general(other, bound.front(), moment,
                                      /*stable=*/false, isKnown);
  addGuard(answer.guard, wanted, support);
}
