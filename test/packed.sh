#!/usr/bin/env bash
# The package as a stranger gets it: packed, installed in an empty folder, and used there.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

tarball=$(cd "$root" && npm pack --silent --ignore-scripts --pack-destination "$folder")
cd "$folder"
npm init --yes >/dev/null
npm install --no-fund --no-audit --silent "./$tarball"
cp -R "$root/catalog" catalog && rm -rf catalog/.trove

npx --no-install trove --version
npx --no-install trove validate
npx --no-install trove apply --yes --quiet | tail -n 1
npx --no-install trove plan --detailed-exitcode | tail -n 1

cat > library.mjs <<'JS'
import { explainProblems, joinInputs, loadCatalog, loadEnvironment, makePlan } from 'trove';

const nothing = await loadCatalog('nowhere', { cwd: process.cwd() });
const [{ message }] = explainProblems(nothing.diagnostics, '');
if (message !== 'no such catalog folder: nowhere') throw new Error(`the library said ${message}`);
const catalog = await loadCatalog('catalog', { cwd: process.cwd() });
const options = { catalogFolder: 'catalog', cwd: process.cwd() };
const environment = await loadEnvironment('local', options);
const inputs = joinInputs(catalog.value, environment.value, { variables: process.env });
const { summary } = makePlan({ ...inputs.value, state: undefined });
if (summary.create !== 78) throw new Error(`the library planned ${JSON.stringify(summary)}`);
console.log(`library: ${summary.create} to create`);
JS
node library.mjs

cat > library.ts <<'TS'
import { loadCatalog, type Plan } from 'trove';

export async function digestOf(folder: string): Promise<Plan['catalog']['digest'] | undefined> {
  const result = await loadCatalog(folder, { cwd: '.' });
  return result.ok ? result.value.digest : undefined;
}
TS
"$root/node_modules/.bin/tsc" --noEmit --strict --module nodenext --target es2023 --skipLibCheck false --types node --typeRoots "$root/node_modules/@types" library.ts
echo 'packed and installed: all is well'
