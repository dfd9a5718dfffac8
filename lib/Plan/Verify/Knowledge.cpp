//===- Knowledge.cpp - What holds where a move is possible ----------------===//

#include "Knowledge.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

static void tidy(Knowledge &knowledge) {
  llvm::stable_sort(knowledge, [](const Known &a, const Known &b) {
    return a.cell < b.cell;
  });
  size_t kept = 0;
  for (const Known &known : knowledge)
    if (kept && knowledge[kept - 1].cell == known.cell)
      knowledge[kept - 1].values &= known.values;
    else
      knowledge[kept++] = known;
  knowledge.resize(kept);
}

/// A cell that each of \p parts says something about has what one of them says.
static void requireAny(const GroundSystem &system, ArrayRef<FormulaId> parts,
                       Knowledge &knowledge) {
  Knowledge any;
  for (auto [i, part] : llvm::enumerate(parts)) {
    Knowledge needs = neededFor(system, part);
    if (i == 0)
      any = needs;
    llvm::erase_if(any, [&](Known &known) {
      known.values |= valuesOf(needs, known.cell);
      return known.values == ~uint64_t(0);
    });
    if (any.empty())
      return;
  }
  llvm::append_range(knowledge, any);
}

static void require(const GroundSystem &system, FormulaId id,
                    Knowledge &knowledge) {
  const Formula &formula = system[id];
  if (formula.isTest())
    knowledge.push_back({formula.cell, formula.values});
  else if (formula.needsAll())
    for (FormulaId part : formula.parts)
      require(system, part, knowledge);
  else
    requireAny(system, formula.parts, knowledge);
}

Knowledge toscac::plan::neededFor(const GroundSystem &system,
                                  FormulaId formula) {
  Knowledge needs;
  require(system, formula, needs);
  tidy(needs);
  return needs;
}

uint64_t toscac::plan::valuesOf(const Knowledge &knowledge, uint32_t cell) {
  auto at = llvm::partition_point(
      knowledge, [&](const Known &known) { return known.cell < cell; });
  return at != knowledge.end() && at->cell == cell ? at->values : ~uint64_t(0);
}

bool toscac::plan::areCompatible(const Knowledge &a, const Knowledge &b) {
  const Knowledge &few = a.size() < b.size() ? a : b;
  const Knowledge &many = a.size() < b.size() ? b : a;
  return llvm::all_of(few, [&](const Known &known) {
    return known.values & valuesOf(many, known.cell);
  });
}

namespace {

class KnowledgeFinder {
public:
  KnowledgeFinder(const GroundSystem &system, const Moves &moves)
      : system(system), moves(moves), known(moves.size()) {}

  std::vector<Knowledge> find();

private:
  void assumeAll();
  bool staysTrue(uint32_t operation, Known fact) const;

  const GroundSystem &system;
  const Moves &moves;
  std::vector<Knowledge> known;
  /// By operation, what its precondition asks for at least.
  std::vector<Knowledge> required;
};

} // namespace

/// Whether nothing that may happen while \p operation runs makes \p fact
/// untrue, if the rest of what is known is true.
bool KnowledgeFinder::staysTrue(uint32_t operation, Known fact) const {
  return llvm::none_of(moves.writersOf(fact.cell), [&](const auto &writer) {
    const auto &[move, write] = writer;
    if (fact.values >> write.write.value & 1 || write.by == operation)
      return false;
    if (write.by == moveItself)
      return move != operation && areCompatible(known[move], known[operation]);
    return areCompatible(required[write.by], known[operation]);
  });
}

/// What would hold if nothing else happened.
void KnowledgeFinder::assumeAll() {
  for (const GroundOperation &operation : system.operations)
    required.push_back(neededFor(system, operation.precondition));
  for (uint32_t i = 0; i != system.operations.size(); ++i) {
    Knowledge &facts = known[i];
    for (GroundWrite write : system.operations[i].entry) {
      if (!write.isSure())
        continue;
      llvm::erase_if(
          facts, [&](const Known &fact) { return fact.cell == write.cell; });
      facts.push_back({write.cell, uint64_t(1) << write.value});
    }
    tidy(facts);
    size_t written = facts.size();
    for (const Known &need : required[i])
      if (llvm::none_of(
              ArrayRef(facts).take_front(written),
              [&](const Known &fact) { return fact.cell == need.cell; }))
        facts.push_back(need);
    tidy(facts);
  }
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    Knowledge &facts = known[moves.firing(i)];
    require(system, rule.condition, facts);
    llvm::append_range(facts, required[rule.operation]);
    tidy(facts);
  }
}

/// The greatest set of facts that bear each other out.
std::vector<Knowledge> KnowledgeFinder::find() {
  assumeAll();
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i != system.operations.size(); ++i) {
      size_t before = known[i].size();
      Knowledge kept;
      for (const Known &fact : known[i])
        if (staysTrue(i, fact))
          kept.push_back(fact);
      changed |= kept.size() != before;
      known[i] = std::move(kept);
    }
  }
  return std::move(known);
}

std::vector<Knowledge> toscac::plan::findKnowledge(const GroundSystem &system,
                                                   const Moves &moves) {
  return KnowledgeFinder(system, moves).find();
}
