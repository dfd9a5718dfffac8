//===- DiffPlans.cpp - What changed between two plans ---------------------===//

#include "toscac/Plan/DiffPlans.h"

#include "PlanContent.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace toscac;
using namespace toscac::planfile;
using llvm::raw_ostream;
using llvm::StringRef;

/// Orders of more calls than this are not compared: each takes a bit for each
/// step.
static constexpr size_t maxCalls = 20000;

namespace {

class PlanDiff {
public:
  PlanDiff(const PlanContent &before, const PlanContent &after, raw_ostream &os)
      : before(before), after(after), os(os) {}

  bool run();

private:
  raw_ostream &say() {
    differs = true;
    return os;
  }
  void diffTexts(StringRef what, const Texts &was, const Texts &is);
  void diffEntities();
  void diffStep(const StepContent &was, const StepContent &is);
  void diffDeps(const StepContent &was, const StepContent &is);
  void diffExclusions();
  void explainMove(const StepContent &was, const StepContent &is);
  void sayNew(const StepContent &step, StringRef word, const PlanContent &in,
              const PlanContent &other);

  const PlanContent &before;
  const PlanContent &after;
  raw_ostream &os;
  bool differs = false;
};

} // namespace

void PlanDiff::diffTexts(StringRef what, const Texts &was, const Texts &is) {
  for (const auto &[key, text] : was)
    if (!is.contains(key))
      say() << what << key << " is gone, was " << text << '\n';
  for (const auto &[key, text] : is) {
    auto old = was.find(key);
    if (old == was.end())
      say() << what << key << " is " << text << ", was not there\n";
    else if (old->second != text)
      say() << what << key << " is " << text << ", was " << old->second << '\n';
  }
}

void PlanDiff::diffEntities() {
  for (const auto &[name, texts] : before.entities)
    if (!after.entities.contains(name))
      say() << "entity " << name << " is gone\n";
  for (const auto &[name, texts] : after.entities) {
    auto old = before.entities.find(name);
    if (old == before.entities.end())
      say() << "entity " << name << " is new\n";
    else
      diffTexts(("entity " + name + ": ").str(), old->second, texts);
  }
}

/// A step comes or goes with its entity, or by itself.
void PlanDiff::sayNew(const StepContent &step, StringRef word,
                      const PlanContent &in, const PlanContent &other) {
  say() << word << " step " << step.name;
  if (step.entity < in.entityNames.size()) {
    StringRef entity = in.entityNames[step.entity];
    if (!other.entities.contains(entity))
      os << ", since " << entity << " is " << word;
  }
  os << '\n';
}

static llvm::SmallVector<StringRef, 4> namesOf(const StepContent &step,
                                               const PlanContent &plan) {
  llvm::SmallVector<StringRef, 4> names;
  for (uint32_t dep : step.deps)
    names.push_back(plan.steps[dep].name);
  return names;
}

void PlanDiff::diffDeps(const StepContent &was, const StepContent &is) {
  llvm::SmallVector<StringRef, 4> old = namesOf(was, before);
  llvm::SmallVector<StringRef, 4> now = namesOf(is, after);
  llvm::DenseSet<StringRef> oldSet(old.begin(), old.end());
  llvm::DenseSet<StringRef> nowSet(now.begin(), now.end());
  bool same = true;
  for (StringRef name : now)
    if (!oldSet.contains(name)) {
      say() << "step " << is.name << " now waits for " << name << '\n';
      same = false;
    }
  for (StringRef name : old)
    if (!nowSet.contains(name)) {
      say() << "step " << is.name << " no longer waits for " << name << '\n';
      same = false;
    }
  if (same && was.stage != is.stage)
    explainMove(was, is);
}

/// Pairs of steps that must not overlap, by names.
static std::set<std::pair<StringRef, StringRef>>
exclusionsOf(const PlanContent &plan) {
  std::set<std::pair<StringRef, StringRef>> pairs;
  for (const Exclusion &each : plan.plan.exclusions()) {
    StringRef a = plan.steps[each.earlier].name;
    StringRef b = plan.steps[each.later].name;
    pairs.emplace(std::min(a, b), std::max(a, b));
  }
  return pairs;
}

void PlanDiff::diffExclusions() {
  auto old = exclusionsOf(before), now = exclusionsOf(after);
  for (const auto &pair : now)
    if (!old.contains(pair))
      say() << "steps " << pair.first << " and " << pair.second
            << " now exclude each other\n";
  for (const auto &pair : old)
    if (!now.contains(pair))
      say() << "steps " << pair.first << " and " << pair.second
            << " no longer exclude each other\n";
}

/// What it waits for is the same: one of these has moved.
void PlanDiff::explainMove(const StepContent &was, const StepContent &is) {
  say() << "step " << is.name << " moves from stage " << was.stage << " to "
        << is.stage;
  for (uint32_t dep : is.deps) {
    const StepContent &cause = after.steps[dep];
    auto old = before.stepsByName.find(cause.name);
    if (cause.stage + 1 == is.stage && old != before.stepsByName.end() &&
        before.steps[old->second].stage != cause.stage) {
      os << " with " << cause.name;
      break;
    }
  }
  os << '\n';
}

void PlanDiff::diffStep(const StepContent &was, const StepContent &is) {
  std::string prefix = "step " + is.name + ": ";
  if (was.files != is.files)
    say() << "step " << is.name << " runs "
          << (is.files.empty() ? "nothing" : is.files) << ", not "
          << (was.files.empty() ? "nothing" : was.files) << '\n';
  else if (was.digests != is.digests)
    say() << prefix << "the content of " << is.files << " has changed\n";
  diffTexts(prefix + "input ", was.inputs, is.inputs);
  diffTexts(prefix, was.others, is.others);
  diffDeps(was, is);
}

