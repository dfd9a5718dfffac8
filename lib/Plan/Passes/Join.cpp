//===- Join.cpp - One step that many wait for many through ----------------===//
///
/// \file
/// Where M steps wait for the same N others, of one operation of one class, a
/// join between them makes N + M edges of N × M. Lists are compared by their
/// hash first, so that the cost is that of reading them.
///
//===----------------------------------------------------------------------===//

#include "Passes.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/MapVector.h"

using namespace toscac;
using namespace toscac::plan;
using llvm::ArrayRef;

namespace {

/// Steps of one operation of one class that some step waits for.
struct Bundle {
  llvm::SmallVector<Dep, 4> deps;
  uint32_t users = 0;
  /// The join that stands for it, once it is made.
  StepId join;
};

class Joiner {
public:
  explicit Joiner(PlanData &plan) : plan(plan), steps(plan.steps) {}

  void join();

private:
  void collect();
  /// Visits parts of the deps of \p step, by class and operation.
  template <typename Visit>
  void split(StepId step, Visit visit);
  uint64_t operationOf(StepId step) const;
  static bool isWorth(const Bundle &bundle) {
    uint64_t n = bundle.deps.size(), m = bundle.users;
    return n * m > n + m;
  }
  Bundle *find(ArrayRef<Dep> deps, uint64_t hash);
  bool hasWorthy() const;

  PlanData &plan;
  const StepGraph &steps;
  /// By hash; bundles with the same hash stand together.
  llvm::DenseMap<uint64_t, llvm::SmallVector<Bundle, 1>> bundles;
};

} // namespace

uint64_t Joiner::operationOf(StepId step) const {
  if (steps.isJoin(step))
    return ~uint64_t(0) >> 1; // The highest are DenseMap's own.
  EventPlace at = plan.system.layout.place(EventId{steps.event(step)});
  return uint64_t(at.slot.index) << 32 | at.operation;
}

template <typename Visit>
void Joiner::split(StepId step, Visit visit) {
  ArrayRef<Dep> deps = steps.deps(step);
  // Mostly all are different.
  static constexpr size_t few = 8;
  if (deps.size() <= few) {
    llvm::SmallVector<uint64_t, few> operations;
    for (Dep dep : deps)
      operations.push_back(operationOf(dep.step()));
    llvm::SmallVector<Dep, few> part;
    for (size_t i = 0; i != deps.size(); ++i) {
      if (llvm::is_contained(ArrayRef(operations).take_front(i), operations[i]))
        continue;
      part.clear();
      for (size_t j = i; j != deps.size(); ++j)
        if (operations[j] == operations[i])
          part.push_back(deps[j]);
      visit(part);
    }
    return;
  }
  llvm::MapVector<uint64_t, llvm::SmallVector<Dep, 4>> parts;
  for (Dep dep : deps)
    parts[operationOf(dep.step())].push_back(dep);
  for (auto &[operation, part] : parts)
    visit(part);
}

static uint64_t hashOf(ArrayRef<Dep> deps) {
  llvm::hash_code hash = llvm::hash_value(deps.size());
  for (Dep dep : deps)
    hash = llvm::hash_combine(hash, dep.step().index, dep.isChoice());
  // The two highest are DenseMap's own.
  return uint64_t(size_t(hash)) >> 2;
}

Bundle *Joiner::find(ArrayRef<Dep> deps, uint64_t hash) {
  for (Bundle &bundle : bundles[hash])
    if (ArrayRef<Dep>(bundle.deps) == deps)
      return &bundle;
  return nullptr;
}

void Joiner::collect() {
  for (uint32_t i = 0; i != steps.size(); ++i) {
    if (steps.deps({i}).size() < 2)
      continue;
    split({i}, [&](ArrayRef<Dep> deps) {
      if (deps.size() < 2)
        return;
      uint64_t hash = hashOf(deps);
      Bundle *known = find(deps, hash);
      if (!known) {
        known = &bundles[hash].emplace_back();
        known->deps.assign(deps.begin(), deps.end());
      }
      ++known->users;
    });
  }
}

bool Joiner::hasWorthy() const {
  return llvm::any_of(bundles, [](const auto &alike) {
    return llvm::any_of(alike.second, isWorth);
  });
}

void Joiner::join() {
  collect();
  if (!hasWorthy())
    return;
  StepGraph result;
  std::vector<StepId> origins, numbers(steps.size());
  auto renumber = [&](ArrayRef<Dep> deps, llvm::SmallVectorImpl<Dep> &to) {
    for (Dep dep : deps)
      to.push_back(Dep(numbers[dep.step().index], dep.isChoice()));
  };
  for (uint32_t i = 0; i != steps.size(); ++i) {
    llvm::SmallVector<Dep, 8> deps;
    auto addPart = [&](ArrayRef<Dep> part) {
      Bundle *bundle = part.size() < 2 ? nullptr : find(part, hashOf(part));
      if (!bundle || !isWorth(*bundle))
        return renumber(part, deps);
      if (!bundle->join) {
        llvm::SmallVector<Dep, 8> joined;
        renumber(part, joined);
        normalize(joined);
        bundle->join = result.add(StepGraph::noEvent, joined);
        origins.emplace_back();
      }
      deps.push_back(bundle->join);
    };
    if (steps.deps({i}).size() < 2)
      renumber(steps.deps({i}), deps);
    else
      split({i}, addPart);
    normalize(deps);
    numbers[i] = result.add(steps.event({i}), deps);
    origins.push_back(plan.origins[i]);
  }
  plan.steps = std::move(result);
  plan.origins = std::move(origins);
}

void toscac::plan::joinEdges(PlanData &plan) { Joiner(plan).join(); }
