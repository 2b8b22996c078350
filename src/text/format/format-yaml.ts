import equal from 'fast-deep-equal';
import { SourceText } from '../source.ts';
import { parseYaml } from '../yaml.ts';
import type { KeyOrder } from './key-order.ts';
import { reindent } from './reindent.ts';
import { reorder } from './reorder.ts';

/**
 * The text in the one form that all files have: keys in order, two blanks a level, a line break at the end. Comments
 * stay with what they belong to, and it means what it meant: where a text is written so that it would not, it is given
 * back as it is. `text` is one YAML document without problems (so it is not nested deeply).
 */
export function formatYaml(text: string, order: KeyOrder): string {
  const formatted = arranged(text, order);
  return formatted === text || equal(valueIn(text), valueIn(formatted)) ? formatted : text;
}

/** The same without the last look. */
export function arranged(text: string, order: KeyOrder): string {
  const ended = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  return reorder(reindent(ended), order);
}

function valueIn(text: string): unknown {
  return parseYaml(new SourceText('', text)).document?.value;
}
