import { isMap, isScalar } from 'yaml';
import type { Profile, ProfilePoint } from '../contract/profile.ts';
import { editYaml, setEntry, valueIn } from '../text/edit-yaml.ts';
import type { ProbedPoint } from './model.ts';

export interface Findings {
  /** What was told; every other setting stays as it is. */
  readonly profile: Partial<Profile>;
  /** The evidence, also of what could not be told. */
  readonly probed: Readonly<Partial<Record<ProfilePoint, ProbedPoint>>>;
}

/**
 * The text of an environment file with findings in it; comments and the order of everything else stay. Undefined
 * where the text can't be edited safely. `text` must be a valid environment file (so it is not nested deeply).
 */
export function withFindings(text: string, findings: Findings): string | undefined {
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
