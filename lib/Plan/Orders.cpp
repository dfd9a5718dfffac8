//===- Orders.cpp - Other orders, as far as anybody may look --------------===//

#include "Orders.h"

#include "Story.h"

using namespace toscac;
using namespace toscac::plan;

/// Of operations: what is larger is left to those who ask for it.
static constexpr uint32_t maxEvents = 4096;
/// Of states: some, and more for each step.
static constexpr uint64_t minStates = 1000, statesPerStep = 10;

bool Orders::makeSystem() {
  uint32_t size = run.system.layout.numEvents();
  if (size > maxEvents)
    why = "it has " + std::to_string(size) + " operations";
  else if (!system)
    system = ground(start, run, part, why);
  return system.has_value();
}

Orders::Verdict Orders::find(uint64_t most) {
  if (!makeSystem())
    return Verdict::NotProved;
  uint64_t limit = std::min(most, minStates + statesPerStep * run.steps.size());
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

Orders::Verdict Orders::verdict(uint64_t most) {
  if (!found)
    found = find(most);
  return *found;
}

void Orders::warn() {
  tell(search->acts, search->schedule(), run.system, /*isRefused=*/false);
}

const Exploration *Orders::seen() {
  if (!exploration && makeSystem())
    exploration.emplace(*system);
  return exploration && exploration->isComplete ? &*exploration : nullptr;
}
