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
    : system(system), numOperations(system.operations.size()), moves(system),
      known(findKnowledge(system, moves)), moveAgainst(moves.size()),
      againstRules(system.rules.size()), raised(moves.size()),
      after(moves.size()), completionsOf(moves.size()), starters(numOperations),
      completionWrites(system.cells.size()), completionAgainst(numOperations) {
  findRaised();
  findAgainst();
  findAfter();
  findCompletions();
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
  return write.by == moveItself && read.by != moveItself &&
         (values >> write.write.value & 1) &&
         llvm::binary_search(writer.sends, read.by) &&
         llvm::binary_search(reader.sends, read.by);
}

void Independence::compareWithReaders(Move writer, const MoveWrite &write) {
  uint64_t before = valuesOf(known[writer], write.write.cell);
  for (const CellTest &test : moves.testsOf(write.write.cell)) {
    bool isTrue = test.values >> write.write.value & 1;
    bool mayChange = before & (isTrue ? ~test.values : test.values);
    if (!mayChange)
      continue;
    for (const auto &[reader, by] : moves.readersOf(test.condition)) {
      // An operation that both start is in flight after the first.
      bool isSame = by != moveItself && by == write.by;
      if (reader != writer && !isSame &&
          !isHelpful(moves[writer], write, moves[reader], {test.condition, by},
                     test.values))
        addAgainst(writer, reader);
    }
    if (!isTrue)
      for (uint32_t rule : moves.rulesWaitingFor(test.condition))
        addAgainst(writer, moves.firing(rule));
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
    for (const auto &[move, write] : moves.writersOf(formula.cell)) {
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
  contexts.push_back({context, neededFor(system, id)});
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
    contexts.push_back({nullptr, known[moves.firing(number)]});
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
  for (Move move = 0; move != moves.size(); ++move) {
    llvm::erase_if(raised[move], [&](uint32_t rule) {
      if (!system.operations[system.rules[rule].operation].promise)
        return false;
      for (Move other : std::vector<Move>(moveAgainst[moves.firing(rule)]))
        addAgainst(move, other);
      return true;
    });
  }
}

void Independence::findAgainst() {
  std::vector<std::vector<Move>> startedBy(numOperations);
  for (Move move = 0; move != moves.size(); ++move)
    for (uint32_t operation : moves[move].starts)
      startedBy[operation].push_back(move);
  for (Move move = 0; move != moves.size(); ++move) {
    uint32_t busy = moves.isFiring(move)
                        ? system.rules[moves.ruleOf(move)].operation
                        : move;
    for (Move other : startedBy[busy])
      addAgainst(move, other);
    for (const MoveWrite &write : moves[move].writes) {
      compareWithReaders(move, write);
      for (const auto &[other, theirs] : moves.writersOf(write.write.cell))
        if (other < move && theirs.write.value != write.write.value)
          addAgainst(move, other);
    }
  }
  compareFalling();
  watchPromises();
  for (Move move = 0; move != moves.size(); ++move) {
    makeUnique(moveAgainst[move]);
    if (moves.isFiring(move))
      for (Move other : moveAgainst[move])
        if (moves.isFiring(other))
          againstRules[moves.ruleOf(move)].push_back(moves.ruleOf(other));
  }
}

//===----------------------------------------------------------------------===//
// Completions
//===----------------------------------------------------------------------===//

/// Whether \p rule, which waits for something that \p move writes or ends, may
/// hold after it.
bool Independence::mayRaise(Move move, uint32_t rule) const {
  const Knowledge &needs = known[moves.firing(rule)];
  const Effects &made = moves[move];
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
  uint32_t sure = moves.isFiring(move)
                      ? system.rules[moves.ruleOf(move)].operation
                      : moveItself;
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
  for (Move move = 0; move != moves.size(); ++move) {
    std::vector<uint32_t> rules;
    for (const MoveWrite &write : moves[move].writes) {
      uint64_t before = valuesOf(known[move], write.write.cell);
      for (const CellTest &test : moves.testsOf(write.write.cell))
        if (test.values >> write.write.value & 1 && (before & ~test.values))
          llvm::append_range(rules, moves.rulesWaitingFor(test.condition));
    }
    if (!moves.isFiring(move))
      llvm::append_range(rules, rulesOf[move]);
    makeUnique(rules);
    for (uint32_t rule : rules)
      if (moves.firing(rule) != move && mayRaise(move, rule))
        raised[move].push_back(rule);
  }
}

void Independence::findAfter() {
  // By rule: the last move that it was found to come after.
  std::vector<Move> seen(system.rules.size(), ~0u);
  for (Move move = 0; move != moves.size(); ++move) {
    std::vector<uint32_t> &rules = after[move];
    auto add = [&](ArrayRef<uint32_t> more) {
      for (uint32_t rule : more)
        if (std::exchange(seen[rule], move) != move)
          rules.push_back(rule);
    };
    add(raised[move]);
    for (size_t i = 0; i != rules.size(); ++i)
      add(raised[moves.firing(rules[i])]);
  }
}

void Independence::findCompletions() {
  for (uint32_t completion = 0; completion != numOperations; ++completion) {
    if (system.operations[completion].takesNoTime())
      continue;
    auto add = [&](Move move) {
      completionsOf[move].push_back(completion);
      for (uint32_t operation : moves[move].starts)
        starters[operation].push_back(completion);
      for (const MoveWrite &write : moves[move].writes)
        completionWrites[write.write.cell].push_back(
            {completion, write.write.value});
    };
    add(completion);
    for (uint32_t rule : after[completion])
      add(moves.firing(rule));
  }
  for (std::vector<uint32_t> &completions : starters)
    makeUnique(completions);
  for (std::vector<CompletionWrite> &writes : completionWrites)
    makeUnique(writes);
}

ArrayRef<uint32_t> Independence::against(uint32_t completion) const {
  std::optional<std::vector<uint32_t>> &found = completionAgainst[completion];
  if (found)
    return *found;
  found.emplace();
  auto add = [&](Move move) {
    for (Move other : moveAgainst[move])
      for (uint32_t otherCompletion : completionsOf[other])
        if (otherCompletion != completion &&
            areCompatible(known[completion], known[otherCompletion]))
          found->push_back(otherCompletion);
  };
  add(completion);
  for (uint32_t rule : after[completion])
    add(moves.firing(rule));
  makeUnique(*found);
  return *found;
}
