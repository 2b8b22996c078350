#!/usr/bin/env bash
# After an apply in a pipeline, however that ended: commits what it recorded on top of whatever the branch has by now,
# pushes it, and takes the marks of begin-apply.sh away in the same push. A journal that a killed run left goes along, so
# that the next run takes it in. Only files of the state are committed.
# Run a second time it finds nothing to do. The variables are in state-branch.sh.
set -euo pipefail
# The job may be cancelled; what was done in it is kept nevertheless.
trap '' INT TERM
source "$(dirname "${BASH_SOURCE[0]}")/state-branch.sh"
source "$(dirname "${BASH_SOURCE[0]}")/await-trove.sh"

[[ -f $begun ]] || exit 0
claim='' base='' marks=()
while read -r what value; do
  case $what in
    claim) claim=$value ;;
    mark) marks+=("$value") ;;
    base) base=$value ;;
    *) ;;
  esac
done <"$begun"
if [[ -z $base ]]; then
  push_marks "$claim" '' || echo 'The mark of this run was not there, or could not be taken away.'
  rm -f "$begun"
  exit 0
fi

only_here='It is only in this job: take its artifact, or its folder, before it is gone.'
trap 'complain "the state of this apply could not be kept: see above" "$only_here"' EXIT

# An environment may name any place below the catalog for its state. What is in `.trove` is of one machine only.
# A link could lead to anything on this machine, which must not get into the repository; a line break or a pattern in a
# name, to other files for the artifact.
odd='[][*?!{}[:cntrl:]]'
may_be_state() {
  [[ ! -L $1 && $1 =~ \.(json|journal)$ && ! $1 =~ (^|/)\.trove/ && ! $1 =~ $odd ]]
}

folder=$(cd "$catalog" && git rev-parse --show-prefix)
cd "$(git rev-parse --show-toplevel)"
list=$(mktemp)
here() { git ls-files -z --cached --others -- "${folder:-.}" >"$list"; }

here
await_trove <"$list"

here
states=()
while IFS= read -r -d '' path; do
  if may_be_state "$path" && [[ -f $path ]] && grep -q '"lineage"' -- "$path"; then states+=("$path"); fi
done <"$list"
if [[ -n ${GITHUB_OUTPUT:-} ]]; then
  { echo "files<<$claim" && printf '%s\n' ${states[@]+"${states[@]}"} && echo "$claim"; } >>"$GITHUB_OUTPUT" || true
fi

# Every state file and journal that differs from the commit at which the apply began, as: blob or `gone`, and path.
at_base() { git rev-parse --quiet --verify "$base:$1" || echo gone; }
changes=()
for path in ${states[@]+"${states[@]}"}; do
  blob=$(git hash-object -w --no-filters -- "$path")
  if [[ $blob != "$(at_base "$path")" ]]; then changes+=("$blob $path"); fi
done
git ls-tree -r -z --name-only "$base" -- ${folder:+"$folder"} >"$list"
while IFS= read -r -d '' path; do
  if [[ ! -e $path ]] && may_be_state "$path" && git cat-file blob "$base:$path" | grep -q '"lineage"'; then
    changes+=("gone $path")
  fi
done <"$list"
rm -f "$list"

# commit_onto COMMIT: a commit with the changes; 1 where somebody else changed one of these files since, 2 where git
# fails. Each step says so itself: bash ignores `set -e` in a function whose failure is asked for.
commit_onto() {
  local tip=$1 index change blob path theirs tree
  index=$(mktemp -u)
  GIT_INDEX_FILE=$index git read-tree "$tip" || return 2
  for change in ${changes[@]+"${changes[@]}"}; do
    blob=${change%% *} path=${change#* }
    theirs=$(git rev-parse --quiet --verify "$tip:$path" || echo gone)
    if [[ $theirs != "$blob" && $theirs != "$(at_base "$path")" ]]; then
      rm -f "$index"
      return 1
    fi
    if [[ $blob == gone ]]; then GIT_INDEX_FILE=$index git update-index --force-remove -- "$path" || return 2
    else GIT_INDEX_FILE=$index git update-index --add --cacheinfo "100644,$blob,$path" || return 2; fi
  done
  tree=$(GIT_INDEX_FILE=$index git write-tree) || return 2
  rm -f "$index"
  git commit-tree "$tree" -p "$tip" -m "$(message "Record the state of ${environments:-local}")"
}

# end_apply COMMIT: nothing is left to keep. The checkout goes on to what was pushed, so that a later step finds its
# own state as committed; other files that were changed here stay, or keep it where it is.
end_apply() {
  local change path
  trap - EXIT
  rm -f "$begun"
  for change in ${changes[@]+"${changes[@]}"}; do
    path=${change#* }
    git checkout --quiet "$base" -- "$path" 2>/dev/null || rm -f -- "$path"
  done
  git checkout --quiet --detach "$1" || git checkout --quiet "$1" -- "${folder:-.}" || true
}

if [[ ${#changes[@]} -eq 0 ]]; then
  push_marks "$claim" ''
  end_apply "$base"
  echo 'The state is as it was: nothing to commit.'
  exit 0
fi

why='others pushed there again and again'
refusals=0 refused=
for pause in 0 1 2 4 8 16; do
  sleep "$pause"
  git fetch --quiet "$remote" "refs/heads/$branch" || { why='the repository could not be reached'; continue; }
  tip=$(git rev-parse FETCH_HEAD)
  outcome=0
  commit=$(commit_onto "$tip") || outcome=$?
  if [[ $outcome -eq 1 ]]; then why='somebody else changed the same state there meanwhile'; break; fi
  if [[ $outcome -ne 0 ]]; then why='git could not make the commit'; continue; fi
  if git diff --quiet "$tip" "$commit"; then
    # An earlier push got there, and its answer did not get here. It took the marks along.
    push_marks "$claim" '' || true
    end_apply "$tip"
    echo "The state is on $branch already."
    exit 0
  fi
  if push_marks "$claim" '' "$commit:refs/heads/$branch"; then
    end_apply "$commit"
    echo "The state is in $(git rev-parse --short "$commit") on $branch."
    exit 0
  fi
  # Refused although nobody else pushed: a rule of the repository, which more tries don't change.
  if [[ $tip == "$refused" ]]; then refusals=$((refusals + 1)); else refusals=1; fi
  refused=$tip
  if [[ $refusals -eq 3 ]]; then why="the push to $branch was refused"; break; fi
done

# The marks become the state. Where one is no longer ours, another run may hold it: a branch beside it then.
# An empty commit name would delete the marks instead.
rescue=$(commit_onto "$base") || rescue=
beside=${marks[0]}-${claim:0:12}
if [[ -n $rescue ]] && push_marks "$claim" "$rescue"; then
  saved="It is in the branch ${marks[*]#refs/heads/}."
elif [[ -n $rescue ]] && git push --quiet "$remote" "$rescue:$beside"; then
  saved="It is in the branch ${beside#refs/heads/}. Somebody took the mark of this run away: stop other applies."
else
  saved=$only_here
fi
trap - EXIT
complain "the state of this apply is not on $branch: $why" \
  "$saved" \
  "Until it is on $branch, no other apply of ${environments:-local} begins. docs/ci.md says how to put it there." \
  "Files: ${changes[*]#* }"
exit 1
