# Fails once for each text.
seen=$(dirname "$0")/seen-$TOSCA_INPUT_text
test "$TOSCA_ENTITY" != "server[1]" || test -e "$seen" || { touch "$seen"; exit 1; }
