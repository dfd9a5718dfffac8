set -e
set -- $SSH_CONNECTION
file=$MACHINES_HOME/tally-$3
[ "$TOSCA_OPERATION" = create ] && : >"$file" || echo "$url" >>"$file"
