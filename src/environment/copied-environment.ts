import { Document, isMap, isNode, type Node, type Pair, YAMLMap } from 'yaml';
import { editYaml, indexOfEntry, setEntry, valueIn } from '../text/edit-yaml.ts';
import type { Environment } from './model.ts';
import { defaultStatePath } from './settle.ts';
import type { TeamSettings } from './team-settings.ts';

/**
 * The text of an environment's file, as that of another team: with its comments and its order, and with everything
 * changed that two teams must not share. `idNamespace` is a new UUID, used where the file names one. Undefined where
 * the file is written in a way that can't be copied (an anchor in what has to go). `text` must be valid.
 */
export function copiedEnvironment(
  text: string,
  from: Environment,
  settings: TeamSettings,
  idNamespace: string,
): string | undefined {
  const file = valueIn(text) as Value;
  const change = changeFor(file, from, settings, idNamespace);
  const value = changedValue(file, change);
  const losesComments = [...change.removed, ...change.silenced.map(({ name }) => name)].some(
    (name) => file[name] !== undefined,
  );
  const edit = ({ contents }: Document): void => {
    if (isMap(contents)) apply(contents, change, { file, value });
  };
  return editYaml(text, edit, { value, losesComments });
}

/** What becomes of the mapping at the top of a file; names are its keys. */
interface Change {
  /** Each takes the place of the value that is there; those that are new follow the last of the others. */
  readonly values: readonly (readonly [name: string, value: string])[];
  /** Mappings of which these entries are set. */
  readonly sections: readonly (readonly [name: string, entries: Value])[];
  readonly removed: readonly string[];
  /** Made a comment, below a line that says why. */
  readonly silenced: readonly Remark[];
  /** A line above each that is there. */
  readonly comments: readonly Remark[];
}

interface Remark {
  readonly name: string;
  readonly comment: string;
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
      isRemote ? 'service' : 'baseUrl',
      ...(teamId === undefined ? ['teamId'] : []),
      ...(userId === undefined ? ['userId'] : []),
      ...(isSameService ? [] : ['probed']),
    ],
    silenced: isSameService
      ? []
      : [
          {
            name: 'profile',
            comment: `As in ${from.name}, for another service: nobody knows it of this one before trove probe.`,
          },
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

function changedValue(file: Value, { values, sections, removed, silenced }: Change): Value {
  const gone = [...removed, ...silenced.map(({ name }) => name)];
  const kept = Object.entries(file).filter(([key]) => !gone.includes(key));
  const merged = sections.map(([name, entries]) => [
    name,
    { ...(file[name] as Value | undefined), ...entries },
  ]);
  return Object.fromEntries([...kept, ...values, ...merged]);
}

function apply(
  root: YAMLMap,
  { values, sections, removed, silenced, comments }: Change,
  { file, value }: { readonly file: Value; readonly value: Value },
): void {
  for (const name of removed) take(root, name);
  for (const { name, comment } of silenced) take(root, name, (pair) => commentedOut(pair, comment));
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

/** Takes an entry away; the comment above it stays, and below that stands what `replacement` makes of the entry. */
function take(root: YAMLMap, name: string, replacement?: (pair: Pair) => string): void {
  const at = indexOfEntry(root, name);
  const pair = root.items[at];
  if (!pair || !isNode(pair.key)) return;
  root.items.splice(at, 1);
  const { commentBefore } = pair.key;
  pair.key.commentBefore = null;
  const next = root.items[at]?.key;
  const below = isNode(next) ? next.commentBefore : root.comment;
  const comment = [commentBefore, replacement?.(pair), below].filter(Boolean).join('\n');
  if (isNode(next)) next.commentBefore = comment;
  else root.comment = comment;
}

/** An entry as the lines of a comment. */
function commentedOut(pair: Pair, because: string): string {
  const alone = new Document(null, { schema: 'failsafe' });
  const block = new YAMLMap(alone.schema);
  block.items.push(pair);
  alone.contents = block as never;
  const lines = alone.toString({ lineWidth: 0 }).trimEnd().split('\n');
  return [because, ...lines].map((line) => ` ${line}`).join('\n');
}

function addAbove(key: Node, comment: string): void {
  key.commentBefore = key.commentBefore ? `${key.commentBefore}\n ${comment}` : ` ${comment}`;
}
