//===- PlanOrder.cpp - What a plan orders ---------------------------------===//

#include "PlanOrder.h"

#include "toscac/Basic/CsrGraph.h"
#include <queue>

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

PlanOrder::PlanOrder(const PlanData &plan)
    : steps(plan.steps), numbers(plan.run.steps.size()) {
  for (uint32_t i = 0; i != plan.steps.size(); ++i)
    if (plan.origins[i])
      numbers[plan.origins[i].index] = {i};
}

bool PlanOrder::isBefore(StepId a, StepId b) {
  if (a >= b || steps.stage(a) >= steps.stage(b))
    return false;
  ArrayRef<Dep> deps = steps.deps(b);
  const Dep *found = llvm::lower_bound(deps, Dep(a));
  if (found != deps.end() && found->step() == a)
    return true;
  if (!reach)
    reach.emplace(steps, Reachability::Edges::All);
  return reach->isBefore(a, b);
}

/// Steps each of which waits for the next.
static Cycle findCycle(const StepGraph &steps, ArrayRef<OrderEdge> edges) {
  std::vector<CsrGraph::Edge> waits;
  for (uint32_t i = 0; i != steps.size(); ++i)
    for (Dep dep : steps.deps({i}))
      waits.push_back({i, dep.step().index});
  for (const OrderEdge &edge : edges)
    waits.push_back({edge.to.index, edge.from.index});
  return findCycles({steps.size(), waits}).front();
}

std::vector<StepId> toscac::plan::addEdges(PlanData &plan,
                                           std::vector<OrderEdge> edges,
                                           bool areChoices) {
  const StepGraph &steps = plan.steps;
  PlanOrder before(plan);
  for (OrderEdge &edge : edges)
    edge = {before.inPlan(edge.from), before.inPlan(edge.to)};
  auto byReceiver = [](const OrderEdge &a, const OrderEdge &b) {
    return std::pair(a.to, a.from) < std::pair(b.to, b.from);
  };
  llvm::sort(edges, byReceiver);
  std::vector<uint32_t> waits(steps.size());
  std::vector<llvm::SmallVector<StepId, 2>> dependants(steps.size());
  auto wait = [&](StepId from, StepId to) {
    dependants[from.index].push_back(to);
    ++waits[to.index];
  };
  for (uint32_t i = 0; i != steps.size(); ++i)
    for (Dep dep : steps.deps({i}))
      wait(dep.step(), {i});
  for (const OrderEdge &edge : edges)
    wait(edge.from, edge.to);
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> ready;
  for (uint32_t i = 0; i != steps.size(); ++i)
    if (waits[i] == 0)
      ready.push(i);
  StepGraph result;
  std::vector<StepId> origins, numbers(steps.size());
  llvm::SmallVector<Dep, 8> deps;
  while (!ready.empty()) {
    StepId step{ready.top()};
    ready.pop();
    deps.clear();
    for (Dep dep : steps.deps(step))
      deps.push_back(Dep(numbers[dep.step().index], dep.isChoice()));
    auto [begin, end] = std::equal_range(
        edges.begin(), edges.end(), OrderEdge{{}, step},
        [](const OrderEdge &a, const OrderEdge &b) { return a.to < b.to; });
    for (auto edge = begin; edge != end; ++edge)
      deps.push_back(Dep(numbers[edge->from.index], areChoices));
    normalize(deps);
    numbers[step.index] = result.add(steps.event(step), deps);
    origins.push_back(plan.origins[step.index]);
    for (StepId dependant : dependants[step.index])
      if (--waits[dependant.index] == 0)
        ready.push(dependant.index);
  }
  std::vector<StepId> cycle;
  if (result.size() != steps.size()) {
    for (uint32_t step : findCycle(steps, edges))
      if (!steps.isJoin({step}))
        cycle.push_back(plan.origins[step]);
    return cycle;
  }
  plan.steps = std::move(result);
  plan.origins = std::move(origins);
  return cycle;
}
