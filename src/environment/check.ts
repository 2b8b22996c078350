import { isAbsolute, relative, resolve, sep } from 'node:path';
import { nameAfterPrefix, VARIABLE_PREFIX } from '../catalog/template.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { quoted } from '../text/quoted.ts';
import type { YamlDocument } from '../text/yaml.ts';
import { normalBaseUrl } from './base-url.ts';
import type { EnvironmentFile } from './schema.ts';

/** What an environment file must be beyond its schema. `file` holds only what fits the schema. */
export function checkEnvironment(
  file: EnvironmentFile,
  document: YamlDocument,
  folder: string,
): Diagnostic[] {
  return [
    ...checkBaseUrl(file, document),
    ...checkCredentials(file, document),
    ...checkStatePath(file, document, folder),
  ];
}

function checkBaseUrl(file: EnvironmentFile, document: YamlDocument): Diagnostic[] {
  if (file.baseUrl === undefined) return [];
  const checked = normalBaseUrl(file.baseUrl, file.allowInsecureHttp ?? false);
  if ('url' in checked) return [];
  const { problem, hint } = checked;
  return [error('base-url', problem, { location: document.locate(['baseUrl']), hint })];
}

/** What a catalog may name is shown by plans. */
function checkCredentials({ credentials = {} }: EnvironmentFile, document: YamlDocument): Diagnostic[] {
  return Object.entries(credentials).flatMap(([key, name]) => {
    if (nameAfterPrefix(name) === undefined) return [];
    const message = `${quoted(key)} can't name a variable that begins with ${VARIABLE_PREFIX}: catalogs may use those, and plans show them`;
    const hint = 'use another name, for example STAGING_PASSWORD';
    return [error('credential-variable', message, { location: document.locate(['credentials', key]), hint })];
  });
}

/** A state is written: a file that strangers may propose must not choose a place elsewhere, or a catalog file. */
function checkStatePath(file: EnvironmentFile, document: YamlDocument, folder: string): Diagnostic[] {
  const path = file.state?.path;
  if (path === undefined) return [];
  const location = document.locate(['state', 'path']);
  const hint = 'for example state/staging.json';
  if (/\p{Cc}/u.test(path))
    return [error('state-path', '`state.path` must not hold a control character', { location, hint })];
  const below = relative(folder, resolve(folder, path));
  const outside = below === '' || below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  if (!outside && below.endsWith('.json')) return [];
  const message = outside
    ? '`state.path` must stay below the catalog folder'
    : '`state.path` must end with .json';
  return [error('state-path', message, { location, hint })];
}
