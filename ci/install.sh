#!/usr/bin/env bash
# Puts `trove` on the PATH of the steps that follow on GitHub. Without TROVE_PACKAGE (anything that npm installs) it is
# the commit of the action itself, built on the first use in a job.
set -euo pipefail

folder=$RUNNER_TEMP/trove
mkdir -p "$folder"
if [[ -n ${TROVE_PACKAGE:-} ]]; then
  npm install --prefix "$folder" --no-save --no-fund --no-audit --loglevel=error -- "$TROVE_PACKAGE"
  cli=$folder/node_modules/trove/dist/cli.js
else
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  [[ -f $root/dist/cli.js ]] || npm ci --prefix "$root" --no-fund --no-audit --loglevel=error
  cli=$root/dist/cli.js
fi
printf '#!/usr/bin/env bash\nexec node %q "$@"\n' "$cli" >"$folder/trove"
chmod +x "$folder/trove"
echo "$folder" >>"$GITHUB_PATH"
"$folder/trove" --version
