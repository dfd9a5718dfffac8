//===- Interpreter.h - What events mean -------------------------*- C++ -*-===//
///
/// \file
/// The rules of DESIGN 6.1, once. An event is accepted or ignored; an operation
/// is entered and finished, each in one atomic act of writes and events; a
/// level rule fires once per rise of its condition together with the
/// precondition of what it sends.
///
/// What a cell is, what is known of its value, and in which order steps end is
/// up to the world, the policy of the interpreter. There are three: Simulation
/// (a history of writers), FailureLowering (cells of unordered steps are
/// unknown) and GroundInterpreter (explicit states).
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_PLAN_INTERPRETER_H
#define TOSCAC_LIB_PLAN_INTERPRETER_H

namespace toscac::plan {

/// When an operation writes and sends.
enum class When { Entry, Success };

/// A \p World has its own steps, events and rules, and its own idea of what it
/// needs to know of why something happens:
///   isInFlight(event)         a step of it has not ended
///   holds(event, needs)       its precondition is known to hold
///   mayHold(rule)             its condition and the precondition of what it
///                             sends do, on values in flight, too
///   isReady(rule, needs)      both are known to, and what it sends is not in
///                             flight
///   hasHeld(rule), setHeld(rule, bool)
///   acceptBy(rule, needs)     the operation that it sends begins
///   starts(step), ends(step)  its operation is in flight, or no more
///   writeAll(step, When)      on success, what was written on entry settles
///   sendAll(step, When)       events whose conditions hold
template <typename World>
class Interpreter {
protected:
  /// Check-and-enter, the check: otherwise the event is ignored.
  template <typename Event, typename Needs>
  bool accepts(Event event, Needs &needs) {
    return !world().isInFlight(event) && world().holds(event, needs);
  }

  /// Check-and-enter, the entry.
  template <typename Step>
  void enter(Step step) {
    world().starts(step);
    world().writeAll(step, When::Entry);
    world().sendAll(step, When::Entry);
  }

  /// Finish-and-send.
  template <typename Step>
  void finish(Step step) {
    world().writeAll(step, When::Success);
    world().ends(step);
    world().sendAll(step, When::Success);
  }

  /// Whether \p rule rises: it holds, and has not held since it last fired.
  template <typename Rule, typename Needs>
  bool rises(Rule rule, Needs &needs) {
    if (!world().mayHold(rule)) {
      world().setHeld(rule, false);
      return false;
    }
    return !world().hasHeld(rule) && world().isReady(rule, needs);
  }

  template <typename Rule, typename Needs>
  void fire(Rule rule, Needs &needs) {
    world().setHeld(rule, true);
    world().acceptBy(rule, needs);
  }

private:
  World &world() { return static_cast<World &>(*this); }
};

} // namespace toscac::plan

#endif
