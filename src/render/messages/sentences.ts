import { nearest } from '../../text/nearest.ts';
import type { Names, Problems, Rule, SystemCause } from '../../text/problems.ts';
import { quoted } from '../../text/quoted.ts';
import { explanationOf } from '../../text/system-error.ts';

/** What is wrong and what is true now, in one sentence; then what to do or type next. */
export type Sentence = readonly [message: string, hint?: string | undefined];

export type Sentences<Rules extends Rule> = {
  readonly [R in Rules]: (values: Problems[R], flags: string) => Sentence;
};

/** A hint with the nearest candidate; undefined if nothing is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const meant = nearest(name, candidates);
  return meant === undefined ? undefined : `did you mean ${quoted(meant)}?`;
}

/** What to say about a name that is not declared: the nearest that is, or all that are. */
export function declaredHint(name: string, declared: Names): string {
  const known = namesIn(declared);
  if (known.length === 0) return 'none are declared yet';
  const shown = known.slice(0, 10).map(quoted).join(', ');
  const all =
    known.length > 10 ? `declared are ${shown} and ${known.length - 10} more` : `declared: ${shown}`;
  return didYouMean(name, known) ?? all;
}

export function namesIn(names: Names): readonly string[] {
  if (Array.isArray(names)) return names;
  return names instanceof Map || names instanceof Set ? [...names.keys()] : Object.keys(names);
}

/** Names as they are read aloud: `a`, `b` and `c`. */
export function list(names: readonly string[]): string {
  const shown = names.map(quoted);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}

/** Of a state; the serial of the newest version that this machine had. */
export function olderThanNewest(serial: number, newest: number): string {
  return `the state is an older version: its serial is ${serial}, and this machine had ${newest}, so what came after would be created a second time`;
}

/** In plain words, with the code: `no space is left on the disk (ENOSPC)`. */
export function systemReason({ code = '', said }: SystemCause): string {
  const explanation = explanationOf(code);
  return explanation === undefined ? said : `${explanation} (${code})`;
}
