# run-apart.sh PYTHON APART FOLDER COMMAND JOBS...: runs plans with exclusions by COMMAND,
# to which a number of steps at once and then the file is added; 0 means any number.
python=$1 apart=$2 base=$3 command=$4
shift 4
for plan in star clique chain; do
  for jobs in "$@"; do
    folder="$base/$plan-$jobs"
    "$python" "$apart" "$folder" "$plan"
    $command$jobs "$folder/plan.json" > "$folder/said"
    "$python" "$apart" "$folder" --check
  done
done
