import schema from '../../schemas/environment.schema.json' with { type: 'json' };
import type { Diagnostic } from '../text/diagnostic.ts';
import { nearest } from '../text/nearest.ts';
import type { SourceText } from '../text/source.ts';

/** All that a message may quote of a file that is wrong: what its schema names, and what people take for that. */
const known = new Set(['username', 'password', 'api', 'true']);
JSON.stringify(schema, (key, value) => {
  const names: readonly string[] = key === 'properties' ? Object.keys(value) : key === 'enum' ? value : [];
  for (const name of names) known.add(name);
  return value;
});

/**
 * Keeps the text of an environment's file out of messages, which end up in the logs of pipelines: a secret may stand
 * in it under any name and in any place. Of a file that fits its schema only lines with a comment are left out.
 */
export function concealSecrets(
  diagnostics: readonly Diagnostic[],
  source: SourceText | undefined,
  fits = false,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { hint, ...rest } = diagnostic;
    const { location, related = [], message } = rest;
    const places = [...(location ? [location] : []), ...related.map((other) => other.location)];
    const own = places.filter((place) => place.source === source);
    const isHarmless = ({ start }: { start: number }) =>
      fits && source?.line(source.positionAt(start).line).includes('#') === false;
    if (own.every(isHarmless)) return diagnostic;
    if (fits) return { ...diagnostic, concealed: true };
    const isTold = hint !== undefined && withoutQuotes(hint) === hint;
    return { ...rest, concealed: true, message: withoutQuotes(message), ...(isTold && { hint }) };
  });
}

function withoutQuotes(text: string): string {
  return text.replace(/`([^`]*)`/g, (whole, quoted: string) => (isKnown(quoted) ? whole : '`…`'));
}

/** Also one slip of the keyboard away; and a single character, such as a bracket that is missing, is no secret. */
function isKnown(quoted: string): boolean {
  const words = quoted.replace(/\[\d+\]$/, '').split(/\.|: /);
  return quoted.length < 2 || nearest(quoted, known) !== undefined || words.every((word) => known.has(word));
}
