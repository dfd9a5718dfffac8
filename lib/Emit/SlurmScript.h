//===- SlurmScript.h - The script that submits a plan -----------*- C++ -*-===//
///
/// \file
/// Everything of the script but the steps of the plan, which stand between the
/// two parts as calls of its functions, in the function `plan`.
///
//===----------------------------------------------------------------------===//

#ifndef TOSCAC_LIB_EMIT_SLURMSCRIPT_H
#define TOSCAC_LIB_EMIT_SLURMSCRIPT_H

#include "llvm/ADT/StringRef.h"

namespace toscac::emit {

inline constexpr llvm::StringLiteral submitStart = R"sh(set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"

waits= packs=
for option; do
  case $option in
  --wait) waits=yes ;;
  --pack) packs=yes ;;
  --resume) ;; # What is done is never submitted again.
  *)
    echo "usage: submit [--wait] [--resume] [--pack]" >&2
    exit 64
    ;;
  esac
done
if [[ -s slurm/end && -n $(squeue --noheader --jobs="$(<slurm/end)" 2>/dev/null) ]]; then
  echo "submit: job $(<slurm/end) of an earlier submission is not over" >&2
  exit 2
fi

# What the cluster allows. Numbers of an array's jobs are below MaxArraySize.
config=$(scontrol show config)
limit() { sed -n "s/^$1 *= *//p" <<<"$config"; }
size=$(limit MaxArraySize)
# Processors of the partition that jobs go to unless they say otherwise.
processors=$(sinfo --noheader --Node --responding --format='%P %c' |
  awk '$1 ~ /[*]$/ { sum += $2 } END { print sum ? sum : 1 }')

# The jobs of steps, arrays and packs, and those of all.
declare -A job array packed members first last base stride
all= jobs=0 counting=yes gate=1

# start NAME FILE DEPENDENCY COUNT OPTIONS COMMAND...: sets started to the number of the job.
start() {
  local name=$1 file=$2 dependency=$3 count=$4 options=$5
  shift 5
  jobs=$((jobs + count)) started=1
  if [[ $counting ]]; then return; fi
  {
    echo '#!/bin/sh'
    if [[ $dependency ]]; then echo "#SBATCH --dependency=$dependency"; fi
    echo "exec $*"
  } >"slurm/$file.sh"
  # shellcheck disable=SC2086 # Options are words.
  started=$(sbatch --parsable --kill-on-invalid-dep=yes --job-name="$name" \
    --output="slurm/$file-%j.log" --chdir="$PWD" $options ${TOSCA_SBATCH_FLAGS:-} \
    "slurm/$file.sh")
}

