//===- Witness.cpp - An order that shows a hazard -------------------------===//

#include "Witness.h"

#include "Verify/DescribeSchedule.h"

using namespace toscac;
using namespace toscac::plan;

namespace {

class DirectedRun {
public:
  /// Where several rules rise in one act, the first state that this can lead
  /// to is taken, or the last.
  DirectedRun(const GroundSystem &ground, const Independence &independence,
              Occurrence late, bool takesLast, bool keepsStates)
      : interpreter(ground, independence), late(late), takesLast(takesLast),
        keepsStates(keepsStates), isQueued(interpreter.places.numOperations) {
    // One order will do, whichever it is.
    interpreter.triesLeft = 10000;
  }

  /// Whether it ends otherwise than the run, or not at all.
  bool differs();

  GroundInterpreter interpreter;
  std::vector<Occurrence> ends;
  /// At first and after each end, if they are kept.
  std::vector<GroundState> states;

private:
  /// To be called after each act; \p isDone: there is no choice of rules.
  void settle(bool isDone);
  /// The operation that ends next.
  std::optional<uint32_t> next();
  bool isLate(uint32_t operation) const {
    const GroundOperation &at = interpreter.system.operations[operation];
    return at.id == late.event &&
           interpreter.state()[interpreter.places.started(operation)] ==
               late.number;
  }

  const Occurrence late;
  const bool takesLast;
  const bool keepsStates;
  llvm::BitVector isQueued;
  /// Those in flight, in the order of their starts.
  std::vector<uint32_t> queue;
};

} // namespace

void DirectedRun::settle(bool isDone) {
  std::optional<GroundState> chosen;
  if (!isDone)
    interpreter.tryOrders([&] {
      if (takesLast || !chosen)
        chosen = interpreter.state();
    });
  if (chosen)
    interpreter.load(*chosen);
  if (keepsStates)
    states.push_back(interpreter.state());
  for (unsigned operation : interpreter.allRunning().set_bits())
    if (!isQueued.test(operation)) {
      isQueued.set(operation);
      queue.push_back(operation);
    }
}

std::optional<uint32_t> DirectedRun::next() {
  if (queue.empty())
    return std::nullopt;
  auto at = llvm::find_if(
      queue, [&](uint32_t operation) { return !isLate(operation); });
  if (at == queue.end())
    at = queue.begin();
  uint32_t operation = *at;
  queue.erase(at);
  isQueued.reset(operation);
  return operation;
}

bool DirectedRun::differs() {
  settle(interpreter.begin());
  while (std::optional<uint32_t> operation = next()) {
    if (interpreter.isEndless)
      return true;
    ends.push_back(
        {interpreter.system.operations[*operation].id,
         interpreter.state()[interpreter.places.started(*operation)]});
    settle(interpreter.end(*operation));
  }
  return interpreter.isEndless || !interpreter.isExpected();
}

std::optional<Witness>
toscac::plan::findWitness(const GroundSystem &ground,
                          const Independence &independence, EventSystem &system,
                          Occurrence first, Occurrence second) {
  for (bool takesLast : {false, true})
    for (Occurrence late : {first, second}) {
      DirectedRun run(ground, independence, late, takesLast, system.stories);
      if (!run.differs())
        continue;
      Witness result{
          std::move(run.ends),
          differenceOf(run.interpreter, run.interpreter.state(), system),
          std::nullopt};
      if (system.stories)
        result.story = tellSchedule(run.interpreter, run.states, system);
      return result;
    }
  return std::nullopt;
}

Witness toscac::plan::witnessOf(const GroundInterpreter &interpreter,
                                llvm::ArrayRef<GroundState> states,
                                EventSystem &system) {
  Witness result;
  for (size_t i = 1; i < states.size(); ++i)
    for (uint32_t at = 0; at != interpreter.places.numOperations; ++at)
      if (!interpreter.system.operations[at].takesNoTime() &&
          states[i - 1][interpreter.places.ended(at)] !=
              states[i][interpreter.places.ended(at)])
        result.ends.push_back({interpreter.system.operations[at].id,
                               states[i][interpreter.places.ended(at)]});
  result.difference = differenceOf(interpreter, states.back(), system);
  if (system.stories)
    result.story = tellSchedule(interpreter, states, system);
  return result;
}
