//===- Independence.cpp - Which moves are independent ---------------------===//

#include "Independence.h"

#include <utility>

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

template <typename T>
static void makeUnique(std::vector<T> &items) {
  llvm::sort(items);
  items.erase(std::unique(items.begin(), items.end()), items.end());
}

Independence::Independence(const GroundSystem &system)
    : system(system), numOperations(system.operations.size()),
      numMoves(numOperations + system.rules.size()), effects(numMoves),
      known(numMoves), asked(system.cells.size()),
      readers(system.formulas.size()), waiting(system.formulas.size()),
      writers(system.cells.size()), moveAgainst(numMoves),
      againstRules(system.rules.size()), raised(numMoves), after(numMoves),
      actsOf(numMoves), starters(numOperations), actWrites(system.cells.size()),
      actAgainst(numOperations) {
  for (Move move = 0; move != numMoves; ++move)
    findEffects(move);
  for (auto [i, rule] : llvm::enumerate(system.rules)) {
    waiting[rule.condition.index].push_back(i);
    waiting[system.operations[rule.operation].precondition.index].push_back(i);
  }
  for (uint32_t i = 0; i != system.formulas.size(); ++i)
    if (!readers[i].empty() || !waiting[i].empty())
      forEachTest(system, {i}, [&](const Formula &test) {
        asked[test.cell].push_back({{i}, test.values});
      });
  findKnowledge();
  findRaised();
  findAgainst();
  findAfter();
  findActs();
}

//===----------------------------------------------------------------------===//
// What moves do
//===----------------------------------------------------------------------===//

/// \p operation is started, with what it sends on entry.
void Independence::addStart(uint32_t operation, Effects &made) {
  if (llvm::is_contained(made.starts, operation))
    return;
  made.starts.push_back(operation);
  for (GroundWrite write : system.operations[operation].entry)
    made.writes.push_back({write, operation});
  addSends(system.operations[operation].onEntry, made);
}

void Independence::addSends(ArrayRef<GroundSend> sends, Effects &made) {
  for (const GroundSend &send : sends) {
    made.reads.push_back({send.condition, itself});
    made.reads.push_back(
        {system.operations[send.operation].precondition, send.operation});
    addStart(send.operation, made);
  }
}

void Independence::findEffects(Move move) {
  Effects &made = effects[move];
  if (isFiring(move)) {
    addStart(system.rules[move - numOperations].operation, made);
  } else {
    const GroundOperation &operation = system.operations[move];
    if (operation.takesNoTime())
      return;
    for (GroundWrite write : operation.success)
      made.writes.push_back({write, itself});
    addSends(operation.onSuccess, made);
    for (const GroundSend &send : operation.onSuccess) {
      if (system[send.condition].isTrue())
        made.sends.push_back(send.operation);
    }
    makeUnique(made.sends);
  }
  for (const MoveRead &read : made.reads)
    readers[read.formula.index].push_back({move, read.by});
  for (const MoveWrite &write : made.writes)
    writers[write.write.cell].push_back({move, write});
}

//===----------------------------------------------------------------------===//
// What is known
//===----------------------------------------------------------------------===//

void Independence::require(FormulaId id, Knowledge &knowledge) const {
  const Formula &formula = system[id];
  if (formula.isTest())
    knowledge.push_back({formula.cell, formula.values});
  else if (formula.needsAll())
    for (FormulaId part : formula.parts)
      require(part, knowledge);
  else
    requireAny(formula.parts, knowledge);
}

