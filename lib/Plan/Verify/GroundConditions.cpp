//===- GroundConditions.cpp - Conditions with paths followed --------------===//

#include "GroundConditions.h"

#include "System/GraphEnvironment.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

/// About 100 MB of formulas.
static constexpr size_t maxFormulas = 4000000;
/// Combinations of cells that a condition which compares cells is tried with.
static constexpr size_t maxCombinations = 4096;

uint8_t GroundConditions::indexOf(CellId cell, ValueId value) const {
  ArrayRef<ValueId> values = ground.cells[numbers.of(cell)].values;
  return llvm::find(values, value) - values.begin();
}

FormulaId GroundConditions::add(Formula formula) {
  ground.formulas.push_back(std::move(formula));
  if (ground.formulas.size() > maxFormulas)
    problem = "its conditions are too many";
  return {uint32_t(ground.formulas.size() - 1)};
}

/// What asks the evaluator comes last: often enough, the rest decides.
FormulaId GroundConditions::group(const Group &group, Binding &bound) {
  if (!problem.empty())
    return constant(false);
  // `all` and `some` do not tell how many elements there are; any other number
  // does.
  tellsApart |= group.quorum.number != (group.quorum.isFromAll ? 0 : 1);
  std::vector<FormulaId> parts;
  Tally constants;
  llvm::SmallVector<std::pair<size_t, TermId>, 2> general;
  auto decides = [&](FormulaId id) {
    if (ground[id].isConstant())
      constants.add(toTruth(ground[id].isTrue()));
    return constants.decides(group.quorum);
  };
  forEachPart(group, bound, [&](TermId id) {
    if (system.conditions[id].kind == Term::Kind::General) {
      general.emplace_back(parts.size(), id);
      parts.emplace_back();
      return true;
    }
    parts.push_back(walk(id, bound, group.wanted));
    return !decides(parts.back()) && problem.empty();
  });
  for (auto [i, id] : general) {
    if (constants.decides(group.quorum))
      break;
    parts[i] = walk(id, bound, group.wanted);
    decides(parts[i]);
  }
  if (constants.decides(group.quorum))
    return constant(!group.quorum.isFromAll);
  int64_t needed = group.quorum.outOf(parts.size());
  return add(Formula::group(std::move(parts), std::max<int64_t>(needed, 0)));
}

FormulaId GroundConditions::atom(AtomId id, Binding &bound, bool wanted) {
  Atom &atom = system.conditions.atoms[id.index];
  CellId cell = findCell(layout, atom.cell, bound);
  if (!cell)
    return constant(atom.whereNothing == wanted);
  if (layout.isHidden(layout.entityOf(cell))) {
    tellsApart = true;
    return constant(false);
  }
  const GroundCell &at = ground.cells[numbers.of(cell)];
  if (isConstant(cell))
    return constant(system.conditions.test(atom, at.values[at.initial]) ==
                    wanted);
  Formula formula = Formula::test(numbers.of(cell), 0);
  for (auto [i, value] : llvm::enumerate(at.values))
    if (system.conditions.test(atom, value) == wanted)
      formula.values |= uint64_t(1) << i;
  return add(std::move(formula));
}

/// What is left to the evaluator is tried with every combination of values.
FormulaId GroundConditions::other(const Term &term, Binding &bound,
                                  bool wanted) {
  const OtherTerm &other = system.conditions.others[term.first];
  ir::EntityId self = bound.front();
  tellsApart = true;
  std::vector<CellId> cells;
  forEachRead(layout, other, self, [&](CellId cell) {
    if (!llvm::is_contained(cells, cell))
      cells.push_back(cell);
  });
  auto valuesOf = [&](CellId id) {
    const GroundCell &cell = ground.cells[numbers.of(id)];
    ArrayRef<ValueId> values = cell.values;
    return isConstant(id) ? values.slice(cell.initial, 1) : values;
  };
  size_t combinations = 1;
  for (CellId cell : cells)
    combinations *= valuesOf(cell).size();
  if (combinations > maxCombinations) {
    problem = "a condition of '" + layout.graph.nameOf(self) +
              "' compares too many cells";
    return constant(false);
  }
  // Each combination for which the condition is as it is wanted is an
  // alternative. Where only one cell varies, they are one test with several
  // values.
  std::vector<FormulaId> alternatives;
  Formula single = Formula::test(0, 0);
  for (size_t number = 0; number != combinations; ++number) {
    std::vector<Formula> tests;
    llvm::SmallDenseMap<uint32_t, ValueId, 4> values;
    size_t rest = number;
    for (CellId cell : cells) {
      ArrayRef<ValueId> known = valuesOf(cell);
      ValueId value = known[rest % known.size()];
      rest /= known.size();
      values[cell.index] = value;
      if (known.size() > 1)
        tests.push_back(Formula::test(numbers.of(cell),
                                      uint64_t(1) << indexOf(cell, value)));
    }
    auto valueOf = [&](CellId cell) -> const Value * {
      auto found = values.find(cell.index);
      return found == values.end() ? nullptr : &system.values[found->second];
    };
    GraphEnvironment environment(layout, self, valueOf,
                                 system.conditions.names);
    ValueArena arena;
    Evaluation answer = evaluate(*other.expr, environment, arena);
    // What only the run knows is taken to hold, as in the plan.
    bool holds =
        answer.isUnknown() || (answer.isKnown() && answer.value().isTrue());
    if (tests.empty())
      return constant(holds == wanted);
    if (tests.size() == 1) {
      single.cell = tests.front().cell;
      single.values |= holds == wanted ? tests.front().values : 0;
    } else if (holds == wanted) {
      std::vector<FormulaId> combination;
      for (Formula &test : tests)
        combination.push_back(add(std::move(test)));
      alternatives.push_back(add(Formula::all(std::move(combination))));
    }
  }
  return add(single.values ? std::move(single)
                           : Formula::any(std::move(alternatives)));
}
