import equal from 'fast-deep-equal';
import { CST, Lexer, parseDocument } from 'yaml';
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
  const isSame =
    formatted === text ||
    (equal(valueIn(text), valueIn(formatted)) && equal(commentsIn(text), commentsIn(formatted)));
  return isSame ? formatted : text;
}

/** The same without the last look. Lines end as the first one does. */
export function arranged(text: string, order: KeyOrder): string {
  const lines = text.replaceAll(/\r\n?/g, '\n');
  const ended = lines === '' || lines.endsWith('\n') ? lines : `${lines}\n`;
  // What this parser does not take, though the other one does, it can't be trusted with.
  const { contents, errors } = parseDocument(ended, { uniqueKeys: false });
  if (errors.length > 0) return text;
  const formatted = reorder(reindent(ended, contents), order);
  return /^[^\n]*\r\n/.test(text) ? formatted.replaceAll('\n', '\r\n') : formatted;
}

function valueIn(text: string): unknown {
  return parseYaml(new SourceText('', text)).document?.value;
}

/** In the order of the alphabet. */
function commentsIn(text: string): readonly string[] {
  const comments: string[] = [];
  let before = '';
  for (const lexeme of new Lexer().lex(text.replaceAll(/\r\n?/g, '\n'))) {
    // What follows the mark of a scalar is its text.
    if (CST.tokenType(before) !== 'scalar' && lexeme.startsWith('#')) comments.push(lexeme.trimEnd());
    before = lexeme;
  }
  return comments.sort();
}
