# shellcheck shell=bash disable=SC2034
# Sourced by begin-apply.sh and keep-state.sh: where the state is kept in git, and how an apply is marked there.
#
# TROVE_BRANCH         the branch that has the state
# TROVE_CATALOG        folder of the catalog, default `catalog`; all states are below it
# TROVE_ENVIRONMENTS   names of environments, blanks or new lines between them
# TROVE_RUN_URL        where the log of this run is, for whoever finds the mark
#
# The mark is a branch of its own, pushed before anything is sent and deleted together with the push of the state. As
# long as it is there, some run may know ids that the state does not, so no other run begins.

remote=origin
branch=${TROVE_BRANCH:?the branch that has the state}
catalog=${TROVE_CATALOG:-catalog}
environments=$(tr -s '[:space:]' ' ' <<<"${TROVE_ENVIRONMENTS:-}" | sed 's/^ //; s/ $//')
key=$(tr -c 'A-Za-z0-9_\n-' '-' <<<"${environments:-local}")
mark=refs/heads/trove-apply/$branch/$key
# Two lines, the commit of the mark and the commit that the apply begins at. There from begin-apply to keep-state.
begun=$(git rev-parse --absolute-git-dir)/trove-apply

export GIT_AUTHOR_NAME=${GIT_AUTHOR_NAME:-trove} GIT_AUTHOR_EMAIL=${GIT_AUTHOR_EMAIL:-trove@localhost}
export GIT_COMMITTER_NAME=${GIT_COMMITTER_NAME:-$GIT_AUTHOR_NAME} GIT_COMMITTER_EMAIL=${GIT_COMMITTER_EMAIL:-$GIT_AUTHOR_EMAIL}

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
