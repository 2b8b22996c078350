export const shells = ['bash', 'zsh', 'fish'] as const;

export type Shell = (typeof shells)[number];

// Each asks `trove __complete` with the words up to the cursor, and takes files where there is no answer.

const bash = `# bash completion for trove:  source <(trove completion bash)
_trove() {
  local value about
  COMPREPLY=()
  while IFS=$'\\t' read -r value about; do
    COMPREPLY+=("$value")
  done < <(trove __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _trove trove
`;

const zsh = `#compdef trove
# zsh completion for trove:  source <(trove completion zsh), behind compinit
_trove() {
  local line
  local -a candidates
  for line in "\${(@f)$(trove __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -n $line ]] && candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
  done
  if (( \${#candidates} )); then
    _describe 'trove' candidates
  else
    _files
  fi
}
if [[ \${funcstack[1]} == _trove ]]; then
  _trove "$@"
else
  compdef _trove trove
fi
`;

const fish = `# fish completion for trove:  trove completion fish | source
function __trove_complete
  set -l words (commandline -opc) "$(commandline -ct)"
  trove __complete -- $words[2..] 2>/dev/null
end
complete -f -a '(__trove_complete)' -c trove
complete -F -n 'test -z "$(__trove_complete)"' -c trove
`;

/** What a shell runs to complete the words of `trove`. */
export const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
