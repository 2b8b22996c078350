#!/usr/bin/env bash
# After an apply in a pipeline, however that ended: commits what it recorded on top of whatever the branch has by now,
# pushes it, and takes the mark of begin-apply.sh away in the same push. A journal that a killed run left goes along, so
# that the next run takes it in. Only files of the state are committed.
# Run a second time it finds nothing to do. The variables are in state-branch.sh.
set -euo pipefail
source "$(dirname "${BASH_SOURCE[0]}")/state-branch.sh"

[[ -f $begun ]] || exit 0
{ read -r claim; read -r base || base=; } <"$begun"
if [[ -z $base ]]; then base=$claim; fi

# Every state file and journal that differs from the commit at which the apply began, as: blob or `gone`, and path.
# An environment may name any place below the catalog for its state. What is in `.trove` is of one machine only.
changes=()
if folder=$(cd "$catalog" 2>/dev/null && git rev-parse --show-prefix); then
  cd "$(git rev-parse --show-toplevel)"
  while IFS= read -r -d '' path; do
    # A link could lead to anything on this machine, which must not get into the repository.
    if [[ -L $path || ! $path =~ \.(json|journal)$ ]]; then continue; fi
    blob=gone
    if [[ -f $path ]]; then
      grep -q '"lineage"' -- "$path" || continue
      blob=$(git hash-object -w --no-filters -- "$path")
    fi
    if [[ $blob != "$(git rev-parse --quiet --verify "$base:$path" || echo gone)" ]]; then
      changes+=("$blob $path")
    fi
  done < <({
    git ls-tree -r -z --name-only "$base" -- "$folder"
    find "${folder:-.}" -name .trove -prune -o -name .git -prune -o -type f -printf '%P\0' |
      while IFS= read -r -d '' path; do printf '%s\0' "$folder$path"; done
  } | sort -zu)
fi

# commit_onto COMMIT: a commit with the changes; 1 where somebody else changed one of these files since, 2 where git
# fails. Each step says so itself: bash ignores `set -e` in a function whose failure is asked for.
commit_onto() {
  local tip=$1 index change blob path theirs tree
  index=$(mktemp -u)
  GIT_INDEX_FILE=$index git read-tree "$tip" || return 2
  for change in ${changes[@]+"${changes[@]}"}; do
    blob=${change%% *} path=${change#* }
    theirs=$(git rev-parse --quiet --verify "$tip:$path" || echo gone)
    if [[ $theirs != "$blob" && $theirs != "$(git rev-parse --quiet --verify "$base:$path" || echo gone)" ]]; then
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
  rm -f "$begun"
  for change in ${changes[@]+"${changes[@]}"}; do
    path=${change#* }
    git checkout --quiet "$base" -- "$path" 2>/dev/null || rm -f -- "$path"
  done
  git checkout --quiet --detach "$1" || git checkout --quiet "$1" -- "$folder" || true
}

if [[ ${#changes[@]} -eq 0 ]]; then
  git push --quiet --force-with-lease="$mark:$claim" "$remote" ":$mark"
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
    # An earlier push got there, and its answer did not get here. It took the mark along.
    git push --quiet --force-with-lease="$mark:$claim" "$remote" ":$mark" || true
    end_apply "$tip"
    echo "The state is on $branch already."
    exit 0
  fi
  if git push --quiet --atomic --force-with-lease="$mark:$claim" "$remote" "$commit:refs/heads/$branch" ":$mark"; then
    end_apply "$commit"
    echo "The state is in $(git rev-parse --short "$commit") on $branch."
    exit 0
  fi
  # Refused although nobody else pushed: a rule of the repository, which more tries don't change.
  if [[ $tip == "$refused" ]]; then refusals=$((refusals + 1)); else refusals=1; fi
  refused=$tip
  if [[ $refusals -eq 3 ]]; then why="the push to $branch was refused"; break; fi
done

# The mark becomes the state. Where it is no longer ours, another run may hold it: a branch beside it then.
# An empty commit name would delete the mark instead.
rescue=$(commit_onto "$base") || rescue=
beside=$mark-${claim:0:12}
if [[ -n $rescue ]] && git push --quiet --force-with-lease="$mark:$claim" "$remote" "$rescue:$mark"; then
  saved="It is in the branch ${mark#refs/heads/}."
elif [[ -n $rescue ]] && git push --quiet "$remote" "$rescue:$beside"; then
  saved="It is in the branch ${beside#refs/heads/}. Somebody took the mark of this run away: stop other applies."
else
  saved='It is only in this job: take its artifact, or its folder, before it is gone.'
fi
complain "the state of this apply is not on $branch: $why" \
  "$saved" \
  "Until it is on $branch, no other apply of ${environments:-local} begins. docs/ci.md says how to put it there." \
  "Files: ${changes[*]#* }"
exit 1
