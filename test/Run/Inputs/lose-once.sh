# lose-once.sh FOLDER STEP: ends without running the step, the first time for each.
if mkdir "$1/lost-$2" 2>/dev/null; then
  echo lost
  exit 1
fi
exec tosca-run step "$1" "$2"
