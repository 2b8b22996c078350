# fish completion for trove:  trove completion fish | source
function __trove_complete
  set -l token (commandline -ct)
  set -l words (commandline -opc) "$token"
  set -l found (trove __complete -- $words[2..] 2>/dev/null)
  set -l flag (string match -r '^.*=' -- "$token")
  set -l rest (string replace -r '^.*=' '' -- "$token")
  switch "$found[1]"
    case \tfiles
      set found (__fish_complete_path "$rest")
    case \tfolders
      set found (__fish_complete_directories "$rest" '')
  end
  for each in $found
    printf '%s\n' "$flag$each"
  end
end
complete -f -a '(__trove_complete)' -c trove
