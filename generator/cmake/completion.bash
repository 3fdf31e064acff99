# Completion for tarn: commands, then the options that the command's own help lists, then files.
_tarn() {
  local current=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "analyze generate verify quantize plan ops explain diff completion help --help --version" -- "$current"))
  elif [[ $current == -* ]]; then
    COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null | grep -oE -- '--[a-z][a-z-]*')" -- "$current"))
  fi
}
complete -o default -o bashdefault -F _tarn tarn