/// A cell that each of \p parts says something about has what one of them says.
void Independence::requireAny(ArrayRef<FormulaId> parts,
                              Knowledge &knowledge) const {
  Knowledge any;
  for (auto [i, part] : llvm::enumerate(parts)) {
    Knowledge needs;
    require(part, needs);
    tidy(needs);
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

void Independence::tidy(Knowledge &knowledge) {
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

/// All, where nothing is known.
uint64_t Independence::valuesOf(const Knowledge &knowledge, uint32_t cell) {
  auto at = llvm::partition_point(
      knowledge, [&](const Known &known) { return known.cell < cell; });
  return at != knowledge.end() && at->cell == cell ? at->values : ~uint64_t(0);
}

bool Independence::areCompatible(const Knowledge &a, const Knowledge &b) {
  const Knowledge &few = a.size() < b.size() ? a : b;
  const Knowledge &many = a.size() < b.size() ? b : a;
  return llvm::all_of(few, [&](const Known &known) {
    return known.values & valuesOf(many, known.cell);
  });
}

/// Whether nothing that may happen while \p operation runs makes \p fact
/// untrue, if the rest of what is known is true.
bool Independence::staysTrue(uint32_t operation, Known fact) const {
  return llvm::none_of(writers[fact.cell], [&](const auto &writer) {
    const auto &[move, write] = writer;
    if (fact.values >> write.write.value & 1 || write.by == operation)
      return false;
    if (write.by == itself)
      return move != operation && areCompatible(known[move], known[operation]);
    return areCompatible(required[write.by], known[operation]);
  });
}

/// The greatest set of facts that bear each other out.
void Independence::findKnowledge() {
  for (const GroundOperation &operation : system.operations) {
    Knowledge &needs = required.emplace_back();
    require(operation.precondition, needs);
    tidy(needs);
  }
  for (uint32_t i = 0; i != numOperations; ++i) {
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
    Knowledge &facts = known[firing(i)];
    require(rule.condition, facts);
    llvm::append_range(facts, required[rule.operation]);
    tidy(facts);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i != numOperations; ++i) {
      size_t before = known[i].size();
      Knowledge kept;
      for (const Known &fact : known[i])
        if (staysTrue(i, fact))
          kept.push_back(fact);
      changed |= kept.size() != before;
      known[i] = std::move(kept);
    }
  }
}

//===----------------------------------------------------------------------===//
// What does not accord
//===----------------------------------------------------------------------===//

void Independence::addAgainst(Move a, Move b) {
  if (a == b || !areCompatible(known[a], known[b]))
    return;
  moveAgainst[a].push_back(b);
  moveAgainst[b].push_back(a);
}

/// Both ends send the event that \p read is about, and what they write before
/// only helps it: the later one is accepted, or the earlier one has been.
bool Independence::isHelpful(const Effects &writer, const MoveWrite &write,
                             const Effects &reader, const MoveRead &read,
                             uint64_t values) const {
  return write.by == itself && read.by != itself &&
         (values >> write.write.value & 1) &&
         llvm::binary_search(writer.sends, read.by) &&
         llvm::binary_search(reader.sends, read.by);
}

void Independence::compareWithReaders(Move writer, const MoveWrite &write) {
  uint64_t before = valuesOf(known[writer], write.write.cell);
  for (const Asked &condition : asked[write.write.cell]) {
    bool isTrue = condition.values >> write.write.value & 1;
    bool mayChange = before & (isTrue ? ~condition.values : condition.values);
    if (!mayChange)
      continue;
    for (const auto &[reader, by] : readers[condition.formula.index]) {
      // An operation that both start is in flight after the first.
      bool isSame = by != itself && by == write.by;
      if (reader != writer && !isSame &&
          !isHelpful(effects[writer], write, effects[reader],
                     {condition.formula, by}, condition.values))
        addAgainst(writer, reader);
    }
    if (!isTrue)
      for (uint32_t rule : waiting[condition.formula.index])
        addAgainst(writer, firing(rule));
  }
}

namespace toscac::plan {

/// What holds where a part of a condition counts: all that is asked for along
/// the way to it.
struct Independence::Context {
  const Context *outer;
  Knowledge knowledge;

  bool isCompatible(const Knowledge &other) const {
    for (const Context *at = this; at; at = at->outer)
      if (!areCompatible(at->knowledge, other))
        return false;
    return true;
  }
};

/// A move that changes what a test of \p cell is worth.
struct Independence::Turning {
  Move move;
  uint32_t cell;
  const Context *context;
  friend auto operator<=>(const Turning &, const Turning &) = default;
};

} // namespace toscac::plan

void Independence::findTurning(FormulaId id, const Context *context,
                               std::deque<Context> &contexts,
                               std::vector<Turning> &raising,
                               std::vector<Turning> &falling) const {
  const Formula &formula = system[id];
  if (formula.isTest()) {
    for (const auto &[move, write] : writers[formula.cell]) {
      uint64_t before = valuesOf(known[move], formula.cell);
      bool isTrue = formula.values >> write.write.value & 1;
      if (!(before & (isTrue ? ~formula.values : formula.values)))
        continue;
      // What is made true counts when the rest does, which may be written, too.
      if (isTrue)
        raising.push_back({move, formula.cell, context});
      else if (context->isCompatible(known[move]))
        falling.push_back({move, formula.cell, context});
    }
    return;
  }
  Knowledge needs;
  require(id, needs);
  tidy(needs);
  contexts.push_back({context, std::move(needs)});
  const Context *inner = &contexts.back();
  for (FormulaId part : formula.parts)
    findTurning(part, inner, contexts, raising, falling);
}

/// Whether \p id has alternatives, so that it can be true in several ways.
static bool hasAlternatives(const GroundSystem &system, FormulaId id) {
  const Formula &formula = system[id];
  return (!formula.isConstant() && !formula.isTest() && !formula.needsAll()) ||
         llvm::any_of(formula.parts, [&](FormulaId part) {
           return hasAlternatives(system, part);
         });
}

/// One move makes false what a rule waits for, in one way, and another makes it
/// true in another way: whether it has been false meanwhile decides whether it
/// fires again. That takes a state in which the rule holds and both moves are
/// possible.
void Independence::compareFalling() {
  for (const GroundRule &rule : system.rules) {
    // A broken promise is reported once.
    if (system.operations[rule.operation].promise)
      continue;
    FormulaId conditions[] = {rule.condition,
                              system.operations[rule.operation].precondition};
    if (llvm::none_of(conditions, [&](FormulaId id) {
          return hasAlternatives(system, id);
        }))
      continue;
    std::deque<Context> contexts;
    uint32_t number = &rule - system.rules.data();
    contexts.push_back({nullptr, known[firing(number)]});
    std::vector<Turning> raising, falling;
    for (FormulaId condition : conditions)
      findTurning(condition, &contexts.front(), contexts, raising, falling);
    makeUnique(raising);
    makeUnique(falling);
    for (const Turning &up : raising)
      for (const Turning &down : falling)
        if (up.cell != down.cell && down.context->isCompatible(known[up.move]))
          addAgainst(up.move, down.move);
  }
}

/// Nothing follows from a broken promise, except that it was broken: so what
/// may break it, and what would have hidden that, do not accord. The rule that
/// sees it is then no part of what follows.
void Independence::watchPromises() {
  for (Move move = 0; move != numMoves; ++move) {
    llvm::erase_if(raised[move], [&](uint32_t rule) {
      if (!system.operations[system.rules[rule].operation].promise)
        return false;
      for (Move other : std::vector<Move>(moveAgainst[firing(rule)]))
        addAgainst(move, other);
      return true;
    });
  }
}

void Independence::findAgainst() {
  std::vector<std::vector<Move>> startedBy(numOperations);
  for (Move move = 0; move != numMoves; ++move)
    for (uint32_t operation : effects[move].starts)
      startedBy[operation].push_back(move);
  for (Move move = 0; move != numMoves; ++move) {
    uint32_t busy =
        isFiring(move) ? system.rules[move - numOperations].operation : move;
    for (Move other : startedBy[busy])
      addAgainst(move, other);
    for (const MoveWrite &write : effects[move].writes) {
      compareWithReaders(move, write);
      for (const auto &[other, theirs] : writers[write.write.cell])
        if (other < move && theirs.write.value != write.write.value)
          addAgainst(move, other);
    }
  }
  compareFalling();
  watchPromises();
  for (Move move = 0; move != numMoves; ++move) {
    makeUnique(moveAgainst[move]);
    if (isFiring(move))
      for (Move other : moveAgainst[move])
        if (isFiring(other))
          againstRules[move - numOperations].push_back(other - numOperations);
  }
}

//===----------------------------------------------------------------------===//
// Acts
//===----------------------------------------------------------------------===//

/// Whether \p rule, which waits for something that \p move writes or ends, may
/// hold after it.
bool Independence::mayRaise(Move move, uint32_t rule) const {
  const Knowledge &needs = known[firing(rule)];
  const Effects &made = effects[move];
  auto isWritten = [&](uint32_t cell) {
    return llvm::any_of(made.writes, [&](const MoveWrite &write) {
      return write.write.cell == cell;
    });
  };
  const Knowledge &facts = known[move];
  const Knowledge &few = facts.size() < needs.size() ? facts : needs;
  const Knowledge &many = facts.size() < needs.size() ? needs : facts;
  for (const Known &fact : few)
    if (!(fact.values & valuesOf(many, fact.cell)) && !isWritten(fact.cell))
      return false;
  // What it surely writes, and nothing else in it does.
  uint32_t sure =
      isFiring(move) ? system.rules[move - numOperations].operation : itself;
  for (const MoveWrite &write : made.writes) {
    uint64_t wanted = valuesOf(needs, write.write.cell);
    if (write.by == sure && write.write.isSure() &&
        llvm::none_of(made.writes, [&](const MoveWrite &other) {
          return other.write.cell == write.write.cell &&
                 wanted >> other.write.value & 1;
        }))
      return false;
  }
  return true;
}

void Independence::findRaised() {
  std::vector<std::vector<uint32_t>> rulesOf(numOperations);
  for (auto [i, rule] : llvm::enumerate(system.rules))
    rulesOf[rule.operation].push_back(i);
  for (Move move = 0; move != numMoves; ++move) {
    std::vector<uint32_t> rules;
    for (const MoveWrite &write : effects[move].writes) {
      uint64_t before = valuesOf(known[move], write.write.cell);
      for (const Asked &condition : asked[write.write.cell])
        if (condition.values >> write.write.value & 1 &&
            (before & ~condition.values))
          llvm::append_range(rules, waiting[condition.formula.index]);
    }
    if (!isFiring(move))
      llvm::append_range(rules, rulesOf[move]);
    makeUnique(rules);
    for (uint32_t rule : rules)
      if (firing(rule) != move && mayRaise(move, rule))
        raised[move].push_back(rule);
  }
}

void Independence::findAfter() {
  // By rule: the last move that it was found to come after.
  std::vector<Move> seen(system.rules.size(), ~0u);
  for (Move move = 0; move != numMoves; ++move) {
    std::vector<uint32_t> &rules = after[move];
    auto add = [&](ArrayRef<uint32_t> more) {
      for (uint32_t rule : more)
        if (std::exchange(seen[rule], move) != move)
          rules.push_back(rule);
    };
    add(raised[move]);
    for (size_t i = 0; i != rules.size(); ++i)
      add(raised[firing(rules[i])]);
  }
}

void Independence::findActs() {
  for (uint32_t act = 0; act != numOperations; ++act) {
    if (system.operations[act].takesNoTime())
      continue;
    auto add = [&](Move move) {
      actsOf[move].push_back(act);
      for (uint32_t operation : effects[move].starts)
        starters[operation].push_back(act);
      for (const MoveWrite &write : effects[move].writes)
        actWrites[write.write.cell].push_back({act, write.write.value});
    };
    add(act);
    for (uint32_t rule : after[act])
      add(firing(rule));
  }
  for (std::vector<uint32_t> &acts : starters)
    makeUnique(acts);
  for (std::vector<ActWrite> &writes : actWrites)
    makeUnique(writes);
}

ArrayRef<uint32_t> Independence::against(uint32_t act) const {
  std::optional<std::vector<uint32_t>> &found = actAgainst[act];
  if (found)
    return *found;
  found.emplace();
  auto add = [&](Move move) {
    for (Move other : moveAgainst[move])
      for (uint32_t otherAct : actsOf[other])
        if (otherAct != act && areCompatible(known[act], known[otherAct]))
          found->push_back(otherAct);
  };
  add(act);
  for (uint32_t rule : after[act])
    add(firing(rule));
  makeUnique(*found);
  return *found;
}
