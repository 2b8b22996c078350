# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by begin-apply.sh and keep-state.sh: where the state is kept in git, and how an apply is marked there.
#
# TROVE_BRANCH         the branch that has the state
# TROVE_CATALOG        folder of the catalog, default `catalog`; all states are below it
# TROVE_ENVIRONMENTS   names or patterns of environments, blanks or new lines between them
# TROVE_RUN_URL        where the log of this run is, for whoever finds the mark
#
# The mark of an environment is a branch of its own, pushed before anything is sent and deleted together with the push
# of the state. As long as it is there, some run may know ids that the state does not, so no other run begins.

remote=origin
branch=${TROVE_BRANCH:?the branch that has the state}
catalog=${TROVE_CATALOG:-catalog}
environments=$(tr -s '[:space:]' ' ' <<<"${TROVE_ENVIRONMENTS:-}" | sed 's/^ //; s/ $//')

# In a container the checkout belongs to another user, which git takes for somebody else's. It is this job's own.
count=${GIT_CONFIG_COUNT:-0}
export "GIT_CONFIG_KEY_$count=safe.directory" "GIT_CONFIG_VALUE_$count=$(pwd -P)" GIT_CONFIG_COUNT=$((count + 1))

# There from begin-apply to keep-state. Lines `claim COMMIT`, `mark REF` for each mark, and `base COMMIT`: what the marks
# point at, which they are, and the commit that the apply begins at.
begun=$(git rev-parse --absolute-git-dir)/trove-apply

export GIT_AUTHOR_NAME=${GIT_AUTHOR_NAME:-trove} GIT_AUTHOR_EMAIL=${GIT_AUTHOR_EMAIL:-trove@localhost}
export GIT_COMMITTER_NAME=${GIT_COMMITTER_NAME:-$GIT_AUTHOR_NAME} GIT_COMMITTER_EMAIL=${GIT_COMMITTER_EMAIL:-$GIT_AUTHOR_EMAIL}

# marks_at COMMIT: the mark of each environment. A pattern stands for those that the commit has.
marks_at() {
  local words word name known
  read -r -a words <<<"${environments:-local}"
  known=$(git ls-tree --name-only "$1:./$catalog/environments" 2>/dev/null | sed -n 's/\.yaml$//p') || known=
  for word in "${words[@]}"; do
    if [[ $word != *'*'* ]]; then echo "$word"; continue; fi
    while read -r name; do
      # shellcheck disable=SC2053
      if [[ $name == $word ]]; then echo "$name"; fi
    done < <(printf 'local\n%s\n' "$known")
  done | tr -c 'A-Za-z0-9_\n-' '-' | LC_ALL=C sort -u | sed "s|^|refs/heads/trove-apply/$branch/|"
}

# push_marks CLAIM NEW [REFSPEC]: makes each of `marks` that is CLAIM, or that is not there where CLAIM is empty, into NEW, and
# deletes it where NEW is empty. All of that and the rest of the push happen, or nothing does.
push_marks() {
  local mark leases=() specs=()
  for mark in "${marks[@]}"; do
    leases+=("--force-with-lease=$mark:$1")
    specs+=("$2:$mark")
  done
  git push --quiet --atomic "${leases[@]}" "$remote" "${@:3}" "${specs[@]}"
}

# message SUBJECT: neither GitHub nor GitLab starts a pipeline for it
message() {
  printf '%s [skip ci]\n' "$1"
  [[ -z ${TROVE_RUN_URL:-} ]] || printf '\n%s\n' "$TROVE_RUN_URL"
}

# complain LINE...: one message, also as an annotation on GitHub
complain() {
  printf 'error: %s\n' "$1" >&2
  [[ $# -eq 1 ]] || printf '  %s\n' "${@:2}" >&2
  [[ -z ${GITHUB_ACTIONS:-} ]] || printf '::error title=Trove::%s\n' "$1"
}
