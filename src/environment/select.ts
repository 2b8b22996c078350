import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import { quoted } from '../text/quoted.ts';
import { environmentNames } from './find.ts';
import { matches } from './matches.ts';

/** In a pattern `*` stands for any characters; nothing else is special. */
const PATTERN = /^[\w*-]*\*[\w*-]*$/;

/**
 * The environments that `-e` means: names as they are given, and patterns (`team-*`) for every file of the catalog
 * folder (absolute) that they fit, in the order of the alphabet. `local` is only meant by its name.
 */
export async function selectEnvironments(
  wanted: readonly string[],
  catalogFolder: string,
): Promise<Result<readonly string[]>> {
  const known = (await environmentNames(catalogFolder)).filter((name) => name !== 'local');
  const selected = new Set<string>();
  const problems: Diagnostic[] = [];
  for (const name of wanted) {
    const names = PATTERN.test(name) ? known.filter((each) => matches(name, each)) : [name];
    for (const each of names) selected.add(each);
    if (names.length === 0) problems.push(fitsNone(name, known));
  }
  return problems.length > 0 ? failure(...problems) : success([...selected]);
}

function fitsNone(pattern: string, known: readonly string[]): Diagnostic {
  const meant = nearest(pattern.replaceAll(/[^a-z0-9_-]/g, ''), known);
  const listed = known.length > 0 ? `known are ${known.join(', ')}` : 'there is no environment file yet';
  const hint = meant === undefined ? listed : `did you mean ${quoted(meant)}? ${listed}`;
  return error('unknown-environment', `no environment fits ${quoted(pattern)}`, { hint });
}
