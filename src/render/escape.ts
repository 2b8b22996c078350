import { visibly } from '../markup/invisible.ts';

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t', '\u001b': '\\e' };

/** Text from a file, a service or the environment, made safe for one line of a terminal: what hides becomes visible. */
export function escapeTerminal(text: string): string {
  return visibly(text, (character) => NAMED[character] ?? codeUnits(character)).join('');
}

/** As JSON has it, which is escaped here too: of a character beyond U+FFFF both halves. */
function codeUnits(character: string): string {
  return character
    .split('')
    .map((half) => `\\u${half.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');
}
