import equal from 'fast-deep-equal';
import { parseDocument } from 'yaml';
import { SourceText } from '../text/source.ts';
import { parseYaml } from '../text/yaml.ts';
import type { Environment } from './model.ts';
import { defaultStatePath } from './settle.ts';
import type { TeamSettings } from './team-settings.ts';
import { type TopLevelChange, topLevelEdits } from './top-level-edits.ts';
import { applied } from './yaml-edits.ts';

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
  const change = changeFor(valueIn(text), from, settings, idNamespace);
  const wanted = changedValue(valueIn(text), change);
  const edits = topLevelEdits(parseDocument(text), text, change);
  const edited = edits && applied(text, edits);
  if (edited !== undefined && equal(valueIn(edited), wanted)) return edited;
  const rewritten = rewrittenText(text, change);
  return rewritten !== undefined && equal(valueIn(rewritten), wanted) ? rewritten : undefined;
}

type Value = Readonly<Record<string, unknown>>;

function changeFor(
  file: Value,
  from: Environment,
  { name, service, teamId, userId }: TeamSettings,
  idNamespace: string,
): TopLevelChange {
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
      ...(isRemote ? [{ name: 'credentials', entries: Object.entries(service.credentials) }] : []),
      ...(state?.path === undefined ? [] : [{ name: 'state', entries: [['path', path] as const] }]),
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

function changedValue(file: Value, { values, sections, removed, silenced }: TopLevelChange): Value {
  const gone = [...removed, ...silenced.map(({ name }) => name)];
  const kept = Object.entries(file).filter(([key]) => !gone.includes(key));
  const merged = sections.map(({ name, entries }) => [
    name,
    { ...(file[name] as object | undefined), ...Object.fromEntries(entries) },
  ]);
  return Object.fromEntries([...kept, ...values, ...merged]);
}

/** Comments and their order stay here too; blanks may not, and what has to go is gone. */
function rewrittenText(text: string, change: TopLevelChange): string | undefined {
  const document = parseDocument(text);
  const { values, sections, removed, silenced } = change;
  for (const name of [...removed, ...silenced.map((each) => each.name)]) document.delete(name);
  for (const [key, value] of values) document.set(key, value);
  const wanted = changedValue(valueIn(text), change);
  for (const { name } of sections) document.set(name, document.createNode(wanted[name]));
  try {
    return document.toString({ lineWidth: 0 });
  } catch {
    // An alias whose anchor is gone.
    return undefined;
  }
}

/** Undefined where the text can't be read as YAML any more. */
function valueIn(text: string): Value {
  return parseYaml(new SourceText('', text)).document?.value as Value;
}
