import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode } from './exit-code.ts';

/** `trove completion SHELL`: prints the script; nothing is installed. */
export async function completion(context: CommandContext, shell: Shell): Promise<ExitCode> {
  context.print(completionScripts[shell]);
  return exitCode.done;
}

export const shells = ['bash', 'zsh', 'fish'] as const;

type Shell = (typeof shells)[number];

// Each asks `trove __complete` with the words up to the cursor. A line without a word says that a path is wanted.

const bash = `# bash completion for trove:  source <(trove completion bash)
_trove() {
  local value about paths=
  COMPREPLY=()
  while IFS= read -r value; do
    about=\${value#*$'\\t'} value=\${value%%$'\\t'*}
    if [[ -n $value ]]; then COMPREPLY+=("$value"); else paths=$about; fi
  done < <(trove __complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  # Bash before version 4 has no compopt, and offers files where there is nothing else.
  if [[ $paths == folders ]]; then compopt +o default -o dirnames 2>/dev/null
  elif [[ -z $paths ]]; then compopt +o default 2>/dev/null
  fi
}
complete -o default -F _trove trove
`;

const zsh = `#compdef trove
# zsh completion for trove:  source <(trove completion zsh), behind compinit
_trove() {
  local line paths
  local -a candidates
  for line in "\${(@f)$(trove __complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"; do
    if [[ $line == $'\\t'* ]]; then
      paths=\${line#$'\\t'}
    elif [[ -n $line ]]; then
      candidates+=("\${\${line%%$'\\t'*}//:/\\\\:}:\${line#*$'\\t'}")
    fi
  done
  [[ $PREFIX == *=* ]] && compset -P '*='
  case $paths in
    files) _files ;;
    folders) _files -/ ;;
    *) (( \${#candidates} )) && _describe 'trove' candidates ;;
  esac
}
if [[ \${funcstack[1]} == _trove ]]; then
  _trove "$@"
else
  compdef _trove trove
fi
`;

const fish = `# fish completion for trove:  trove completion fish | source
function __trove_complete
  set -l token (commandline -ct)
  set -l words (commandline -opc) "$token"
  set -l found (trove __complete -- $words[2..] 2>/dev/null)
  set -l flag (string match -r '^.*=' -- "$token")
  set -l rest (string replace -r '^.*=' '' -- "$token")
  switch "$found[1]"
    case \\tfiles
      set found (__fish_complete_path "$rest")
    case \\tfolders
      set found (__fish_complete_directories "$rest" '')
  end
  for each in $found
    printf '%s\\n' "$flag$each"
  end
end
complete -f -a '(__trove_complete)' -c trove
`;

const completionScripts: Readonly<Record<Shell, string>> = { bash, zsh, fish };
