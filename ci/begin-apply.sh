#!/usr/bin/env bash
# Before an apply in a pipeline: marks in the remote repository that it begins, then checks the newest commit of the
# branch out. A pipeline that had to wait was started for a commit that lacks the state of the run before it; to apply
# from there would create everything of that run a second time. The variables are in state-branch.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/state-branch.sh"

rm -f "$begun"
tree=$(git rev-parse 'HEAD^{tree}')
# Two jobs could otherwise make the same commit in the same second, and both would find their mark there.
unique=$(head -c 32 /dev/urandom | git hash-object --stdin)
claim=$(git commit-tree "$tree" -p HEAD -m "$(message "Apply ${environments:-local} from $branch")" -m "Mark $unique")
# An empty expectation: the mark must not be there yet.
if ! git push --quiet --force-with-lease="$mark:" "$remote" "$claim:$mark"; then
  name=${mark#refs/heads/}
  if git fetch --quiet "$remote" "$mark"; then
    complain "another apply has begun and has not kept its state: branch $name" \
      "It says: $(git log -1 --format='%s, %ci' FETCH_HEAD)" \
      "Its log: $(git log -1 --format=%b FETCH_HEAD | head -n 1)" \
      'Nothing was sent. If that run still goes on, wait for it and run this one again.' \
      'If it has ended, its ids are not lost: docs/ci.md says how to put its state back.'
    exit 5
  fi
  complain "this job may not push to the repository, so it could not keep the state of an apply" \
    'Nothing was sent. On GitHub the job needs permissions: { contents: write }.' \
    'On GitLab allow pushes with the job token: Settings, CI/CD, Job token permissions.'
  exit 1
fi
printf '%s\n' "$claim" >"$begun"
# Where it ends here, nothing was sent, and the mark must hold nobody up.
trap 'rm -f "$begun"; git push --quiet --force-with-lease="$mark:$claim" "$remote" ":$mark"' EXIT

git fetch --quiet "$remote" "refs/heads/$branch"
git checkout --quiet --detach FETCH_HEAD
git rev-parse HEAD >>"$begun"
trap - EXIT
echo "Begins at $(git log -1 --format='%h (%s)'), the newest commit of $branch."
