//===- Cubes.cpp - Conditions as alternatives -----------------------------===//

#include "Cubes.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

class CubeMaker {
public:
  explicit CubeMaker(TruthOf &truth) : truth(truth), system(truth.system) {}

  /// Nothing: too many, or not made of cells alone.
  using Cubes = std::optional<std::vector<Cube>>;
  using Bound = llvm::SmallVectorImpl<ir::EntityId>;

  Cubes make(TermId term, Bound &bound, bool wanted);
  static Cubes both(Cubes a, const Cubes &b);

private:
  static constexpr size_t maxCubes = 64;
  static Cubes either(Cubes a, Cubes b);
  static Cubes constant(bool truth) {
    return truth ? Cubes({Cube()}) : Cubes(std::in_place);
  }
  Cubes makeAtom(AtomId atom, Bound &bound, bool wanted);
  Cubes makeLoop(uint32_t loop, Bound &bound, bool wanted);

  TruthOf &truth;
  EventSystem &system;
};

} // namespace

CubeMaker::Cubes CubeMaker::either(Cubes a, Cubes b) {
  if (!a || !b || a->size() + b->size() > maxCubes)
    return std::nullopt;
  a->insert(a->end(), b->begin(), b->end());
  return a;
}

CubeMaker::Cubes CubeMaker::both(Cubes a, const Cubes &b) {
  if (!a || !b || a->size() * b->size() > maxCubes)
    return std::nullopt;
  if (a->size() == 1 && b->size() == 1) {
    a->front().append(b->front());
    return a;
  }
  std::vector<Cube> result;
  for (const Cube &first : *a)
    for (const Cube &second : *b) {
      result.push_back(first);
      result.back().append(second);
    }
  return result;
}

CubeMaker::Cubes CubeMaker::makeAtom(AtomId id, Bound &bound, bool wanted) {
  const Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(system.layout, atom.cell, bound);
  if (!cell)
    return constant(atom.whereNothing == wanted);
  return Cubes({Cube({Literal{cell, id, wanted}})});
}

CubeMaker::Cubes CubeMaker::makeLoop(uint32_t id, Bound &bound, bool wanted) {
  const Loop &loop = system.conditions.loops[id];
  Cubes result = constant(wanted);
  bound.resize(loop.depth);
  forEachEntity(system.layout, loop.route, bound, [&](ir::EntityId element) {
    bound.resize(loop.depth);
    bound.push_back(element);
    Cubes part = make(loop.body, bound, wanted);
    bound.resize(loop.depth);
    result = wanted ? both(std::move(result), part)
                    : either(std::move(result), std::move(part));
    return result.has_value();
  });
  return result;
}

CubeMaker::Cubes CubeMaker::make(TermId id, Bound &bound, bool wanted) {
  const Term &term = system.conditions[id];
  switch (term.kind) {
  case Term::Kind::True:
    return constant(wanted);
  case Term::Kind::False:
    return constant(!wanted);
  case Term::Kind::And:
  case Term::Kind::Or: {
    bool isAll = (term.kind == Term::Kind::And) == wanted;
    Cubes result = constant(isAll);
    for (TermId child : system.conditions.childrenOf(term)) {
      Cubes part = make(child, bound, wanted);
      result = isAll ? both(std::move(result), part)
                     : either(std::move(result), std::move(part));
    }
    return result;
  }
  case Term::Kind::Not:
    return make(system.conditions.childrenOf(term).front(), bound, !wanted);
  case Term::Kind::Atom:
    return makeAtom({term.first}, bound, wanted);
  case Term::Kind::Loop:
    return makeLoop(term.first, bound, wanted);
  case Term::Kind::Static: {
    const StaticAnswer &answer = truth.staticAnswer(term.first, bound.front());
    return constant(answer.guard || answer.holds == wanted);
  }
  case Term::Kind::General:
    return std::nullopt;
  }
  llvm_unreachable("all kinds are handled");
}

bool toscac::plan::conjoin(TruthOf &truth, TermId term, ir::EntityId self,
                           std::vector<Cube> &cubes) {
  llvm::SmallVector<ir::EntityId, 4> bound{self};
  CubeMaker maker(truth);
  CubeMaker::Cubes result =
      CubeMaker::both(std::move(cubes), maker.make(term, bound, true));
  if (!result)
    return false;
  cubes = std::move(*result);
  auto byCell = [](const Literal &a, const Literal &b) {
    return a.cell < b.cell;
  };
  for (Cube &cube : cubes)
    llvm::stable_sort(cube, byCell);
  return true;
}

llvm::SmallVector<Interval, 2>
toscac::plan::intervalsOf(TruthOf &truth, ArrayRef<Literal> literals) {
  CellId cell = literals.front().cell;
  Conditions &conditions = truth.system.conditions;
  auto hold = [&](ValueId value) {
    if (value == atRunTime)
      return true;
    for (const Literal &literal : literals)
      if (conditions.test(conditions.atoms[literal.atom.index], value) !=
          literal.wanted)
        return false;
    return true;
  };
  // From the last write back to what was there from the beginning, which is
  // what the workflow itself has written.
  llvm::SmallVector<Interval, 2> result;
  const History &history = truth.history;
  WriteId write = history.lastWrite(cell), next;
  bool holdsNext = false;
  for (bool isFirst = false; !isFirst;) {
    isFirst = !write || !history.writes[write.index].step;
    bool holds = hold(history.valueAfter(cell, write));
    WriteId begin = isFirst ? WriteId() : write;
    if (holds && holdsNext)
      result.back().begin = begin;
    else if (holds)
      result.push_back({cell, begin, next});
    holdsNext = holds;
    next = write;
    if (!isFirst)
      write = history.writes[write.index].previous;
  }
  std::reverse(result.begin(), result.end());
  return result;
}
