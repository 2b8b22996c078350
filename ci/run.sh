#!/usr/bin/env bash
# Runs `trove validate`, `plan` or `apply` as a step of a pipeline: shows what it says, puts it into the summary of the
# job, and ends with its exit code, but for 2 (there are changes), which is none to stop at. `unlock`, after an apply,
# removes the lock that a killed apply has left.
#
# TROVE_COMMAND          validate, plan, apply or unlock
# TROVE_ENVIRONMENTS     names or patterns, separated by blanks or line breaks; none: the default of Trove
# TROVE_PLAN_FILE        plan saves its plan there; apply carries that plan out
# TROVE_PAGE             plan writes its page for people there (HTML)
# TROVE_NEW_ENVIRONMENT  true: nothing was ever applied there
# TROVE_BLOCKED          warn: exit code 3 is a warning
# TROVE_DOTENV           plan writes its exit code there, as a line TROVE_PLAN_CODE=N for the job that applies on GitLab
# TROVE_CODE_QUALITY     validate writes its problems there as a report for GitLab, those of the first environment
set -uo pipefail

command=${TROVE_COMMAND:?validate, plan, apply or unlock}
read -r -d '' -a environments < <(printf '%s\0' "${TROVE_ENVIRONMENTS:-}")
plan_file=${TROVE_PLAN_FILE:-}
if [[ ! $command =~ ^(validate|plan|apply|unlock)$ ]]; then
  echo "error: the command is validate, plan, apply or unlock, not \`$command\`" >&2
  exit 1
fi
named=()
for name in ${environments[@]+"${environments[@]}"}; do named+=("--env=$name"); done

# The disk of a runner is gone after the job, and a state on it would be, too.
export TROVE_EPHEMERAL=true
# In a container the checkout belongs to another user, which git takes for somebody else's. It is this job's own.
count=${GIT_CONFIG_COUNT:-0}
export "GIT_CONFIG_KEY_$count=safe.directory" "GIT_CONFIG_VALUE_$count=$(pwd -P)" GIT_CONFIG_COUNT=$((count + 1))

