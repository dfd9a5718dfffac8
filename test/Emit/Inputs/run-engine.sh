# run-engine.sh ENGINE JOBS PLAN: runs a plan by tosca-run, ninja, make, Slurm, `tosca-run
# pack` or examples/executor.py, so many steps at once; 0 means any number.
folder=$(dirname "$3") jobs=$(($2 ? $2 : 100))
case $1 in
tosca-run) tosca-run "-j$2" "$3" ;;
pack) tosca-run pack "$folder" "-j$jobs" ;;
*.py) python3 "$1" "$3" "$jobs" ;;
*)
  toscac "$3" "--emit=$1" -o "$folder/run"
  case $1 in
  slurm) "$folder/run/submit" --wait ;;
  *) "$1" -C "$folder/run" "-j$jobs" ;;
  esac
  ;;
esac