bool PlanDiff::run() {
  diffTexts("value of input ", before.values, after.values);
  diffEntities();
  for (const StepContent &step : before.steps)
    if (step.kind != StepKind::Join && !after.stepsByName.contains(step.name))
      sayNew(step, "gone", before, after);
  for (const StepContent &step : after.steps) {
    if (step.kind == StepKind::Join)
      continue;
    auto old = before.stepsByName.find(step.name);
    if (old == before.stepsByName.end())
      sayNew(step, "new", after, before);
    else
      diffStep(before.steps[old->second], step);
  }
  diffExclusions();
  diffTexts("output ", before.outputs, after.outputs);
  return differs;
}

llvm::Expected<bool> planfile::areEqual(Plan &before, Plan &after,
                                        raw_ostream &os) {
  PlanContent old(before), now(after);
  if (llvm::Error error = old.read())
    return error;
  if (llvm::Error error = now.read())
    return error;
  return !PlanDiff(old, now, os).run();
}

/// Calls by name, each with the names of calls that end before it starts.
static std::vector<llvm::BitVector>
callsBefore(const PlanContent &plan, const llvm::StringMap<uint32_t> &numbers) {
  std::vector<llvm::BitVector> result(
      plan.plan.numSteps(), llvm::BitVector(unsigned(numbers.size())));
  for (uint32_t i = 0; i != result.size(); ++i)
    for (uint32_t dep : plan.plan.deps(i)) {
      result[i] |= result[dep];
      if (plan.steps[dep].kind == StepKind::Call)
        result[i].set(numbers.lookup(plan.steps[dep].name));
    }
  return result;
}

static llvm::StringMap<uint32_t> numberCalls(const PlanContent &plan) {
  llvm::StringMap<uint32_t> numbers;
  for (uint32_t i = 0; i != plan.plan.numSteps(); ++i)
    if (plan.steps[i].kind == StepKind::Call)
      numbers.try_emplace(plan.steps[i].name, numbers.size());
  return numbers;
}

/// Whether \p a and \p b do the same.
static bool isSameCall(const StepContent &a, const StepContent &b) {
  auto same = [](const Texts &x, const Texts &y) {
    return x.size() == y.size() && llvm::all_of(x, [&](const auto &entry) {
             auto other = y.find(entry.first);
             return other != y.end() && other->second == entry.second;
           });
  };
  return a.files == b.files && a.digests == b.digests &&
         same(a.inputs, b.inputs) && same(a.others, b.others);
}

static bool sayOnly(StringRef call, const char *plan, raw_ostream &os) {
  os << "only the " << plan << " plan calls " << call << '\n';
  return false;
}

static bool compareExclusions(const PlanContent &old, const PlanContent &now,
                              raw_ostream &os) {
  auto inOld = exclusionsOf(old), inNow = exclusionsOf(now);
  std::vector<std::pair<StringRef, StringRef>> difference;
  std::set_symmetric_difference(inOld.begin(), inOld.end(), inNow.begin(),
                                inNow.end(), std::back_inserter(difference));
  if (difference.empty())
    return true;
  const auto &[a, b] = difference.front();
  os << "only in the " << (inOld.contains({a, b}) ? "old" : "new") << " plan, "
     << a << " and " << b << " exclude each other\n";
  return false;
}

static bool compareCalls(const PlanContent &old, const PlanContent &now,
                         const llvm::StringMap<uint32_t> &numbers,
                         raw_ostream &os) {
  for (uint32_t i = 0; i != now.plan.numSteps(); ++i)
    if (now.steps[i].kind == StepKind::Call &&
        !numbers.contains(now.steps[i].name))
      return sayOnly(now.steps[i].name, "new", os);
  std::vector<llvm::BitVector> oldOrder = callsBefore(old, numbers);
  std::vector<llvm::BitVector> newOrder = callsBefore(now, numbers);
  std::vector<StringRef> names(numbers.size());
  for (const auto &entry : numbers)
    names[entry.second] = entry.first();
  for (uint32_t i = 0; i != old.plan.numSteps(); ++i) {
    const StepContent &step = old.steps[i];
    if (step.kind != StepKind::Call)
      continue;
    auto found = now.stepsByName.find(step.name);
    if (found == now.stepsByName.end() ||
        now.steps[found->second].kind != StepKind::Call)
      return sayOnly(step.name, "old", os);
    if (!isSameCall(step, now.steps[found->second])) {
      os << step.name << " does not do the same\n";
      return false;
    }
    llvm::BitVector difference = oldOrder[i];
    difference ^= newOrder[found->second];
    int other = difference.find_first();
    if (other < 0)
      continue;
    bool isOld = oldOrder[i].test(other);
    os << "only in the " << (isOld ? "old" : "new") << " plan, " << step.name
       << " comes after " << names[other] << '\n';
    return false;
  }
  return compareExclusions(old, now, os);
}

llvm::Expected<bool> planfile::areEquivalent(Plan &before, Plan &after,
                                             raw_ostream &os) {
  PlanContent old(before), now(after);
  if (llvm::Error error = old.read())
    return error;
  if (llvm::Error error = now.read())
    return error;
  llvm::StringMap<uint32_t> numbers = numberCalls(old);
  if (numbers.size() > maxCalls)
    return llvm::createStringError("the plans have more than 20000 calls");
  return compareCalls(old, now, numbers, os);
}
