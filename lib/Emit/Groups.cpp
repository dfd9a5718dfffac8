//===- Groups.cpp - Steps that are alike ----------------------------------===//

#include "Groups.h"

#include <map>

using namespace toscac;
using namespace toscac::emit;
using llvm::StringRef;
using planfile::PlanFile;
using planfile::StepKind;

static bool isCallStep(const PlanFile &plan, uint32_t step) {
  return plan.steps()[step].kind == StepKind::Call;
}

/// Calls, by the number of calls that come before each.
static std::vector<std::vector<uint32_t>> levelsOf(const PlanFile &plan) {
  std::vector<std::vector<uint32_t>> levels;
  std::vector<uint32_t> level(plan.numSteps());
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    for (uint32_t dep : plan.deps(id))
      level[id] = std::max(level[id], level[dep] + isCallStep(plan, dep));
    if (!isCallStep(plan, id))
      continue;
    if (levels.size() <= level[id])
      levels.resize(level[id] + 1);
    levels[level[id]].push_back(id);
  }
  return levels;
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
emit::groupSteps(const PlanFile &plan, llvm::ArrayRef<std::string> names) {
  std::vector<std::vector<StepGroup>> result;
  for (const std::vector<uint32_t> &calls : levelsOf(plan)) {
    std::vector<StepGroup> &groups = result.emplace_back();
    std::map<std::pair<StringRef, StringRef>, size_t> open;
    for (uint32_t id : calls) {
      StepGroup group = groupOf(id, names[id]);
      auto [found, isNew] =
          open.try_emplace({group.before, group.after}, groups.size());
      bool isNext = !isNew && !group.before.empty() &&
                    groups[found->second].lastIndex() + 1 == group.firstIndex;
      if (isNext) {
        groups[found->second].steps.push_back(id);
        continue;
      }
      found->second = groups.size();
      groups.push_back(std::move(group));
    }
  }
  return result;
}

std::vector<std::vector<uint32_t>> emit::callsBefore(const PlanFile &plan) {
  std::vector<std::vector<uint32_t>> before(plan.numSteps());
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    std::vector<uint32_t> &calls = before[id];
    for (uint32_t dep : plan.deps(id))
      if (isCallStep(plan, dep))
        calls.push_back(dep);
      else
        llvm::append_range(calls, before[dep]);
    llvm::sort(calls);
    calls.erase(llvm::unique(calls), calls.end());
  }
  return before;
}
