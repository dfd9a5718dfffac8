//===- Slurm.cpp - Plans for Slurm ----------------------------------------===//
///
/// \file
/// A call is a job that runs `tosca-run step` in the folder, which all nodes
/// see; alike calls of many instances are a job array. All jobs wait behind one
/// that is held until the last has been submitted: a dependency on a job that
/// Slurm has forgotten would count as satisfied.
///
//===----------------------------------------------------------------------===//

#include "Groups.h"
#include "StepNames.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace toscac;
using namespace toscac::emit;
using llvm::StringRef;
using planfile::PlanFile;

static constexpr StringRef submitStart = R"sh(set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

# A cluster keeps only so many jobs.
limit() { scontrol show config | sed -n "s/^$1 *= *//p"; }
most=$(limit MaxJobCount)
if ((calls + 2 > most)); then
  echo "submit: the plan needs $((calls + 2)) jobs; this cluster keeps $most" >&2
  exit 2
fi
largest=$(limit MaxArraySize)
# Refuses a plan that was made for another state.
tosca-run collect . ${TOSCA_RUN_FLAGS:-}
mkdir -p slurm

# The job of each step, those of all, and of groups that are one array.
declare -A job array first last base stride
all=

# start NAME FILE DEPENDENCY OPTIONS COMMAND...: prints the number of the job.
start() {
  local name=$1 file=$2 dependency=$3 options=$4
  shift 4
  printf '#!/bin/sh\nexec %s\n' "$*" >"slurm/$file.sh"
  # shellcheck disable=SC2086 # Options are words.
  sbatch --parsable --kill-on-invalid-dep=yes --job-name="$name" \
    --output="slurm/$file-%j.log" --chdir="$PWD" \
    ${dependency:+--dependency="$dependency"} $options ${TOSCA_SBATCH_FLAGS:-} \
    "slurm/$file.sh"
}

# step ID NAME PREDECESSORS...: a step that has a result needs no job.
step() {
  local id=$1 name=$2 dependency=afterok:$gate other
  shift 2
  if [[ -e results/$id.json ]]; then return; fi
  for other; do
    dependency+=${job[$other]:+:${job[$other]}}
  done
  job[$id]=$(start "$name" "$id" "$dependency" "" \
    tosca-run step . "$id" "${TOSCA_RUN_FLAGS:-}")
  all+=:${job[$id]}
}

# The steps of group $1.
members() {
  local index
  for ((index = first[$1]; index <= last[$1]; ++index)); do
    echo $((base[$1] + stride[$1] * index))
  done
}

