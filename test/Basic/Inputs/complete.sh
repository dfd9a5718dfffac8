# What bash offers for the last word of a line: complete.sh PROGRAM LINE
source <("$1" --print-help=bash)
# As readline splits a line: `=` is a word of its own.
read -ra COMP_WORDS <<<"${2//=/ = }"
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
compopt() { :; }
"$(complete -p "$1" | sed 's/.*-F \([^ ]*\) .*/\1/')"
printf '%s\n' "${COMPREPLY[@]}"
