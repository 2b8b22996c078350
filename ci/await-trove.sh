# shellcheck shell=bash disable=SC2154
# Sourced by keep-state.sh: what a runner that ended its step has left behind.

# holds LOCK PID: whether that process runs here and is the one that wrote the lock. A lock can be older than this
# machine has been up, or of another one, and the number then somebody else's.
holds() {
  local boot='' stat=()
  # Anything else could mean several processes.
  [[ $2 =~ ^[1-9][0-9]*$ ]] || return 1
  kill -0 "$2" 2>/dev/null || return 1
  # Of a process that it may not look at, it can't be told.
  if [[ -d /proc/self && ! -r /proc/$2/stat ]]; then return 1; fi
  if [[ -r /proc/$2/stat ]]; then
    boot=$(</proc/sys/kernel/random/boot_id)
    # From its state on: the name before that, in parentheses, may have blanks in it.
    read -r -a stat <<<"$(sed 's/.*) //' "/proc/$2/stat")"
    # It has ended, and nobody has waited for it.
    if [[ ${stat[0]:-} == Z ]]; then return 1; fi
  fi
  [[ $(in_lock "$1" host) == "$(uname -n)" && $(in_lock "$1" bootId) == "$boot" &&
    $(in_lock "$1" startTicks) == "${stat[19]:-}" ]]
}

# in_lock LOCK FIELD: a text or a number of it; nothing where it has none.
in_lock() {
  sed -n 's/.*"'"$2"'": *"\{0,1\}\([^",}]*\).*/\1/p' "$1"
}

# await_trove <PATHS: PATHS are files of the checkout, each with a NUL behind it. A trove that still has a state is told
# to stop, but for run.sh having done that: a second time means at once. Then it finishes what is under way, and is
# waited for: no answer takes it longer than 120 seconds.
await_trove() {
  local path holder n
  while IFS= read -r -d '' path; do
    if [[ $path != *.json.lock || -L $path || ! -f $path ]]; then continue; fi
    holder=$(in_lock "$path" pid)
    if [[ -z $holder ]] || ! holds "$path" "$holder"; then continue; fi
    [[ -f ${begun%/*}/trove-told ]] || kill -INT "$holder" 2>/dev/null || continue
    for ((n = 0; n < 1300; n++)); do
      holds "$path" "$holder" || break
      sleep 0.1
    done
  done
}
