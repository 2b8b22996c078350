#!/usr/bin/env bash
# Before an apply in a pipeline: marks in the remote repository that it begins, then checks the newest commit of the
# branch out. A pipeline that had to wait was started for a commit that lacks the state of the run before it; to apply
# from there would create everything of that run a second time. The variables are in state-branch.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/state-branch.sh"

rm -f "$begun" "${begun%/*}/trove-told"
git fetch --quiet "$remote" "refs/heads/$branch"
marks=()
while IFS= read -r mark; do marks+=("$mark"); done < <(marks_at FETCH_HEAD)
if [[ ${#marks[@]} -eq 0 ]]; then
  complain "no environment of $branch fits ${environments}" 'Nothing was sent.'
  exit 1
fi
tree=$(git rev-parse 'HEAD^{tree}')
# Two jobs could otherwise make the same commit in the same second, and both would find their mark there.
unique=$(head -c 32 /dev/urandom | git hash-object --stdin)
claim=$(git commit-tree "$tree" -p HEAD -m "$(message "Apply ${environments:-local} from $branch")" -m "Mark $unique")

# Written first: where this is ended in the middle of the push, keep-state.sh still knows what to take away.
{ echo "claim $claim" && printf 'mark %s\n' "${marks[@]}"; } >"$begun"
trap 'exit 130' INT TERM
if ! push_marks '' "$claim"; then
  if ! there=$(git ls-remote "$remote" "${marks[@]}"); then
    # The push may have got there. keep-state.sh takes the mark away, if it gets through.
    complain "the repository can't be reached, so it is not known whether this apply is marked there" \
      'Nothing was sent. Run this job again once it can be reached.' \
      "Should that one find a mark of this run: git push $remote --delete ${marks[*]#refs/heads/}"
    exit 1
  fi
  other=$(grep -v "^$claim" <<<"$there" | grep . | head -n 1 | cut -f 2 || true)
  if [[ -n $other ]]; then
    rm -f "$begun"
    git fetch --quiet "$remote" "$other"
    complain "another apply has begun and has not kept its state: branch ${other#refs/heads/}" \
      "It says: $(git log -1 --format='%s, %ci' FETCH_HEAD)" \
      "Its log: $(git log -1 --format=%b FETCH_HEAD | head -n 1)" \
      'Nothing was sent. If that run still goes on, wait for it and run this one again.' \
      'If it has ended, its ids are not lost: docs/ci.md says how to put its state back.'
    exit 5
  fi
  # Where the marks are there and ours, only the answer to the push was lost.
  if [[ -z $there ]]; then
    rm -f "$begun"
    complain "this job may not push to the repository, so it could not keep the state of an apply" \
      'Nothing was sent. On GitHub the job needs permissions: { contents: write }.' \
      'On GitLab allow pushes with the job token: Settings, CI/CD, Job token permissions.'
    exit 1
  fi
fi
# Where it ends from here on, keep-state.sh takes the mark away: nothing was sent, so it must hold nobody up.
git fetch --quiet "$remote" "refs/heads/$branch"
git checkout --quiet --detach FETCH_HEAD
if [[ $(marks_at HEAD) != "$(printf '%s\n' "${marks[@]}")" ]]; then
  complain "the environments of $branch have changed just now" 'Nothing was sent. Run this job again.'
  exit 1
fi
if [[ $(cd "$catalog" 2>/dev/null && git rev-parse --show-toplevel) != "$(git rev-parse --show-toplevel)" ]]; then
  complain "$catalog is not a folder of this repository, so its state could not be committed" \
    'Nothing was sent. Run the pipeline in the repository that has the catalog.'
  exit 1
fi
if git ls-files --stage -- "$catalog" | grep -q '^160000 '; then
  complain "$catalog contains a submodule, and this repository would not keep a state in it" \
    'Nothing was sent. Replace the submodule with its files.'
  exit 1
fi
echo "base $(git rev-parse HEAD)" >>"$begun"
echo "Begins at $(git log -1 --format='%h (%s)'), the newest commit of $branch."
