set -e
set -- $SSH_CONNECTION
here=$3
home=$MACHINES_HOME/$here
case $TOSCA_OPERATION in
create)
  mkdir -p "$home/pages"
  cp pages/* "$home/pages/"
  echo "$word from $here" >"$home/pages/word"
  ;;
start)
  cd "$home/pages"
  nohup python3 -m http.server 8000 --bind "$here" >"$home/log" 2>&1 </dev/null &
  echo $! >"$home/pid"
  export url="http://$here:8000/word"
  ;;
stop)
  kill "$(cat "$home/pid")" || true
  ;;
delete)
  rm -r "$home"
  ;;
esac
