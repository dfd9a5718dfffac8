//===- NormalForm.cpp - Conditions as alternatives ------------------------===//

#include "NormalForm.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

/// Nothing: too many, or not made of cells alone.
using Alternatives = std::optional<std::vector<Conjunction>>;

class NormalFormBuilder
    : public ConditionWalk<NormalFormBuilder, Alternatives> {
public:
  explicit NormalFormBuilder(TruthOf &truth)
      : ConditionWalk(truth.system.conditions), truth(truth),
        system(truth.system) {}

  static Alternatives both(Alternatives a, Alternatives b);

private:
  friend ConditionWalk;
  /// Alternatives multiply where conditions are conjoined. Beyond, the event
  /// is not settled by rules, and other orders are looked at instead.
  static constexpr size_t maxConjunctions = 64;
  static Alternatives either(Alternatives a, Alternatives b);
  static Alternatives constant(bool truth) {
    return truth ? Alternatives({Conjunction()}) : Alternatives(std::in_place);
  }
  Alternatives atom(AtomId atom, Binding &bound, bool wanted);
  Alternatives other(const Term &term, Binding &bound, bool wanted);
  Alternatives group(const Group &group, Binding &bound);
  Alternatives some(const Group &group, Binding &bound);

  TruthOf &truth;
  EventSystem &system;
};

} // namespace

Alternatives NormalFormBuilder::either(Alternatives a, Alternatives b) {
  if (!a || !b || a->size() + b->size() > maxConjunctions)
    return std::nullopt;
  a->insert(a->end(), b->begin(), b->end());
  return a;
}

Alternatives NormalFormBuilder::both(Alternatives a, Alternatives b) {
  if (!a || !b || a->size() * b->size() > maxConjunctions)
    return std::nullopt;
  if (a->size() == 1 && a->front().empty())
    return b;
  if (b->size() == 1) {
    for (Conjunction &alternative : *a)
      alternative.append(b->front());
    return a;
  }
  std::vector<Conjunction> result;
  for (const Conjunction &first : *a)
    for (const Conjunction &second : *b) {
      result.push_back(first);
      result.back().append(second);
    }
  return result;
}

Alternatives NormalFormBuilder::atom(AtomId id, Binding &bound, bool wanted) {
  const Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(system.layout, atom.cell, bound);
  if (!cell)
    return constant(atom.whereNothing == wanted);
  Alternatives result(std::in_place, 1);
  result->front().push_back({cell, id, wanted});
  return result;
}

Alternatives NormalFormBuilder::other(const Term &term, Binding &bound,
                                      bool wanted) {
  if (term.kind == Term::Kind::General)
    return std::nullopt;
  const StaticAnswer &answer = truth.staticAnswer(term.first, bound.front());
  return constant(answer.guard || answer.holds == wanted);
}

Alternatives NormalFormBuilder::group(const Group &group, Binding &bound) {
  if (!group.quorum.isAll())
    return some(group, bound);
  Alternatives result = constant(true);
  forEachPart(group, bound, [&](TermId id) {
    result = both(std::move(result), walk(id, bound, group.wanted));
    return result.has_value();
  });
  return result;
}

/// Each choice of as many parts as it takes is an alternative.
Alternatives NormalFormBuilder::some(const Group &group, Binding &bound) {
  std::vector<Alternatives> parts;
  int64_t number = 0;
  bool isComplete = true;
  forEachPart(group, bound, [&](TermId id) {
    ++number;
    Alternatives part = walk(id, bound, group.wanted);
    if (!part || !part->empty())
      parts.push_back(std::move(part));
    isComplete =
        parts.empty() || (parts.back() && parts.size() <= maxConjunctions);
    return isComplete;
  });
  if (!isComplete)
    return std::nullopt;
  int64_t needed = group.quorum.outOf(number), open = parts.size();
  if (needed <= 0 || needed > open)
    return constant(needed <= 0);
  // By how many of the parts so far hold; what cannot get there any more is
  // not looked at.
  std::vector<Alternatives> ways(needed + 1, constant(false));
  ways[0] = constant(true);
  for (const Alternatives &part : parts) {
    --open;
    for (int64_t i = needed; i > 0 && i + open >= needed; --i)
      ways[i] = either(std::move(ways[i]), both(ways[i - 1], part));
  }
  return ways[needed];
}

bool toscac::plan::conjoin(TruthOf &truth, TermId term, ir::EntityId self,
                           std::vector<Conjunction> &conjunctions) {
  NormalFormBuilder maker(truth);
  Alternatives result = NormalFormBuilder::both(std::move(conjunctions),
                                                maker.walk(term, self, true));
  if (!result)
    return false;
  conjunctions = std::move(*result);
  auto byCell = [](const Literal &a, const Literal &b) {
    return a.cell < b.cell;
  };
  for (Conjunction &conjunction : conjunctions)
    llvm::stable_sort(conjunction, byCell);
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
  bool holdsNext = false, isNextLate = false;
  for (bool isFirst = false; !isFirst;) {
    isFirst = !write || !history.writes[write.index].step;
    bool holds = hold(history.valueAfter(cell, write));
    WriteId begin = isFirst ? WriteId() : write;
    bool isLate = history.valueAfter(cell, write) == atRunTime;
    // Whether what an output will be goes on with what is there is not known.
    if (holds && holdsNext && !isLate && !isNextLate)
      result.back().begin = begin;
    else if (holds)
      result.push_back({cell, begin, next});
    holdsNext = holds;
    isNextLate = isLate;
    next = write;
    if (!isFirst)
      write = history.writes[write.index].previous;
  }
  std::reverse(result.begin(), result.end());
  return result;
}
