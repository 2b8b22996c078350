import { Document, isMap, isNode, isScalar, type Node, type Pair, stringify, YAMLMap } from 'yaml';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import { editYaml, indexOfEntry, setEntry, valueIn } from '../text/edit-yaml.ts';
import { defaultStatePath } from './defaults.ts';
import type { Environment, ProbedPoint, TeamSettings } from './model.ts';

interface TemplateOptions {
  /** Path of the schema from the file's folder, for editors. */
  readonly schema?: string;
  /** Keys of the attributes that the catalog uses. */
  readonly attributes: readonly string[];
}

/** The text of a small environment file that explains itself. It makes nothing up. */
export function environmentTemplate(settings: TeamSettings, { schema, attributes }: TemplateOptions): string {
  const isRemote = settings.service.kind === 'remote';
  return [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]),
    serviceAndTeam(settings),
    ...(isRemote && attributes.length > 0 ? [attributeList(attributes)] : []),
    ...(isRemote ? [namespace, limits] : []),
  ].join('\n\n');
}

const namespace = `# Item ids derive from base URL and team. A UUID that is this team's alone keeps them where one of these changes:
# idNamespace: UUID`;

const limits = `# An apply that would write more than this is refused:
# limits: { maxCreates: 500, maxUpdates: 500 }
`;

function serviceAndTeam({ service, teamId, userId }: TeamSettings): string {
  const team = [
    ...(teamId === undefined
      ? []
      : [`${line('teamId', teamId)} # nothing more is written when the service answers with another team`]),
    ...(userId === undefined
      ? []
      : [`${line('userId', userId)} # this user's spaces are read before the first write`]),
  ];
  if (service.kind === 'embedded')
    return [`${line('service', 'embedded')} # the service that Trove brings along`, ...team, ''].join('\n');
  const { usernameFrom, passwordFrom } = service.credentials;
  return `${[line('baseUrl', service.baseUrl), ...team].join('\n')}

# Names of variables. The values stay outside git.
credentials:
  ${line('usernameFrom', usernameFrom)}
  ${line('passwordFrom', passwordFrom)}`;
}

/** In comments: a placeholder would be sent as an id. */
function attributeList(keys: readonly string[]): string {
  return `# The catalog uses these attributes. Each needs the id of its definition in this service:
# attributes:
${keys.map((key) => `#   ${key}: ID`).join('\n')}`;
}

function line(key: string, value: string): string {
  return stringify({ [key]: value }, { lineWidth: 0 }).trimEnd();
}

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
): string | undefined {
  const file = valueIn(text) as Value;
  const change = changeFor(file, from, settings, idNamespace);
  const value = changedValue(file, change);
  const losesComments = change.removed.some(({ name }) => file[name] !== undefined);
  const editRoot = ({ contents }: Document): void => {
    if (isMap(contents)) applyChange(contents, change, { file, value });
  };
  return editYaml(text, editRoot, { value, losesComments });
}

/** Changes to the mapping at the top of a file; names are its keys. */
interface Change {
  /** Each replaces the value that is there; new ones follow the last of the others. */
  readonly values: readonly (readonly [name: string, value: string])[];
  /** Mappings in which these entries are set. */
  readonly sections: readonly (readonly [name: string, entries: Value])[];
  /** With a reason, the entry becomes a comment below it. */
  readonly removed: readonly { readonly name: string; readonly reason?: string }[];
  /** A line above each entry that is there. */
  readonly comments: readonly { readonly name: string; readonly comment: string }[];
}

type Value = Readonly<Record<string, unknown>>;

function changeFor(
  file: Value,
  from: Environment,
  { name, service, teamId, userId }: TeamSettings,
  idNamespace: string,
): Change {
  const isRemote = service.kind === 'remote';
  const isSameService =
    isRemote && from.service.kind === 'remote' && from.service.baseUrl === service.baseUrl;
  const state = file.state as { readonly path?: string } | undefined;
  const path = defaultStatePath(name, !isRemote);
  const otherService = `As in ${from.name}, for another service: nobody knows it of this one before trove probe.`;
  return {
    values: [
      isRemote ? ['baseUrl', service.baseUrl] : ['service', 'embedded'],
      ...(teamId === undefined ? [] : [['teamId', teamId] as const]),
      ...(userId === undefined ? [] : [['userId', userId] as const]),
      ...(file.idNamespace === undefined ? [] : [['idNamespace', idNamespace] as const]),
    ],
    sections: [
      ...(isRemote ? [['credentials', { ...service.credentials }] as const] : []),
      ...(state?.path === undefined ? [] : [['state', { path }] as const]),
    ],
    removed: [
      { name: isRemote ? 'service' : 'baseUrl' },
      ...(teamId === undefined ? [{ name: 'teamId' }] : []),
      ...(userId === undefined ? [{ name: 'userId' }] : []),
      ...(isSameService ? [] : [{ name: 'probed' }, { name: 'profile', reason: otherService }]),
    ],
    comments: [
      { name: 'attributes', comment: `Copied from ${from.name}: ids of its team. Check each of them.` },
      { name: 'overrides', comment: `Copied from ${from.name}: values of its team.` },
      { name: 'only', comment: `Copied from ${from.name}: the part that its team has.` },
      {
        name: 'idNamespace',
        comment: `A new one: with that of ${from.name}, both teams would give their items equal ids.`,
      },
    ],
  };
}