if [[ $command == unlock ]]; then
  # One that is alive, or another machine's, stays.
  [[ ${#named[@]} -gt 0 ]] || named+=('')
  for each in "${named[@]}"; do trove state unlock ${each:+"$each"} || true; done
  exit 0
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: >"$work/text"
exec 3>&1
# A group of its own for trove: GitLab signals the whole group of a job, and trove takes a second signal for an order to
# drop what is under way. It gets the one that is passed on.
set -m

# To run the apply alone once more would take the same plan once more.
again='A newer run may have done the same; otherwise run the whole pipeline again, which makes a new plan'
if [[ -n ${GITHUB_ACTIONS:-} ]]; then again+=' (Re-run all jobs, not only the failed one)'; fi
if [[ -n ${GITLAB_CI:-} ]]; then again+=' (Build, Pipelines, New pipeline; or retry the plan job and then this one)'; fi

formats=(--format text --format "markdown=$work/markdown")
if [[ -n ${GITHUB_ACTIONS:-} ]]; then formats+=(--format "github=$work/annotations"); fi
report=()
if [[ -n ${TROVE_CODE_QUALITY:-} ]]; then report+=(--format "gitlab=$TROVE_CODE_QUALITY"); fi

# trove_step ARGUMENT...: one run of trove, which is told of a cancelled job and is waited for.
# Names come from the catalog, so GitHub must not take a line of the output for a command.
trove_step() {
  local token='' pid code=0
  if [[ -n ${GITHUB_ACTIONS:-} ]]; then
    token=$(head -c 16 /dev/urandom | od -An -tx1 | tr -d ' \n')
    echo "::stop-commands::$token"
  fi
  # What goes to stderr is seen at once, on the stream of the two marks and so between them; the result at the end.
  # The summary is written here, once.
  exec 4> >(trap '' INT TERM; tee -a "$work/stderr" >&3)
  local shown=$!
  GITHUB_STEP_SUMMARY='' trove "$@" >"$work/stdout" 2>&4 3>&- 4>&- &
  pid=$!
  trap 'kill -INT "$pid" 2>/dev/null' INT TERM
  while kill -0 "$pid" 2>/dev/null; do wait "$pid"; done
  wait "$pid" || code=$?
  trap - INT TERM
  exec 4>&-
  wait "$shown" 2>/dev/null
  cat "$work/stdout"
  [[ -z $token ]] || printf '\n::%s::\n' "$token"
  cat "$work/stdout" >>"$work/text"
  if [[ -s $work/markdown ]]; then { cat "$work/markdown" && echo; } >>"$work/summary" && rm "$work/markdown"; fi
  if [[ -s $work/annotations ]]; then cat "$work/annotations" && rm "$work/annotations"; fi
  return "$code"
}

code=0
case $command in
  validate)
    # It takes one environment at a time.
    [[ ${#named[@]} -gt 0 ]] || named+=('')
    for each in "${named[@]}"; do
      trove_step validate ${each:+"$each"} "${formats[@]}" ${report[@]+"${report[@]}"} || code=$?
      report=()
    done
    ;;
  plan)
    options=(--detailed-exitcode)
    [[ -z $plan_file ]] || options+=(--out "$plan_file")
    [[ -z ${TROVE_PAGE:-} ]] || options+=(--format "html=$TROVE_PAGE")
    trove_step plan ${named[@]+"${named[@]}"} "${options[@]}" "${formats[@]}" || code=$?
    ;;
  apply)
    options=()
    if [[ -n $plan_file ]]; then
      # It names its environments itself.
      options+=("$plan_file") named=()
    else
      options+=(--yes)
    fi
    [[ ${TROVE_NEW_ENVIRONMENT:-} != true ]] || options+=(--new-environment)
    trove_step apply ${named[@]+"${named[@]}"} "${options[@]}" || code=$?
    ;;
esac

case $code in
  0) word='done' ;;
  2) word='there are changes' ;;
  3) word='blocked: some changes are not possible in this service, or wait for a decision' ;;
  4) word='unknown: an outcome is unknown. If it is that of a create, settle it with trove resolve' ;;
  5) word='locked: another run holds the lock of the state' ;;
  130) word='interrupted: requests in flight are recorded; the next run does the rest' ;;
  *) word='failed: see above' ;;
esac
if [[ $command == apply && $code -eq 1 ]] && grep -q '\[stale-plan\]' "$work/stderr"; then
  word="stale: catalog or state changed after a plan was made, and nothing of that plan was sent. $again"
fi

level=error
if [[ $code -eq 3 && ${TROVE_BLOCKED:-} == warn ]]; then level=warning; fi
failed=true
if [[ $code -eq 0 || $code -eq 2 || $level == warning ]]; then failed=false; fi

if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  changes=false
  if [[ $code -eq 2 ]]; then changes=true; fi
  printf 'exit-code=%s\nchanges=%s\n' "$code" "$changes" >>"$GITHUB_OUTPUT"
fi
if [[ $command == plan && -n ${TROVE_DOTENV:-} ]]; then
  # Not through a link, which any commit can contain.
  rm -f -- "$TROVE_DOTENV" && echo "TROVE_PLAN_CODE=$code" >"$TROVE_DOTENV"
fi
if [[ -n ${GITHUB_STEP_SUMMARY:-} ]]; then
  {
    printf '## trove %s: %s\n\n' "$command" "$word"
    # An indented block: no text can end it. GitHub drops a summary above 1 MiB whole.
    if [[ -s $work/summary ]]; then cat "$work/summary"
    else
      head -c 500000 "$work/text" | sed 's/^/    /'
      if [[ $failed == true ]]; then tail -c 50000 "$work/stderr" | sed 's/^/    /'; fi
    fi
    printf '\n\n'
  } >>"$GITHUB_STEP_SUMMARY"
fi
if [[ -n ${GITHUB_ACTIONS:-} && ($failed == true || $level == warning) ]]; then
  printf '::%s title=trove %s (exit code %s)::%s\n' "$level" "$command" "$code" "$word"
elif [[ $failed == true || $level == warning ]]; then
  printf '%s: trove %s ended with exit code %s: %s\n' "$level" "$command" "$code" "$word" >&2
fi

if [[ $failed == true ]]; then exit "$code"; fi
exit 0
