import { relative, resolve, sep } from 'node:path';
import { type Diagnostic, failure, type Result, success } from '../text/diagnostic.ts';
import { readText } from '../text/read-text.ts';
import { valueAt } from '../text/schema-path.ts';
import { parseYaml } from '../text/yaml.ts';
import { concealSecrets } from './conceal-secrets.ts';
import { environmentNames, findEnvironment } from './find.ts';
import type { LoadEnvironmentOptions } from './load.ts';
import { defaultCredentials } from './settle.ts';

/** Variables that hold credentials, in upper case, each with an environment that says so. */
export type CredentialVariables = ReadonlyMap<string, string>;

/**
 * The variables that any environment of a catalog names as credentials, or takes them from by default. A file that
 * can't be read might name more, so its problems are given instead; other mistakes in it make no difference here.
 */
export async function credentialVariables(
  options: LoadEnvironmentOptions,
): Promise<Result<CredentialVariables>> {
  const folder = resolve(options.cwd, options.catalogFolder);
  const variables = new Map<string, string>();
  const problems: Diagnostic[] = [];
  for (const environment of await environmentNames(folder)) {
    const named = await namesIn(environment, folder, options.cwd);
    if (!named.ok) problems.push(...named.diagnostics);
    for (const name of named.ok ? named.value : []) {
      const variable = name.toUpperCase();
      if (!variables.has(variable)) variables.set(variable, environment);
    }
  }
  return problems.length > 0 ? failure(...problems) : success(variables);
}

async function namesIn(environment: string, folder: string, cwd: string): Promise<Result<readonly string[]>> {
  const found = await findEnvironment(environment, folder);
  if (found.kind === 'problem') return failure(found.problem);
  if (found.kind === 'built-in') return success(Object.values(defaultCredentials));
  const text = await readText(found.path, relative(cwd, found.path).split(sep).join('/'));
  if (!text.ok) return failure(text.problem);
  const { document, diagnostics } = parseYaml(text.source);
  if (document === undefined || diagnostics.length > 0)
    return failure(...concealSecrets(diagnostics, text.source));
  const names = Object.entries(defaultCredentials).map(
    ([key, byDefault]) => valueAt(document.value, ['credentials', key]) ?? byDefault,
  );
  return success(names.filter((name) => typeof name === 'string'));
}
