//===- Interlock.cpp - Steps that must not overlap ------------------------===//

#include "Interlock.h"

using namespace toscac;
using namespace toscac::run;
using planfile::Exclusion;

Interlock::Interlock(const planfile::PlanFile &plan) {
  if (plan.exclusions().empty())
    return;
  size_t count = plan.steps().size();
  first.resize(count + 2);
  for (const Exclusion &each : plan.exclusions()) {
    ++first[each.later + 2];
    ++first[each.earlier + 2];
  }
  for (size_t i = 2; i < first.size(); ++i)
    first[i] += first[i - 1];
  others.resize(first.back());
  for (const Exclusion &each : plan.exclusions()) {
    others[first[each.later + 1]++] = each.earlier;
    others[first[each.earlier + 1]++] = each.later;
  }
  started.resize(count);
  ahead.resize(count);
  for (llvm::BitVector *bits : {&isStarted, &isWaiting, &isNext, &isLost})
    bits->resize(count);
}

void Interlock::open() { first.clear(); }

bool Interlock::start(uint32_t step) {
  if (first.empty() || isStarted.test(step))
    return true;
  bool mayStart = started[step] == 0 && ahead[step] == 0;
  isWaiting[step] = !mayStart;
  if (mayStart) {
    isStarted.set(step);
    for (uint32_t other : excludedBy(step)) {
      ++started[other];
      ahead[other] -= isNext.test(step);
    }
    isNext.reset(step);
    return true;
  }
  if (ahead[step] == 0 && !isNext.test(step) && !isLost.test(step)) {
    isNext.set(step);
    for (uint32_t other : excludedBy(step))
      ++ahead[other];
  }
  return false;
}

/// \p step may be able to start now.
void Interlock::wake(uint32_t step, llvm::SmallVectorImpl<uint32_t> &awake) {
  bool mayStart = started[step] == 0 && ahead[step] == 0;
  if (!mayStart || !isWaiting.test(step))
    return;
  isWaiting.reset(step);
  awake.push_back(step);
}

/// \p step is not next any more.
void Interlock::yield(uint32_t step, llvm::SmallVectorImpl<uint32_t> &awake) {
  if (!isNext.test(step))
    return;
  isNext.reset(step);
  for (uint32_t other : excludedBy(step)) {
    --ahead[other];
    wake(other, awake);
  }
}

llvm::SmallVector<uint32_t, 0> Interlock::release(uint32_t step) {
  llvm::SmallVector<uint32_t, 0> awake;
  if (first.empty())
    return awake;
  yield(step, awake);
  if (!isStarted.test(step))
    return awake;
  isStarted.reset(step);
  for (uint32_t other : excludedBy(step)) {
    --started[other];
    wake(other, awake);
  }
  return awake;
}

llvm::SmallVector<uint32_t, 0> Interlock::fail(uint32_t step) {
  llvm::SmallVector<uint32_t, 0> awake;
  if (first.empty())
    return awake;
  for (uint32_t other : excludedBy(step)) {
    isLost.set(other);
    yield(other, awake);
  }
  return awake;
}
