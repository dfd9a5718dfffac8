# at-once.sh FOLDER: starts all steps of FOLDER/plan.json at once, as often as there are
# steps: each time one of them, at least, gets its turn.
steps=$(sed -n 's/.*"name": "\([^"]*\)", "kind": "call".*/\1/p' "$1/plan.json")
for turn in $steps; do
  for step in $steps; do
    tosca-run step "$1" "$step" &
  done
  wait
done
for step in $steps; do
  tosca-run step "$1" "$step" || exit 1
done
echo all are done