function changedValue(file: Value, { values, sections, removed }: Change): Value {
  const kept = Object.entries(file).filter(([key]) => !removed.some(({ name }) => name === key));
  const merged = sections.map(([name, entries]) => [
    name,
    { ...(file[name] as Value | undefined), ...entries },
  ]);
  return Object.fromEntries([...kept, ...values, ...merged]);
}

function applyChange(
  root: YAMLMap,
  { values, sections, removed, comments }: Change,
  { file, value }: { readonly file: Value; readonly value: Value },
): void {
  for (const { name, reason } of removed) removeEntry(root, name, reason);
  for (const { name, comment } of comments) {
    const key = root.items[indexOfEntry(root, name)]?.key;
    if (isNode(key)) addAbove(key, comment);
  }
  let last = Math.max(...values.map(([name]) => indexOfEntry(root, name)));
  for (const [name, wanted] of values) {
    const added = setEntry(root, name, wanted, file[name]);
    if (added) root.items.splice(++last, 0, ...root.items.splice(-1));
  }
  for (const [name] of sections) {
    const key = setEntry(root, name, value[name], file[name])?.key;
    if (isNode(key)) key.spaceBefore = true;
  }
}

/** The comment above the entry stays; if there is a reason, so does the entry, as a comment below that. */
function removeEntry(root: YAMLMap, name: string, reason: string | undefined): void {
  const at = indexOfEntry(root, name);
  const pair = root.items[at];
  if (!pair || !isNode(pair.key)) return;
  root.items.splice(at, 1);
  const { commentBefore } = pair.key;
  pair.key.commentBefore = null;
  const next = root.items[at]?.key;
  const below = isNode(next) ? next.commentBefore : root.comment;
  const comment = [commentBefore, reason && commentedOut(pair, reason), below].filter(Boolean).join('\n');
  if (isNode(next)) next.commentBefore = comment;
  else root.comment = comment;
}

/** An entry as the lines of a comment. */
function commentedOut(pair: Pair, reason: string): string {
  const alone = new Document(null, { schema: 'failsafe' });
  const block = new YAMLMap(alone.schema);
  block.items.push(pair);
  alone.contents = block as never;
  const lines = alone.toString({ lineWidth: 0 }).trimEnd().split('\n');
  return [reason, ...lines].map((line) => ` ${line}`).join('\n');
}

function addAbove(key: Node, comment: string): void {
  key.commentBefore = key.commentBefore ? `${key.commentBefore}\n ${comment}` : ` ${comment}`;
}

export interface Findings {
  /** What was found out; every other setting stays as it is. */
  readonly profile: Partial<Profile>;
  /** The evidence, also for what could not be found out. */
  readonly probed: Readonly<Partial<Record<ProfilePoint, ProbedPoint>>>;
}

/**
 * The text of an environment file with findings in it; comments and the order of everything else stay. Undefined if
 * the text can't be edited safely. `text` must be a valid environment file (so it is not nested deeply).
 */
export function addFindings(text: string, findings: Findings): string | undefined {
  const file = valueIn(text) as Readonly<Record<string, object | undefined>>;
  const sections = Object.entries(findings)
    .filter(([, entries]) => Object.keys(entries).length > 0)
    .map(([name, entries]) => [name, { ...file[name], ...entries }] as const);
  const value = { ...file, ...Object.fromEntries(sections) };
  return editYaml(
    text,
    ({ contents }) => {
      if (!isMap(contents)) return;
      for (const [name, section] of sections) {
        const key = setEntry(contents, name, section, file[name])?.key;
        if (!isScalar(key)) continue;
        key.spaceBefore = true;
        if (name === 'probed') key.comment = ' written by trove probe';
      }
    },
    { value },
  );
}