# needs PREDECESSORS...: sets dependency. A predecessor is a step, all:GROUP or pack:PACK. What
# comes after a pack looks for itself whether those of its steps are done that matter.
needs() {
  local other ok=$gate any=
  for other; do
    case $other in
    pack:*) any+=${packed[${other#*:}]:+:${packed[${other#*:}]}} ;;
    all:*) ok+=${members[${other#*:}]} ;;
    *) ok+=${job[$other]:+:${job[$other]}} ;;
    esac
  done
  dependency=afterok:$ok${any:+,afterany$any}
}

# step ID NAME PREDECESSORS...: one that has a result needs no job.
step() {
  local id=$1 name=$2
  shift 2
  if [[ -e results/$id.json ]]; then return; fi
  needs "$@"
  start "$name" "$id" "$dependency" 1 "" tosca-run step . "$id" "${TOSCA_RUN_FLAGS:-}"
  job[$id]=$started
  all+=:$started
}

# join ID PREDECESSORS...: saves dependencies.
join() {
  local id=$1
  shift
  needs "$@"
  if [[ $dependency == "afterok:$gate" ]]; then return; fi
  start join "$id" "$dependency" 1 "" true
  job[$id]=$started
  all+=:$started
}

# group NUMBER NAME FIRST LAST BASE STRIDE PREDECESSORS...: step BASE + STRIDE * i for
# each index i. Predecessors may be each:GROUP, the step with the same index. An array, or
# several: all groups are cut at the same indices.
group() {
  local group=$1 name=$2 from=$3 to
  first[$group]=$3 last[$group]=$4 base[$group]=$5 stride[$group]=$6
  shift 6
  while ((from <= last[$group])); do
    to=$((size > 1 ? (from / size + 1) * size - 1 : from))
    to=$((to < last[$group] ? to : last[$group]))
    part "$group" "$name" "$from" "$to" "$@"
    from=$((to + 1))
  done
  find_members "$group"
}

# Sets the jobs that all of group $1 are done with: an array stands for all of its indices.
find_members() {
  local index whole previous=
  members[$1]=
  for ((index = first[$1]; index <= last[$1]; ++index)); do
    whole=${job[$((base[$1] + stride[$1] * index))]:-}
    whole=${whole%_*}
    if [[ $whole && $whole != "$previous" ]]; then members[$1]+=:$whole; fi
    previous=$whole
  done
}

# part GROUP NAME FROM TO PREDECESSORS...: one array, if all of its steps have to run, and
# those that each of them waits for are an array, too.
part() {
  local group=$1 name=$2 from=$3 to=$4 other index id offset todo=0 pairs= whole=yes rest=()
  shift 4
  for ((index = from; index <= to; ++index)); do
    if [[ ! -e results/$((base[$group] + stride[$group] * index)).json ]]; then
      todo=$((todo + 1))
    fi
  done
  if ((todo == 0)); then return; fi
  if ((todo <= to - from || todo == 1)); then whole=; fi
  for other; do
    case $other in
    each:*) pair_with "${other#*:}" ;;
    *) rest+=("$other") ;;
    esac
  done
  if [[ -z $whole ]]; then
    single "$@"
    return
  fi
  needs "${rest[@]}"
  offset=$((from / size * size))
  start "$name" "group$group-$from" "$dependency${pairs:+,aftercorr$pairs}" "$todo" \
    "--array=$((from - offset))-$((to - offset))" tosca-run step . \
    "\$(($((base[$group] + stride[$group] * offset)) + ${stride[$group]} * SLURM_ARRAY_TASK_ID))" \
    "${TOSCA_RUN_FLAGS:-}"
  array[$group/$from]=$started
  all+=:$started
  for ((index = from; index <= to; ++index)); do
    id=$((base[$group] + stride[$group] * index))
    job[$id]=${started}_$((index - offset))
  done
}

# Adds the array of group $1 that has this part's indices to pairs; whole becomes empty where
# there is none, although some of them have jobs.
pair_with() {
  local other=$1 index id start=$((size > 1 ? from / size * size : from))
  start=$((start > first[$other] ? start : first[$other]))
  if [[ ${array[$other/$start]:-} ]]; then
    pairs+=:${array[$other/$start]}
    return
  fi
  for ((index = from; index <= to; ++index)); do
    id=$((base[$other] + stride[$other] * index))
    if [[ ${job[$id]:-} ]]; then whole=; fi
  done
}

# The steps of a part one by one.
single() {
  local index other before
  for ((index = from; index <= to; ++index)); do
    before=()
    for other; do
      case $other in
      each:*) before+=($((base[${other#*:}] + stride[${other#*:}] * index))) ;;
      *) before+=("$other") ;;
      esac
    done
    step $((base[$group] + stride[$group] * index)) "$name" "${before[@]}"
  done
}

# pack NUMBER COUNT STEPS PREDECESSORS...: short steps, which share an allocation.
pack() {
  local number=$1 count=$2 steps=$3
  shift 3
  if is_done "$steps"; then return; fi
  needs "$@"
  start "pack$number" "pack$number" "$dependency" 1 \
    "--ntasks=$((count < processors ? count : processors)) ${TOSCA_PACK_FLAGS:-}" \
    tosca-run pack . "$steps" -j "\$SLURM_NTASKS" --each \
    "'srun --exact --nodes=1 --ntasks=1 ${TOSCA_SRUN_FLAGS:-} tosca-run step . {step} ${TOSCA_RUN_FLAGS:-}'"
  packed[$number]=$started
  all+=:$started
}

# Whether all of the steps $1, such as 3-7,9, have a result.
is_done() {
  local range id
  for range in ${1//,/ }; do
    for ((id = ${range%-*}; id <= ${range#*-}; ++id)); do
      if [[ ! -e results/$id.json ]]; then return 1; fi
    done
  done
}

# fits LIMIT MOST PRESENT
fits() {
  if ((jobs + $3 <= $2)); then return; fi
  echo "submit: the plan needs $jobs jobs, and $3 are there; $1 is $2." \
    "'submit --pack' runs it in one allocation" >&2
  exit 2
}

plan() {
)sh";

inline constexpr llvm::StringLiteral submitEnd = R"sh(}
all_of_it() {
  if [[ $packs ]]; then pack 0 "$calls" "$steps"; else plan; fi
}

all_of_it
jobs=$((jobs + 2))
fits MaxJobCount "$(limit MaxJobCount)" \
  "$(squeue --noheader --array --states=all | wc -l)"
if [[ $(limit AccountingStorageType) != *none ]]; then
  for most in $(sacctmgr --noheader --parsable2 show associations \
    user="$(id -un)" cluster="$(limit ClusterName)" format=MaxSubmitJobs); do
    fits MaxSubmitJobs "$most" "$(squeue --noheader --array --me | wc -l)"
  done
fi

# Refuses a plan that was made for another state.
tosca-run collect . ${TOSCA_RUN_FLAGS:-}
mkdir -p slurm
job=() array=() packed=() all= counting=
start begin begin "" 1 --hold true
gate=$started
# Without the gate, no other job can start.
trap 'scancel "$gate"' EXIT
all_of_it
start end end "afterany:$gate$all" 1 "" tosca-run collect --end . "${TOSCA_RUN_FLAGS:-}"
end=$started
echo "$end" >slurm/end
scontrol release "$gate"
trap - EXIT
if [[ -z $waits ]]; then
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

} // namespace toscac::emit

#endif
