//===- Schedule.cpp - Which step may run next -----------------------------===//

#include "Schedule.h"

using namespace toscac;
using namespace toscac::run;
using planfile::none;
using planfile::StepHead;
using planfile::StepKind;

Schedule::Schedule(const planfile::PlanFile &plan) : plan(plan) {
  computeSuccessors();
  computeRanks();
  finished.resize(plan.steps().size());
  failed.resize(plan.steps().size());
  toRun = plan.numSteps();
  for (const StepHead &head : plan.steps().take_front(plan.numSteps()))
    callCount += head.kind == StepKind::Call;
}

void Schedule::computeSuccessors() {
  size_t count = plan.steps().size();
  firstSuccessor.resize(count + 2);
  waitsFor.resize(count);
  auto eachEdge = [&](auto visit) {
    for (uint32_t step = 0; step < count; ++step)
      for (uint32_t dep : plan.deps(step))
        visit(dep, step);
  };
  eachEdge([&](uint32_t dep, uint32_t step) {
    ++waitsFor[step];
    ++firstSuccessor[dep + 2];
  });
  for (size_t i = 2; i < firstSuccessor.size(); ++i)
    firstSuccessor[i] += firstSuccessor[i - 1];
  allSuccessors.resize(firstSuccessor.back());
  eachEdge([&](uint32_t dep, uint32_t step) {
    allSuccessors[firstSuccessor[dep + 1]++] = step;
  });
}

/// Predecessors have lower numbers, so one pass from the end will do.
void Schedule::computeRanks() {
  rank.resize(plan.steps().size());
  for (uint32_t step = rank.size(); step-- > 0;) {
    for (uint32_t successor : successors(step))
      if (step >= plan.numSteps() || successor < plan.numSteps())
        rank[step] = std::max(rank[step], rank[successor]);
    rank[step] += plan.steps()[step].kind == StepKind::Call;
  }
}

void Schedule::assumeDone(uint32_t step) {
  assert(!begun && "steps that run are finished");
  if (finished.test(step))
    return;
  finished.set(step);
  bool isMain = step < plan.numSteps();
  toRun -= isMain;
  callCount -= isMain && plan.steps()[step].kind == StepKind::Call;
}

void Schedule::assumeFailed(uint32_t step) {
  assert(!begun && "steps that run fail");
  interlock.start(step);
  failed.set(step);
}

void Schedule::begin() {
  begun = true;
  for (uint32_t step : finished.set_bits())
    for (uint32_t successor : successors(step))
      --waitsFor[successor];
  for (uint32_t step = 0; step < plan.numSteps(); ++step)
    if (!isOver(step) && waitsFor[step] == 0)
      makeReady(step);
  // fail() adds to the set.
  const llvm::BitVector before = failed;
  for (uint32_t step : before.set_bits())
    fail(step);
}

void Schedule::makeReady(uint32_t step) {
  if (plan.steps()[step].kind == StepKind::Call)
    calls.push({rank[step], step});
  else
    instants.push_back(step);
}

std::optional<uint32_t> Schedule::takeInstant() {
  while (!instants.empty()) {
    uint32_t step = instants.back();
    instants.pop_back();
    if (interlock.start(step))
      return step;
  }
  return std::nullopt;
}

std::optional<uint32_t> Schedule::takeCall() {
  while (!calls.empty()) {
    uint32_t step = calls.top().step;
    calls.pop();
    if (interlock.start(step))
      return step;
  }
  return std::nullopt;
}

void Schedule::finish(uint32_t step) {
  finished.set(step);
  finishedCount += step < plan.numSteps();
  finishedCalls +=
      step < plan.numSteps() && plan.steps()[step].kind == StepKind::Call;
  for (uint32_t successor : successors(step))
    // One that an earlier run has done may wait for a join, which leaves no
    // trace.
    if (--waitsFor[successor] == 0 && isReleased(successor) &&
        !isOver(successor))
      makeReady(successor);
  makeReady(interlock.release(step));
}

/// Failure steps wait for a failure, too.
bool Schedule::isReleased(uint32_t step) const {
  uint32_t cause = plan.steps()[step].afterFailure;
  return cause == none || failed.test(cause);
}

void Schedule::fail(uint32_t step) {
  failed.set(step);
  for (uint32_t id = plan.numSteps(); id < plan.steps().size(); ++id)
    if (plan.steps()[id].afterFailure == step && waitsFor[id] == 0 &&
        !isOver(id))
      makeReady(id);
  failElsewhere(step);
}

/// Those that wait for a failure step wait on: that one has failed.
bool Schedule::giveUpWaiting() {
  bool found = false;
  for (uint32_t id = plan.numSteps(); id < plan.steps().size(); ++id) {
    if (isOver(id) || !isReleased(id) || waitsFor[id] == 0)
      continue;
    auto isMissing = [&](uint32_t dep) {
      return dep < plan.numSteps() && !finished.test(dep);
    };
    if (waitsFor[id] != size_t(llvm::count_if(plan.deps(id), isMissing)))
      continue;
    waitsFor[id] = 0;
    makeReady(id);
    found = true;
  }
  return found;
}

void Schedule::dropWaiting() {
  std::vector<uint32_t> kept, dropped;
  auto sort = [&](uint32_t step) {
    (step < plan.numSteps() ? dropped : kept).push_back(step);
  };
  // What is dropped may have kept others waiting, which are then ready.
  do {
    kept.clear();
    dropped.clear();
    for (; !calls.empty(); calls.pop())
      sort(calls.top().step);
    llvm::for_each(instants, sort);
    instants.clear();
    makeReady(kept);
    for (uint32_t step : dropped)
      leave(step);
  } while (!dropped.empty());
}

uint32_t Schedule::callsLeft() const {
  uint32_t longest = 0;
  for (uint32_t step = 0; step < plan.numSteps(); ++step)
    if (!finished.test(step))
      longest = std::max(longest, rank[step]);
  return longest;
}
