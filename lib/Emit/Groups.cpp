//===- Groups.cpp - Steps that are alike ----------------------------------===//

#include "Groups.h"

#include <map>

using namespace toscac;
using namespace toscac::emit;
using llvm::StringRef;
using planfile::Plan;
using planfile::StepKind;

/// A join is a job or a task of its own, so it has to save some edges.
static constexpr size_t worthJoining = 4;

llvm::BitVector emit::findCalls(const Plan &plan) {
  llvm::BitVector calls(plan.numSteps());
  for (uint32_t id = 0; id < plan.numSteps(); ++id)
    if (plan.steps()[id].kind == StepKind::Call)
      calls.set(id);
  return calls;
}

std::vector<uint32_t> emit::depthsOf(const Plan &plan,
                                     const llvm::BitVector &counted) {
  std::vector<uint32_t> depth(plan.numSteps());
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    for (uint32_t dep : plan.deps(id))
      depth[id] = std::max(depth[id], depth[dep]);
    depth[id] += counted.test(id);
  }
  return depth;
}

/// A group of its own for \p step, called \p name.
static StepGroup groupOf(uint32_t step, StringRef name) {
  StepGroup group;
  group.steps = {step};
  size_t open = name.find('[');
  StringRef rest = open == StringRef::npos ? "" : name.substr(open + 1);
  // Argo would take two braces for a variable.
  if (rest.consumeInteger(10, group.firstIndex) || !rest.starts_with("]") ||
      name.contains("{{"))
    return group;
  group.before = name.take_front(open + 1);
  group.after = rest;
  return group;
}

std::vector<std::vector<StepGroup>>
emit::groupSteps(const Plan &plan, llvm::ArrayRef<std::string> names,
                 const llvm::BitVector &chosen) {
  std::vector<uint32_t> depth = depthsOf(plan, chosen);
  std::vector<std::vector<StepGroup>> result;
  using Key = std::tuple<uint32_t, StringRef, StringRef>;
  std::map<Key, size_t> open;
  for (uint32_t id : chosen.set_bits()) {
    if (result.size() < depth[id])
      result.resize(depth[id]);
    std::vector<StepGroup> &groups = result[depth[id] - 1];
    StepGroup group = groupOf(id, names[id]);
    auto [found, isNew] =
        open.try_emplace({depth[id], group.before, group.after}, groups.size());
    bool isNext = !isNew && !group.before.empty() &&
                  groups[found->second].lastIndex() + 1 == group.firstIndex;
    if (isNext) {
      groups[found->second].steps.push_back(id);
      continue;
    }
    found->second = groups.size();
    groups.push_back(std::move(group));
  }
  return result;
}

Waits emit::findWaits(const Plan &plan) {
  std::vector<uint32_t> users(plan.numSteps());
  for (uint32_t id = 0; id < plan.numSteps(); ++id)
    for (uint32_t dep : plan.deps(id))
      ++users[dep];
  Waits waits;
  waits.before.resize(plan.numSteps());
  waits.isJoin.resize(plan.numSteps());
  llvm::BitVector calls = findCalls(plan);
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    std::vector<uint32_t> &before = waits.before[id];
    for (uint32_t dep : plan.deps(id))
      if (calls.test(dep) || waits.isJoin.test(dep))
        before.push_back(dep);
      else if (users[dep] == 1 && before.empty())
        before = std::move(waits.before[dep]);
      else
        llvm::append_range(before, waits.before[dep]);
    llvm::sort(before);
    before.erase(llvm::unique(before), before.end());
    size_t product = before.size() * users[id];
    if (!calls.test(id) && product > worthJoining * (before.size() + users[id]))
      waits.isJoin.set(id);
  }
  return waits;
}