# group NUMBER NAME FIRST LAST BASE STRIDE PREDECESSORS...: step BASE + STRIDE * i for
# each index i. A predecessor is a step, each:GROUP (the one with the same index) or
# all:GROUP. One array, unless some of its steps are done.
group() {
  local group=$1 name=$2 dependency=afterok:$gate pairs= other id index whole=yes
  first[$group]=$3 last[$group]=$4 base[$group]=$5 stride[$group]=$6
  shift 6
  for id in $(members "$group"); do
    if [[ -e results/$id.json ]]; then whole=; fi
  done
  for other; do
    case $other in
    each:*) [[ -n ${array[${other#*:}]:-} ]] || whole= ;;
    esac
  done
  if [[ -z $whole ]] || ((last[$group] >= largest)); then
    single "$group" "$name" "$@"
    return
  fi
  for other; do
    case $other in
    each:*) pairs+=,aftercorr:${array[${other#*:}]} ;;
    all:*) dependency+=$(jobs_of "${other#*:}") ;;
    *) dependency+=${job[$other]:+:${job[$other]}} ;;
    esac
  done
  array[$group]=$(start "$name" "group$group" "$dependency$pairs" \
    "--array=${first[$group]}-${last[$group]}" tosca-run step . \
    "\$((${base[$group]} + ${stride[$group]} * SLURM_ARRAY_TASK_ID))" \
    "${TOSCA_RUN_FLAGS:-}")
  for ((index = first[$group]; index <= last[$group]; ++index)); do
    job[$((base[$group] + stride[$group] * index))]=${array[$group]}_$index
  done
  all+=:${array[$group]}
}

# What to wait for where all of group $1 must be done.
jobs_of() {
  local id
  if [[ -n ${array[$1]:-} ]]; then
    echo ":${array[$1]}"
    return
  fi
  for id in $(members "$1"); do
    printf '%s' "${job[$id]:+:${job[$id]}}"
  done
}

# The steps of a group one by one.
single() {
  local group=$1 name=$2 index other before
  shift 2
  for ((index = first[$group]; index <= last[$group]; ++index)); do
    before=()
    for other; do
      case $other in
      each:*) before+=($((base[${other#*:}] + stride[${other#*:}] * index))) ;;
      all:*) mapfile -t -O ${#before[@]} before < <(members "${other#*:}") ;;
      *) before+=("$other") ;;
      esac
    done
    step $((base[$group] + stride[$group] * index)) "$name" "${before[@]}"
  done
}

gate=$(start begin begin "" --hold true)
)sh";

static constexpr StringRef submitEnd = R"sh(
end=$(start end end "afterany:$gate$all" "" \
  tosca-run collect --end . "${TOSCA_RUN_FLAGS:-}")
scontrol release "$gate"
if [[ ${1:-} != --wait ]]; then
  echo "job $end is the last one"
  exit
fi
# A controller that does not answer says nothing about the job.
over='^(COMPLETED|FAILED|CANCELLED|TIMEOUT|NODE_FAIL|OUT_OF_MEMORY)|Invalid job'
until [[ $(squeue --noheader --states=all --jobs="$end" --format=%T 2>&1) =~ $over ]]; do
  sleep 0.5
  # Slurm holds jobs whose node was lost when they were about to start.
  for held in $(squeue --noheader --states=PENDING --format='%i|%r' 2>/dev/null |
    sed -n 's/|.*requeued held.*//p'); do
    if [[ $all: == *:${held%%_*}:* ]]; then
      scontrol release "$held" || true
    fi
  done
done
tosca-run collect --end . ${TOSCA_RUN_FLAGS:-}
)sh";

namespace {

class SlurmWriter {
public:
  SlurmWriter(const PlanFile &plan, llvm::ArrayRef<std::string> names,
              llvm::raw_ostream &os)
      : names(names), before(callsBefore(plan)),
        levels(groupSteps(plan, names)), os(os) {}

  void write();

private:
  /// What all steps of \p group wait for, in the script's words; nothing where
  /// it differs from one to another.
  std::optional<std::string> predecessors(const StepGroup &group) const;
  void writeGroup(const StepGroup &group);
  void writeStep(uint32_t step);

  llvm::ArrayRef<std::string> names;
  std::vector<std::vector<uint32_t>> before;
  std::vector<std::vector<StepGroup>> levels;
  llvm::raw_ostream &os;
  /// Groups that are written as such, and which of them a step is in.
  std::vector<const StepGroup *> written;
  llvm::DenseMap<uint32_t, uint32_t> groupOfStep;
};

} // namespace

/// \p text for a shell, as one word.
static std::string shellWord(StringRef text) {
  std::string result = "'";
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// The difference between the numbers of a step and the next; 0 if it differs.
static uint32_t strideOf(const StepGroup &group) {
  uint32_t stride = group.steps[1] - group.steps[0];
  for (size_t i = 1; i < group.steps.size(); ++i)
    if (group.steps[i] - group.steps[i - 1] != stride)
      return 0;
  return stride;
}

std::optional<std::string>
SlurmWriter::predecessors(const StepGroup &group) const {
  std::string result;
  // Single steps must be the same for all.
  auto isGrouped = [&](uint32_t step) { return groupOfStep.contains(step); };
  std::vector<uint32_t> singles = before[group.steps[0]];
  llvm::erase_if(singles, isGrouped);
  for (uint32_t step : group.steps) {
    std::vector<uint32_t> others = before[step];
    llvm::erase_if(others, isGrouped);
    if (others != singles)
      return std::nullopt;
  }
  for (uint32_t step : singles)
    result += " " + std::to_string(step);
  llvm::DenseSet<uint32_t> seen;
  for (uint32_t step : before[group.steps[0]]) {
    auto found = groupOfStep.find(step);
    if (found == groupOfStep.end() || !seen.insert(found->second).second)
      continue;
    const StepGroup &other = *written[found->second];
    bool isEach = other.firstIndex <= group.firstIndex &&
                  other.lastIndex() >= group.lastIndex();
    bool isAll = true;
    for (auto [i, each] : llvm::enumerate(group.steps)) {
      std::vector<uint32_t> common;
      for (uint32_t call : before[each])
        if (auto at = groupOfStep.find(call);
            at != groupOfStep.end() && at->second == found->second)
          common.push_back(call);
      isAll &= common.size() == other.steps.size();
      isEach &=
          common.size() == 1 &&
          common[0] == other.steps[group.firstIndex - other.firstIndex + i];
    }
    if (!isEach && !isAll)
      return std::nullopt;
    result += (isEach ? " each:" : " all:") + std::to_string(found->second);
  }
  // A group that only some wait for.
  for (uint32_t step : group.steps)
    for (uint32_t call : before[step])
      if (isGrouped(call) && !seen.contains(groupOfStep.lookup(call)))
        return std::nullopt;
  return result;
}

void SlurmWriter::writeStep(uint32_t step) {
  os << "step " << step << ' ' << shellWord(names[step]);
  for (uint32_t call : before[step])
    os << ' ' << call;
  os << '\n';
}

void SlurmWriter::writeGroup(const StepGroup &group) {
  uint32_t stride = group.steps.size() > 1 ? strideOf(group) : 0;
  std::optional<std::string> after =
      stride ? predecessors(group) : std::nullopt;
  if (!after) {
    for (uint32_t step : group.steps)
      writeStep(step);
    return;
  }
  os << "group " << written.size() << ' '
     << shellWord((group.before + group.after).str()) << ' ' << group.firstIndex
     << ' ' << group.lastIndex() << ' '
     << int64_t(group.steps[0]) - int64_t(stride) * group.firstIndex << ' '
     << stride << *after << '\n';
  for (uint32_t step : group.steps)
    groupOfStep[step] = written.size();
  written.push_back(&group);
}

void SlurmWriter::write() {
  for (const std::vector<StepGroup> &groups : levels)
    for (const StepGroup &group : groups)
      writeGroup(group);
}

std::vector<EngineFile> emit::filesSlurm(PlanFile &plan, const EngineOptions &,
                                         DiagnosticEngine &diags) {
  std::optional<std::vector<std::string>> names = readNames(plan, diags);
  if (!names)
    return {};
  std::string text =
      "#!/usr/bin/env bash\n" + introduce(plan, "#", "FOLDER/submit [--wait]");
  llvm::raw_string_ostream os(text);
  os << "calls=" << countCalls(plan) << '\n' << submitStart;
  SlurmWriter(plan, *names, os).write();
  os << submitEnd;
  return {{"submit", text, /*isProgram=*/true}};
}
