# bash completion for trove:  source <(trove completion bash)
_trove() {
  local value about paths=
  COMPREPLY=()
  while IFS= read -r value; do
    about=${value#*$'\t'} value=${value%%$'\t'*}
    if [[ -n $value ]]; then COMPREPLY+=("$value"); else paths=$about; fi
  done < <(trove __complete -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Bash before version 4 has no compopt, and offers files where there is nothing else.
  if [[ $paths == folders ]]; then compopt +o default -o dirnames 2>/dev/null
  elif [[ -z $paths ]]; then compopt +o default 2>/dev/null
  fi
}
complete -o default -F _trove trove
