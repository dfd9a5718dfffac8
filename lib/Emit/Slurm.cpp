//===- Slurm.cpp - Plans for Slurm ----------------------------------------===//
///
/// \file
/// A call is a job that runs `tosca-run step` in the folder, which all nodes
/// see; alike calls of many instances are a job array. All jobs wait behind one
/// that is held until the last has been submitted: a dependency on a job that
/// Slurm has forgotten would count as satisfied.
///
/// Short calls are not worth a job each. Those with the same number of long
/// ones before them are a pack: one allocation, in which `tosca-run pack`
/// starts them by srun. No long call lies between two of a pack, so that jobs
/// and packs cannot wait for each other in a cycle.
///
//===----------------------------------------------------------------------===//

#include "SlurmScript.h"

#include "EngineConfig.h"
#include "Groups.h"
#include "StepNames.h"
#include "toscac/Basic/ShellWord.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <set>

using namespace toscac;
using namespace toscac::emit;
using llvm::StringRef;
using planfile::Plan;

/// So few short calls are not worth an allocation of their own.
static constexpr size_t fewShortCalls = 8;
/// A join that waits for so little is no job: its dependants wait themselves.
static constexpr size_t fewWords = 4;

namespace {

/// What a job waits for, in the script's words.
using Words = llvm::SetVector<std::string, std::vector<std::string>,
                              std::set<std::string>>;

class SlurmWriter {
public:
  SlurmWriter(const Plan &plan, llvm::ArrayRef<std::string> names,
              const llvm::BitVector &shortCalls, llvm::raw_ostream &os)
      : plan(plan), names(names), shortCalls(shortCalls),
        waits(findWaits(plan)), os(os) {}

  void write();

private:
  void findPacks();
  void writePack(uint32_t number);
  void writeJoin(uint32_t step);
  void writeGroup(const StepGroup &group);
  void writeStep(uint32_t step);
  void addWords(uint32_t step, Words &words) const;
  Words wordsFor(llvm::ArrayRef<uint32_t> steps) const;
  std::optional<Words> predecessors(const StepGroup &group) const;
  std::optional<std::string> relationTo(uint32_t number,
                                        const StepGroup &group) const;
  void print(const Words &words);

  const Plan &plan;
  llvm::ArrayRef<std::string> names;
  const llvm::BitVector &shortCalls;
  Waits waits;
  llvm::raw_ostream &os;
  /// By step: long calls on the way to it, with itself; a short one is in the
  /// pack of this number.
  std::vector<uint32_t> depth;
  /// Steps without effect that come after one of the pack of the same depth.
  llvm::BitVector isAfterPack;
  /// Short calls by pack.
  std::vector<std::vector<uint32_t>> packs;
  /// Groups that are written as such, and which of them a step is in.
  std::vector<const StepGroup *> written;
  llvm::DenseMap<uint32_t, uint32_t> groupOfStep;
  /// Joins that are no jobs.
  llvm::DenseMap<uint32_t, Words> joined;
};

} // namespace

/// The difference between the numbers of a step and the next; 0 if it differs.
static uint32_t strideOf(const StepGroup &group) {
  uint32_t stride = group.steps[1] - group.steps[0];
  for (size_t i = 1; i < group.steps.size(); ++i)
    if (group.steps[i] - group.steps[i - 1] != stride)
      return 0;
  return stride;
}

/// Numbers in ascending order as `3-7,9-9`.
static std::string rangesOf(llvm::ArrayRef<uint32_t> steps) {
  std::string result;
  for (size_t i = 0; i < steps.size();) {
    size_t end = i + 1;
    while (end < steps.size() && steps[end] == steps[end - 1] + 1)
      ++end;
    result += (result.empty() ? "" : ",") + std::to_string(steps[i]) + "-" +
              std::to_string(steps[end - 1]);
    i = end;
  }
  return result;
}

