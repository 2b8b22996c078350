import environmentSchema from '../../../schemas/environment.schema.json' with { type: 'json' };
import worldSchema from '../../../schemas/world.schema.json' with { type: 'json' };
import { nearest } from '../../text/nearest.ts';

/** All that a message may quote of a file with problems: the words of its schema, and those written for them. */
const quotable = new Set(['username', 'password', 'api', 'true']);
JSON.stringify([environmentSchema, worldSchema], (key, value) => {
  const names: readonly string[] = key === 'properties' ? Object.keys(value) : key === 'enum' ? value : [];
  for (const name of names) quotable.add(name);
  return value;
});

/** A sentence without what it quotes, but for the words of the schema. */
export function concealWords(text: string): string {
  return text.replace(/`([^`]*)`/g, (whole, quoted: string) => (isQuotable(quoted) ? whole : '`…`'));
}

/** Also a word with one slip of the keyboard; and a single character, such as a missing bracket, is no secret. */
function isQuotable(quoted: string): boolean {
  const words = quoted.replace(/\[\d+\]$/, '').split(/\.|: /);
  return (
    quoted.length < 2 || nearest(quoted, quotable) !== undefined || words.every((word) => quotable.has(word))
  );
}
