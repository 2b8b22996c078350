import equal from 'fast-deep-equal';
import { isMap, parseDocument } from 'yaml';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import { SourceText } from '../text/source.ts';
import { parseYaml } from '../text/yaml.ts';
import type { ProbedPoint } from './model.ts';
import { applied, type Section, sectionEdits } from './yaml-edits.ts';

export interface Findings {
  /** What was told; every other setting stays as it is. */
  readonly profile: Partial<Profile>;
  /** The evidence, also of what could not be told. */
  readonly probed: Readonly<Partial<Record<ProfilePoint, ProbedPoint>>>;
}

/**
 * The text of an environment file with findings in it, everything else untouched. Where the text is written in a
 * way that can't be edited in place, its comments and their order stay and its blanks may not. `text` must be a
 * valid environment file (so it is not nested deeply).
 */
export function withFindings(text: string, { profile, probed }: Findings): string {
  const sections: readonly Section[] = [
    { name: 'profile', entries: Object.entries(profile) },
    { name: 'probed', entries: Object.entries(probed), comment: ' # written by trove probe' },
  ].filter(({ entries }) => entries.length > 0);
  const edited = sections.reduce<string | undefined>((before, section) => {
    const edits = before === undefined ? undefined : sectionEdits(parseDocument(before), before, section);
    return before !== undefined && edits ? applied(before, edits) : undefined;
  }, text);
  const isAsWanted = edited !== undefined && equal(valueIn(edited), merged(valueIn(text), sections));
  return isAsWanted ? edited : rewritten(text, sections);
}

function merged(file: Value, sections: readonly Section[]): Value {
  const changed = sections.map(({ name, entries }) => [
    name,
    { ...file[name], ...Object.fromEntries(entries) },
  ]);
  return { ...file, ...Object.fromEntries(changed) };
}

function rewritten(text: string, sections: readonly Section[]): string {
  const document = parseDocument(text);
  const wanted = merged(valueIn(text), sections);
  for (const { name, entries } of sections) {
    if (isMap(document.get(name))) for (const [key, value] of entries) document.setIn([name, key], value);
    else document.set(name, document.createNode(wanted[name]));
  }
  return document.toString({ lineWidth: 0 });
}

type Value = Readonly<Record<string, object | undefined>>;

function valueIn(text: string): Value {
  return parseYaml(new SourceText('', text)).document?.value as Value;
}
