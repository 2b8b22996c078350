#compdef trove
# zsh completion for trove:  source <(trove completion zsh), behind compinit
_trove() {
  local line paths
  local -a candidates
  for line in "${(@f)$(trove __complete -- "${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == $'\t'* ]]; then
      paths=${line#$'\t'}
    elif [[ -n $line ]]; then
      candidates+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
    fi
  done
  [[ $PREFIX == *=* ]] && compset -P '*='
  case $paths in
    files) _files ;;
    folders) _files -/ ;;
    *) (( ${#candidates} )) && _describe 'trove' candidates ;;
  esac
}
if [[ ${funcstack[1]} == _trove ]]; then
  _trove "$@"
else
  compdef _trove trove
fi
