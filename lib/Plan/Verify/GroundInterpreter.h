//===- GroundInterpreter.h - What one completion does -----------*- C++ -*-===//
///
/// \file
/// The strict rules of DESIGN 6.1 on a ground system: an operation ends, sends
/// its events, and then level rules fire until none rises any more.
///
/// There is one present state. What conditions are worth follows each write to
/// a cell (FormulaTruth), so that a completion costs what it changes.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_GROUNDINTERPRETER_H
#define TOSCAC_LIB_PLAN_GROUNDINTERPRETER_H

#include "FiringOrder.h"
#include "FormulaTruth.h"
#include "System/Interpreter.h"
#include "System/Worklist.h"
#include <functional>

namespace toscac::plan {

class GroundInterpreter : private Interpreter<GroundInterpreter> {
public:
  GroundInterpreter(const GroundSystem &system,
                    const Independence &independence);

  const GroundSystem &system;
  const StatePlaces places;

  bool holds(const GroundState &state, FormulaId formula) const {
    return system.holds(formula, [&](uint32_t cell) { return state[cell]; });
  }

  // The present state.
  const GroundState &state() const { return now; }
  bool isRunning(uint32_t operation) const { return running.test(operation); }
  bool holds(FormulaId formula) const { return truth.holds(formula); }
  const llvm::BitVector &allRunning() const { return running; }
  /// Whether it has the cells and steps that the run ended with.
  bool isExpected() const;
  /// Whether a promise has been broken on the way to it.
  bool isBroken() const { return numBroken != 0; }
  /// Makes \p state, in which no rule rises, the present one.
  void load(const GroundState &state);

  /// What the workflow itself does, in whatever order rules fire. False: there
  /// are orders to be tried before that is the present state.
  bool begin();
  /// What the end of \p operation leads to, likewise.
  bool end(uint32_t operation);
  /// Calls \p visit with each state that a completion leads to as the present
  /// one, after that completion has said that there are orders to be tried.
  void tryOrders(llvm::function_ref<void()> visit);

  /// Set when an operation was accepted more often than is worth following.
  bool isEndless = false;
  /// How many states within completions `tryOrders` may still look at: rules
  /// that rise together have more orders than there are states between
  /// completions. Null: it has left some out.
  uint64_t triesLeft = ~uint64_t(0);
  /// If there is one: called with each operation that is about to start.
  std::function<void(uint32_t)> onStart;

private:
  // What the interpreter asks for. Reasons are not kept: states are compared,
  // not explained.
  friend Interpreter;
  struct Nothing {};
  bool isInFlight(uint32_t operation) const { return isRunning(operation); }
  bool holds(uint32_t operation, Nothing) const {
    return holds(system.operations[operation].precondition);
  }
  bool mayHold(uint32_t rule) const {
    return holds(system.rules[rule].condition) &&
           holds(system.rules[rule].operation, Nothing());
  }
  bool isReady(uint32_t rule, Nothing) const {
    return !isRunning(system.rules[rule].operation);
  }
  bool hasHeld(uint32_t rule) const { return now[places.held(rule)]; }
  void setHeld(uint32_t rule, bool isHeld) { now[places.held(rule)] = isHeld; }
  void acceptBy(uint32_t rule, Nothing) {
    touched.add(rule);
    deliver(system.rules[rule].operation);
  }
  void starts(uint32_t operation);
  void ends(uint32_t operation);
  void writeAll(uint32_t operation, When when);
  void sendAll(uint32_t operation, When when);

  void deliver(uint32_t operation);
  void write(GroundWrite write);
  void countStart(uint32_t operation, int times);
  void setRunning(uint32_t operation, bool isRunning);
  /// Brings `risen` up to date. Rules that do not hold lose their memory of
  /// having held.
  void findRisen();
  /// Lets rules fire until none rises, or their order has to be tried.
  bool settle();

  FiringOrder order;
  GroundState now;
  FormulaTruth truth;
  llvm::BitVector running;
  uint32_t numBroken = 0;
  /// By formula that is a whole condition: the rules that depend on it; by
  /// operation: the rules that send it.
  std::vector<llvm::SmallVector<uint32_t, 1>> rulesOf, rulesOfOperation;
  /// Rules to be looked at.
  Worklist touched;
  /// Those that may fire, in their order.
  std::vector<uint32_t> risen;
  std::vector<bool> isRisen;
};

} // namespace toscac::plan

#endif