void SlurmWriter::findPacks() {
  llvm::BitVector longCalls = findCalls(plan);
  longCalls.reset(shortCalls);
  depth = depthsOf(plan, longCalls);
  isAfterPack.resize(plan.numSteps());
  for (uint32_t id = 0; id < plan.numSteps(); ++id) {
    packs.resize(std::max<size_t>(packs.size(), depth[id] + 1));
    if (shortCalls.test(id))
      packs[depth[id]].push_back(id);
    auto isLate = [&](uint32_t dep) {
      return depth[dep] == depth[id] &&
             (shortCalls.test(dep) || isAfterPack.test(dep));
    };
    if (!longCalls.test(id) && llvm::any_of(plan.deps(id), isLate))
      isAfterPack.set(id);
  }
}

void SlurmWriter::addWords(uint32_t step, Words &words) const {
  if (auto found = joined.find(step); found != joined.end())
    words.insert(found->second.begin(), found->second.end());
  else if (shortCalls.test(step))
    words.insert("pack:" + std::to_string(depth[step]));
  else
    words.insert(std::to_string(step));
}

/// The words for \p steps. A group of which all are there is one word.
Words SlurmWriter::wordsFor(llvm::ArrayRef<uint32_t> steps) const {
  llvm::DenseMap<uint32_t, size_t> counts;
  for (uint32_t other : steps)
    if (auto found = groupOfStep.find(other); found != groupOfStep.end())
      ++counts[found->second];
  Words words;
  for (uint32_t other : steps) {
    auto found = groupOfStep.find(other);
    if (found != groupOfStep.end() &&
        counts.lookup(found->second) == written[found->second]->steps.size())
      words.insert("all:" + std::to_string(found->second));
    else
      addWords(other, words);
  }
  return words;
}

/// How all steps of \p group wait for the group \p number; nothing where it
/// differs from one to another.
std::optional<std::string>
SlurmWriter::relationTo(uint32_t number, const StepGroup &group) const {
  const StepGroup &other = *written[number];
  bool isEach = other.firstIndex <= group.firstIndex &&
                other.lastIndex() >= group.lastIndex();
  bool isAll = true;
  for (auto [i, step] : llvm::enumerate(group.steps)) {
    std::vector<uint32_t> shared;
    for (uint32_t before : waits.before[step])
      if (auto at = groupOfStep.find(before);
          at != groupOfStep.end() && at->second == number)
        shared.push_back(before);
    isAll &= shared.size() == other.steps.size();
    isEach &= shared.size() == 1 &&
              shared[0] == other.steps[group.firstIndex - other.firstIndex + i];
  }
  if (!isEach && !isAll)
    return std::nullopt;
  return (isEach ? "each:" : "all:") + std::to_string(number);
}

/// What all steps of \p group wait for; nothing where it differs.
std::optional<Words> SlurmWriter::predecessors(const StepGroup &group) const {
  std::optional<Words> result;
  llvm::SetVector<uint32_t> others;
  for (uint32_t step : group.steps) {
    Words words;
    for (uint32_t before : waits.before[step])
      if (auto found = groupOfStep.find(before); found != groupOfStep.end())
        others.insert(found->second);
      else
        addWords(before, words);
    if (result && result->getArrayRef() != words.getArrayRef())
      return std::nullopt;
    result = std::move(words);
  }
  for (uint32_t other : others) {
    std::optional<std::string> relation = relationTo(other, group);
    if (!relation)
      return std::nullopt;
    result->insert(*relation);
  }
  return result;
}

void SlurmWriter::print(const Words &words) {
  for (const std::string &word : words)
    os << ' ' << word;
  os << '\n';
}

void SlurmWriter::writeStep(uint32_t step) {
  os << "  step " << step << ' ' << shellWord(names[step]);
  print(wordsFor(waits.before[step]));
}

void SlurmWriter::writeGroup(const StepGroup &group) {
  uint32_t stride = group.steps.size() > 1 ? strideOf(group) : 0;
  std::optional<Words> after = stride ? predecessors(group) : std::nullopt;
  if (!after) {
    for (uint32_t step : group.steps)
      writeStep(step);
    return;
  }
  os << "  group " << written.size() << ' '
     << shellWord((group.before + group.after).str()) << ' ' << group.firstIndex
     << ' ' << group.lastIndex() << ' '
     << int64_t(group.steps[0]) - int64_t(stride) * group.firstIndex << ' '
     << stride;
  print(*after);
  for (uint32_t step : group.steps)
    groupOfStep[step] = written.size();
  written.push_back(&group);
}

