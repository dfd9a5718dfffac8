//===- GroundPromises.cpp - What must never happen, spelt out -------------===//
///
/// \file
/// A promise becomes an operation that happens, without taking time, when the
/// promise comes to be broken. So whatever leaves out orders keeps those that
/// break it. One that does not hold at the beginning can be broken only after
/// it has held.
///
//===----------------------------------------------------------------------===//

#include "GroundDraft.h"

using namespace toscac;
using namespace toscac::plan;

static void addPromise(const ir::Promise &promise, ir::EntityId owner,
                       GroundDraft &draft) {
  GroundSystem &all = draft.all;
  TermId term = draft.system.conditions.compile(
      promise.condition, draft.layout.graph.kindOf(owner));
  FormulaId isBroken = draft.conditions.compile(term, owner, /*wanted=*/false);
  GroundOperation made{noOperation, draft.conditions.constant(true)};
  made.promise = &promise;
  made.owner = owner;
  GroundRule rule{isBroken, uint32_t(all.operations.size()), owner};
  rule.hasHeld = all.holds(
      isBroken, [&](uint32_t cell) { return all.cells[cell].initial; });
  all.rules.push_back(rule);
  all.operations.push_back(std::move(made));
}

void toscac::plan::addPromises(GroundDraft &draft) {
  const Layout &layout = draft.layout;
  for (uint32_t i = 0; i != layout.slots.size(); ++i)
    for (const ir::Promise &promise : layout.machine({i}).promises) {
      if (promise.kind != ir::Promise::Kind::Always)
        continue;
      for (uint32_t row = 0; row != layout.slots[i].rows; ++row)
        if (ir::EntityId owner = layout.entity({i}, row);
            draft.problem.empty() && !layout.hasLeft(owner))
          addPromise(promise, owner, draft);
    }
}
