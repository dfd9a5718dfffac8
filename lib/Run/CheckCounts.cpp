//===- CheckCounts.cpp - The shown counts against the store ---------------===//
///
/// \file
/// In builds with assertions, whenever a run has done all of its plan, the
/// counts of the plan's view are held against the store: which instances are
/// there before and after, which of those that stayed steps have worked on, and
/// how many calls the journal has.
///
//===----------------------------------------------------------------------===//

#include "PlanRun.h"
#include "llvm/ADT/StringSet.h"

using namespace toscac;
using namespace toscac::run;
using llvm::StringRef;

#ifndef NDEBUG

static llvm::StringSet<> nodesOf(const state::Deployment *deployment) {
  llvm::StringSet<> names;
  if (deployment)
    for (const state::Entity &entity : deployment->entities)
      if (entity.kind == state::EntityKind::Node)
        names.insert(entity.name);
  return names;
}

PlanRun::Counts PlanRun::countsOf() const {
  Counts counts{totalsOf(*plan), {}, llvm::BitVector(plan->numSteps())};
  for (uint32_t i = 0; i != plan->numSteps(); ++i)
    counts.isCall[i] = plan->steps()[i].kind == planfile::StepKind::Call;
  for (uint32_t i = 0; i != plan->numEntities(); ++i) {
    const planfile::EntityHead &head = plan->entities()[i];
    auto &[name, former] = counts.nodes.emplace_back();
    if (head.kind != state::EntityKind::Node)
      continue;
    name = plan->entityName(i);
    former = head.movedFrom == planfile::none
                 ? name
                 : plan->text(head.movedFrom).str();
  }
  return counts;
}

void PlanRun::checkCounts(const Counts &counts) {
  ValueArena arena;
  NameTable names;
  JSONReader json(arena, names);
  llvm::Expected<state::State> loaded =
      store->load(state::InFlight::Failed, deployment);
  llvm::Expected<state::Journal> journal =
      store->journal(record.id, json, arena);
  if (!loaded || !journal) {
    llvm::consumeError(loaded.takeError());
    return llvm::consumeError(journal.takeError());
  }
  llvm::StringSet<> was = nodesOf(before.find(deployment));
  llvm::StringSet<> is = nodesOf(loaded->find(deployment));
  uint32_t stayed = 0, busy = 0, skipped = 0;
  llvm::StringSet<> known;
  for (auto [i, node] : llvm::enumerate(counts.nodes)) {
    const auto &[name, former] = node;
    if (name.empty() || !was.contains(former) || !is.contains(name))
      continue;
    ++stayed;
    known.insert(name);
    busy += i < journal->touched.size() && journal->touched.test(i);
  }
  // Those that the plan does not list are as they were.
  for (const auto &entry : is)
    stayed += !known.contains(entry.getKey()) && was.contains(entry.getKey());
  uint32_t calls = 0;
  for (const auto &[step, outcome] : journal->ended) {
    skipped += outcome == state::Outcome::Skipped;
    calls += step < counts.isCall.size() && counts.isCall.test(step);
  }
  const planfile::PlanTotals &said = counts.totals;
  assert(said.added == is.size() - stayed && "the view tells what comes");
  assert(said.removed == was.size() - stayed && "the view tells what goes");
  assert((skipped || said.changed + said.replaced == busy) &&
         "the view tells what changes");
  assert(said.calls == calls && "the view tells what is called");
}

#endif