void SlurmWriter::writeJoin(uint32_t step) {
  Words words = wordsFor(waits.before[step]);
  if (words.size() <= fewWords) {
    joined[step] = std::move(words);
    return;
  }
  os << "  join " << step;
  print(words);
}

/// It waits for what any of its steps waits for that is not in it.
void SlurmWriter::writePack(uint32_t number) {
  llvm::ArrayRef<uint32_t> steps = packs[number];
  std::vector<uint32_t> before;
  llvm::DenseSet<uint32_t> seen(steps.begin(), steps.end());
  std::vector<uint32_t> worklist(steps.begin(), steps.end());
  while (!worklist.empty()) {
    uint32_t step = worklist.back();
    worklist.pop_back();
    for (uint32_t other : waits.before[step]) {
      if (!seen.insert(other).second)
        continue;
      // A join in the midst of the pack.
      if (waits.isJoin.test(other) && isAfterPack.test(other) &&
          depth[other] == number)
        worklist.push_back(other);
      else
        before.push_back(other);
    }
  }
  llvm::sort(before);
  os << "  pack " << number << ' ' << steps.size() << ' ' << rangesOf(steps);
  print(wordsFor(before));
}

void SlurmWriter::write() {
  findPacks();
  llvm::BitVector longCalls = findCalls(plan);
  longCalls.reset(shortCalls);
  std::vector<std::vector<StepGroup>> levels =
      groupSteps(plan, names, longCalls);
  std::vector<std::vector<uint32_t>> joins(packs.size());
  for (uint32_t id : waits.isJoin.set_bits())
    joins[depth[id]].push_back(id);
  auto writeJoins = [&](uint32_t level, bool late) {
    for (uint32_t id : joins[level])
      if (isAfterPack.test(id) == late)
        writeJoin(id);
  };
  for (uint32_t level = 0; level < packs.size(); ++level) {
    if (level > 0)
      for (const StepGroup &group : levels[level - 1])
        writeGroup(group);
    writeJoins(level, /*late=*/false);
    if (!packs[level].empty())
      writePack(level);
    writeJoins(level, /*late=*/true);
  }
}

/// Calls that cannot take longer than the configuration says; nothing after a
/// report.
static std::optional<llvm::BitVector>
findShortCalls(Plan &plan, StringRef config, DiagnosticEngine &diags) {
  uint32_t seconds = 60;
  bool isRead = readEngineConfig(
      config,
      [&](StringRef key, JSONField &value) {
        std::optional<uint32_t> number =
            key == "short" ? value.index() : std::nullopt;
        seconds = number.value_or(seconds);
        return number.has_value();
      },
      diags);
  llvm::BitVector found(plan.numSteps());
  isRead = isRead && eachCall(plan, diags, [&](const planfile::Step &step) {
             if (step.timeout > 0 && step.timeout <= seconds)
               found.set(step.id);
           });
  if (!isRead)
    return std::nullopt;
  if (found.count() < fewShortCalls)
    found.reset();
  return found;
}

std::vector<EngineFile> emit::filesSlurm(Plan &plan,
                                         const EngineOptions &options,
                                         DiagnosticEngine &diags) {
  std::optional<std::vector<std::string>> names = readNames(plan, diags);
  std::optional<llvm::BitVector> shortCalls =
      findShortCalls(plan, options.config, diags);
  if (!names || !shortCalls)
    return {};
  llvm::BitVector calls = findCalls(plan);
  std::vector<uint32_t> all(calls.set_bits_begin(), calls.set_bits_end());
  std::string text = "#!/usr/bin/env bash\n" +
                     introduce(plan, "#", "FOLDER/submit [--wait] [--pack]");
  llvm::raw_string_ostream os(text);
  os << "calls=" << all.size() << " steps=" << rangesOf(all) << '\n'
     << submitStart;
  SlurmWriter(plan, *names, *shortCalls, os).write();
  os << "  true\n" << submitEnd;
  return {{"submit", text, /*isProgram=*/true}};
}
