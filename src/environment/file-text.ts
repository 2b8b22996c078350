import equal from 'fast-deep-equal';
import { isCollection, isMap, isScalar, type Node, Pair, parseDocument, stringify, type YAMLMap } from 'yaml';
import schema from '../../schemas/environment.schema.json' with { type: 'json' };
import type { Profile } from '../contract/profile.ts';
import { editYaml, valueIn } from '../text/edit-yaml.ts';
import { defaultStatePath } from './defaults.ts';
import type { Environment, EnvironmentFile, TeamSettings } from './model.ts';

/** The comments of a copy, by the section that they stand above. */
export type CopyNotes = Readonly<Record<'attributes' | 'overrides' | 'only' | 'idNamespace', string>>;

/**
 * The text of an environment's file for another team: with the same comments and order, and with everything changed
 * that two teams must not share. `idNamespace` is a new UUID, used if the file has one. Undefined if the file can't be
 * copied (an anchor in what has to go). `text` must be valid.
 */
export function copyEnvironment(
  text: string,
  from: Environment,
  settings: TeamSettings,
  idNamespace: string,
  notes: CopyNotes,
): string | undefined {
  const file = valueIn(text) as EnvironmentFile;
  const value = copiedValue(file, from, settings, idNamespace);
  const losesComments = Object.keys(file).some((name) => !Object.hasOwn(value, name));
  return editYaml(
    text,
    ({ contents }) => {
      if (!isMap(contents)) return;
      setEntries(contents, value, file);
      for (const [name, note] of Object.entries(notes)) {
        const key = entryOf(contents, name)?.key;
        if (isScalar(key)) key.commentBefore = [key.commentBefore, ` ${note}`].filter(Boolean).join('\n');
      }
    },
    { value, losesComments },
  );
}

/** What two teams may share, with the settings of the other one. Another service is unknown until it is probed. */
function copiedValue(
  file: EnvironmentFile,
  from: Environment,
  { name, service, teamId, userId }: TeamSettings,
  idNamespace: string,
): object {
  const isRemote = service.kind === 'remote';
  const { profile, probed, ...others } = file;
  const isSameService =
    isRemote && from.service.kind === 'remote' && from.service.baseUrl === service.baseUrl;
  const value = {
    ...(isSameService ? file : others),
    baseUrl: isRemote ? service.baseUrl : undefined,
    service: isRemote ? undefined : 'embedded',
    teamId,
    userId,
    idNamespace: file.idNamespace && idNamespace,
    credentials: isRemote ? { ...file.credentials, ...service.credentials } : file.credentials,
    state: file.state?.path ? { ...file.state, path: defaultStatePath(name, !isRemote) } : file.state,
  };
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}

export interface Findings {
  /** What was found out; every other setting stays as it is. */
  readonly profile: Partial<Profile>;
  /** The evidence, also for what could not be found out. */
  readonly probed: Environment['probed'];
}

/**
 * The text of an environment file with findings in it, `note` beside them; other comments and the order of everything
 * else stay. Undefined if the text can't be edited safely. `text` must be a valid environment file (so it is not nested
 * deeply).
 */
export function addFindings(text: string, findings: Findings, note: string): string | undefined {
  const file = valueIn(text) as EnvironmentFile;
  const sections = Object.entries(findings)
    .filter(([, found]) => Object.keys(found).length > 0)
    .map(([name, found]) => [name, { ...file[name as keyof Findings], ...found }]);
  const value = { ...file, ...Object.fromEntries(sections) };
  return editYaml(
    text,
    ({ contents }) => {
      if (!isMap(contents)) return;
      setEntries(contents, value, file);
      const key = entryOf(contents, 'probed')?.key;
      if (isScalar(key) && !file.probed) key.comment = ` ${note}`;
    },
    { value },
  );
}

type Mapping = Readonly<Record<string, unknown>>;

/**
 * Makes a mapping of a document that `editYaml` gives, which means `before`, mean `values`. Comments stay with the
 * entries that stay, and so does what does not differ.
 */
function setEntries(map: YAMLMap, values: object, before: object = {}): void {
  for (const name of Object.keys(before)) if (!Object.hasOwn(values, name)) map.delete(name);
  for (const [name, value] of Object.entries(values)) {
    const old = (before as Mapping)[name];
    if (equal(value, old)) continue;
    const pair = entryOf(map, name);
    if (pair) setEntry(pair, value, old);
    else addEntry(map, name, value);
  }
}

/** Undefined where there is no such entry, also where it is merged. */
function entryOf({ items }: YAMLMap, name: string): Pair | undefined {
  return items.find(({ key }) => isScalar(key) && key.value === name);
}

/** At the top of the file, before the first that the schema names after it. */
function addEntry({ items }: YAMLMap, name: string, value: unknown): void {
  const names = Object.keys(schema.properties);
  const rank = names.indexOf(name);
  const isAfter = ({ key }: Pair) => isScalar(key) && names.indexOf(String(key.value)) > rank;
  const next = rank === -1 ? -1 : items.findIndex(isAfter);
  const pair = new Pair(nodeFor(name), nodeFor(value));
  pair.key.spaceBefore = rank !== -1 && isMap(pair.value);
  items.splice(next === -1 ? items.length : next, 0, pair);
}

function setEntry(pair: Pair, value: unknown, before: unknown): void {
  const old = pair.value;
  const node = nodeFor(value);
  if (isMap(old) && isMap(node) && !entryOf(old, '<<')) setEntries(old, value as object, before as object);
  else {
    if (isScalar(old) || isCollection(old)) {
      const { anchor, comment, commentBefore } = old;
      Object.assign(node, { anchor, comment, commentBefore });
    }
    pair.value = node;
  }
}

/** A value in the form that such a document can take. */
function nodeFor(value: unknown): Node {
  const { contents } = parseDocument(stringify(value, { lineWidth: 0 }), { schema: 'failsafe' });
  if (!contents) throw new Error('A value can always be written as YAML.');
  return contents;
}
