//===- Orders.cpp - Bounded search of other orders ------------------------===//

#include "Orders.h"

#include "Verify/DescribeSchedule.h"
#include "Verify/Representatives.h"

using namespace toscac;
using namespace toscac::plan;

/// Of operations. Beyond, spelling out the system costs more than the rest of
/// compiling it; what would have been looked at is said to be not proved, and
/// `--verify` looks at it.
static constexpr uint32_t maxEvents = 4096;
/// Of states: enough for all orders of a few operations, and for each step so
/// many that the cost stays linear. Beyond, likewise.
static constexpr uint64_t minStates = 1000, statesPerStep = 10;

bool Orders::makeSystem() {
  if (!wasMade) {
    wasMade = true;
    Represented represented = represent(start, run, part);
    isProved = represented.states.has_value();
    system = std::move(represented.system);
  }
  uint32_t size = run.system.layout.numEvents();
  if (system || !why.empty())
    return system.has_value();
  if (size > maxEvents)
    why = "it has " + std::to_string(size) + " operations";
  else
    system = ground(start, run, part, why);
  return system.has_value();
}

Orders::Verdict Orders::find() {
  bool isMade = makeSystem();
  if (isProved)
    return Verdict::Same;
  if (!isMade)
    return Verdict::NotProved;
  uint64_t limit = minStates + statesPerStep * run.steps.size();
  search.emplace(*system, run.system.layout, limit);
  switch (search->search()) {
  case Search::Verdict::Same:
    return Verdict::Same;
  case Search::Verdict::Breaks:
    return Verdict::Breaks;
  case Search::Verdict::Differs:
  case Search::Verdict::Endless:
    return Verdict::Differs;
  case Search::Verdict::Unfinished:
    why = "they lead to more than " + std::to_string(limit) + " states";
    return Verdict::NotProved;
  }
  llvm_unreachable("all verdicts are handled");
}

Orders::Verdict Orders::verdict() {
  if (!found)
    found = find();
  return *found;
}

void Orders::warn(llvm::StringRef given) {
  reportSchedule(search->interpreter, search->schedule(), run.system,
                 /*isRefused=*/false, given);
}

std::optional<Witness> Orders::witness(Occurrence first, Occurrence second) {
  Verdict known = verdict();
  if (!search || known == Verdict::Same)
    return std::nullopt;
  if (auto found =
          findWitness(*system, search->independence, run.system, first, second))
    return found;
  if (known != Verdict::Differs)
    return std::nullopt;
  return witnessOf(search->interpreter, search->schedule(), run.system);
}

const Interleavings *Orders::seen() {
  if (!interleavings && makeSystem())
    interleavings.emplace(*system, run.system.layout);
  return interleavings && interleavings->isComplete ? &*interleavings : nullptr;
}
