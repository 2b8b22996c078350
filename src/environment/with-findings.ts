import equal from 'fast-deep-equal';
import { parseDocument } from 'yaml';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import { SourceText } from '../text/source.ts';
import { parseYaml } from '../text/yaml.ts';
import type { ProbedPoint } from './model.ts';
import { type Edit, sectionEdits } from './yaml-edits.ts';

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
  const sections = [
    ['profile', Object.entries(profile)],
    ['probed', Object.entries(probed)],
  ] as const;
  const filled = sections.filter(([, entries]) => entries.length > 0);
  const wanted = merged(valueIn(text), filled);
  const edited = filled.reduce<string | undefined>((before, [section, entries]) => {
    if (before === undefined) return undefined;
    const edits = sectionEdits(parseDocument(before), before, section, entries);
    return edits && applied(before, edits);
  }, text);
  return edited !== undefined && equal(valueIn(edited), wanted) ? edited : rewritten(text, filled);
}

type Section = readonly [name: string, entries: readonly (readonly [string, unknown])[]];

function merged(value: unknown, sections: readonly Section[]): unknown {
  const file = value as Readonly<Record<string, object | undefined>>;
  const changed = sections.map(([name, entries]) => [
    name,
    { ...file[name], ...Object.fromEntries(entries) },
  ]);
  return { ...file, ...Object.fromEntries(changed) };
}

function rewritten(text: string, sections: readonly Section[]): string {
  const document = parseDocument(text);
  const file = valueIn(text) as Readonly<Record<string, object | undefined>>;
  for (const [name, entries] of sections) {
    const before = document.get(name);
    const editable = typeof before === 'object' && before !== null && 'items' in before;
    if (!editable) document.set(name, document.createNode({ ...file[name] }));
    for (const [key, value] of entries) document.setIn([name, key], value);
  }
  return document.toString({ lineWidth: 0 });
}

function applied(text: string, edits: readonly Edit[]): string {
  const breaks = text.includes('\r\n') ? '\r\n' : '\n';
  return [...edits]
    .sort((one, other) => other.start - one.start)
    .reduce(
      (before, { start, end, text: written }) =>
        before.slice(0, start) + written.replaceAll('\n', breaks) + before.slice(end),
      text,
    );
}

function valueIn(text: string): unknown {
  return parseYaml(new SourceText('', text)).document?.value;
}
