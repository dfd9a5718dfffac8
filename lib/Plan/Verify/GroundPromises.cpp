//===- GroundPromises.cpp - What must never happen, spelt out -------------===//
///
/// \file
/// A promise becomes an operation that happens, without taking time, when the
/// promise comes to be broken. So whatever leaves out orders keeps those that
/// break it. One that does not hold at the beginning can be broken only after
/// it has held.
///
//===----------------------------------------------------------------------===//

#include "Grounder.h"

using namespace toscac;
using namespace toscac::plan;

void Grounder::addPromise(const ir::Promise &promise, ir::EntityId owner) {
  TermId term =
      system.conditions.compile(promise.condition, layout.graph.kindOf(owner));
  FormulaId isBroken = compile(term, owner, /*wanted=*/false);
  GroundOperation made{noOperation, constant(true)};
  made.promise = &promise;
  made.owner = owner;
  GroundRule rule{isBroken, uint32_t(all.operations.size()), owner};
  rule.hasHeld = all.holds(
      isBroken, [&](uint32_t cell) { return all.cells[cell].initial; });
  all.rules.push_back(rule);
  all.operations.push_back(std::move(made));
}

void Grounder::addPromises() {
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    for (const ir::Promise &promise : layout.machine({i}).promises) {
      if (promise.kind != ir::Promise::Kind::Always)
        continue;
      for (uint32_t row = 0; row != layout.slots[i].rows; ++row)
        if (ir::EntityId owner = layout.entity({i}, row);
            problem.empty() && !layout.hasLeft(owner))
          addPromise(promise, owner);
    }
}
