import schema from '../../schemas/environment.schema.json' with { type: 'json' };
import type { Diagnostic } from '../text/diagnostic.ts';
import type { Location, SourceText } from '../text/source.ts';

/** A line on which somebody may have written a secret: below `credentials`, or in a URL before its host. */
const SUSPICIOUS = /credential|password|passwd|secret|token|:\/\/[^/\s]*@/i;
/** The same, and it is a value: not only a word in a name or a comment. */
const CERTAIN = /["']?[\w-]*(?:credential|passw)[\w-]*["']?\s*:|:\/\/[^/\s]*@/i;
/** What a message may quote all the same. */
const names = new Set([
  ...Object.keys(schema.properties),
  ...Object.keys(schema.properties.credentials.properties),
  'username',
  'password',
]);

/**
 * Keeps the text of such lines of an environment's file out of messages, which end up in the logs of pipelines: the
 * line is not shown, and what a message quotes of it is left out.
 */
export function concealSecrets(
  diagnostics: readonly Diagnostic[],
  source: SourceText | undefined,
): readonly Diagnostic[] {
  return diagnostics.map((diagnostic) => {
    const { location, related = [], message, hint } = diagnostic;
    const places = [...(location ? [location] : []), ...related.map((other) => other.location)];
    const own = places.filter((place) => place.source === source);
    const concealed = { ...diagnostic, concealed: true };
    if (own.some((place) => standsIn(CERTAIN, place)))
      return {
        ...concealed,
        message: withoutQuotes(message),
        ...(hint !== undefined && { hint: withoutQuotes(hint) }),
      };
    return own.some((place) => standsIn(SUSPICIOUS, place)) ? concealed : diagnostic;
  });
}

function withoutQuotes(text: string): string {
  return text.replace(/`([^`]*)`/g, (whole, quoted: string) => (names.has(quoted) ? whole : '`…`'));
}

/** In the line itself, or in one that it stands below: each line above that is less indented than all between. */
function standsIn(pattern: RegExp, { source, start }: Location): boolean {
  const { line } = source.positionAt(start);
  let indent = Number.POSITIVE_INFINITY;
  for (let above = line; above > 0 && indent > 0; above--) {
    const text = source.line(above);
    const own = text.search(/[^\s#]/);
    if (own === -1 || own >= indent) continue;
    indent = own;
    if (pattern.test(text)) return true;
  }
  return false;
}
