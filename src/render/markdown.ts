import type { Diagnostic } from '../text/diagnostic.ts';
import { placeText } from './diagnostic-reports.ts';
import { COMMAND, escapeTerminal, shortened } from './terminal.ts';

/** So many characters are shown; what is longer says how long it is. */
const LONGEST_VALUE = 400;
const LONGEST_SENTENCE = 1000;

/**
 * A word that no reader of Markdown takes for anything else: letters, or a number. Everything with another sign in it
 * (a URL, `@name`, `#1`, `*`, `<`, a commit in hex) is shown as code instead, where GitHub makes nothing of it.
 */
const PLAIN_WORD = /^\(?\p{L}+(?:['’-]\p{Ll}+)*\)?[.,;:?]?$/u;
const PLAIN_NUMBER = /^\(?(?:\d{1,6}[,;:]?|\d{1,4}\.\d{1,4}\)?[.,;:]?)$/;
const LIKE_A_COMMIT = /(?<!\p{L})[0-9a-f]{7,}/iu;

/** A value as a code span: nothing in it is a link, an image, a mention, a reference, a heading or HTML. */
export function codeSpan(value: string): string {
  const text = shortened(escapeTerminal(value), LONGEST_VALUE);
  if (text === '') return '';
  const longest = Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const padding = /^[ `]|[ `]$/.test(text) ? ' ' : '';
  return `${fence}${padding}${text}${padding}${fence}`;
}

/** The same in a cell of a table, where a `|` ends the cell even inside of code. */
export function codeCell(value: string): string {
  // Behind an odd number of backslashes the one for the pipe would be taken for another sign's.
  return codeSpan(value).replaceAll(/(\\*)\|/g, (_, before: string) => {
    const even = before.length % 2 === 0 ? before : `${before}\\`;
    return `${even}\\|`;
  });
}

/** A command, something between ticks (`name`, as messages write it), or a word. */
const TOKEN = new RegExp(`${COMMAND.source}|\`[^\`]+\`[.,;:?)]?|\\S+`, 'g');

/**
 * A sentence of ours that may hold values of others: plain words stay, commands and everything else become code.
 * Neighbours that have to be code are one span.
 */
export function prose(text: string, longest = LONGEST_SENTENCE): string {
  const parts: string[] = [];
  let code: string[] = [];
  const flush = () => {
    if (code.length > 0) parts.push(codeWords(code.join(' ')));
    code = [];
  };
  for (const [token] of shortened(escapeTerminal(text), longest).matchAll(TOKEN)) {
    if (!isPlain(token)) code.push(token);
    if (isPlain(token) || /^(?:`|trove )|[.,;:?]$/.test(token)) flush();
    if (isPlain(token)) parts.push(token);
  }
  flush();
  return parts.join(' ');
}

/** The comma behind a value is the sentence's. */
function codeWords(words: string): string {
  const [, value = words, mark = ''] = /^(.+?)([.,;:?]?)$/.exec(words) ?? [];
  return codeSpan(/^`[^`]+`$/.test(value) ? value.slice(1, -1) : value) + mark;
}

function isPlain(word: string): boolean {
  return (PLAIN_WORD.test(word) || PLAIN_NUMBER.test(word)) && !LIKE_A_COMMIT.test(word);
}

/** A part of a document that may lose its end: units are taken whole or left out. */
export interface Part {
  readonly head: string;
  readonly units: readonly Unit[];
  readonly tail: string;
  /** What is said in the place of `count` things that are left out. */
  readonly more: (count: number) => string;
}

/** One thing, or a few that belong together. */
export interface Unit {
  readonly text: string;
  /** What is left of it where all of it has no room, but this has. */
  readonly short?: string;
}

/**
 * The parts one after another in at most `budget` bytes of UTF-8. Every part keeps its head, its tail and the word on
 * what it leaves out; what room is left goes to the units of the first part, then to those of the second, and so on.
 */
export function fit(parts: readonly Part[], budget: number): string {
  const frame = (part: Part) => bytes(part.head + part.tail + part.more(part.units.length));
  let room = budget - parts.reduce((sum, part) => sum + frame(part), 0);
  return parts
    .map(({ head, units, tail, more }) => {
      const taken: string[] = [];
      for (const { text, short } of units) {
        const fitting = [text, short].find((each) => each !== undefined && bytes(each) <= room);
        if (fitting === undefined) break;
        room -= bytes(fitting);
        taken.push(fitting);
      }
      if (taken.length === units.length) return head + taken.join('') + tail;
      return head + taken.join('') + more(units.length - taken.length) + tail;
    })
    .join('');
}

export function bytes(text: string): number {
  return Buffer.byteLength(text);
}

/** Problems as a list below `heading` (one of ours), errors and warnings as they come, in at most `limit` bytes. */
export function renderProblemsMarkdown(
  heading: string,
  problems: readonly Diagnostic[],
  limit: number,
): string {
  const head = `### ${heading}\n\n`;
  const part: Part = {
    head: '',
    units: problems.map((problem) => ({ text: problemText(problem) })),
    tail: '\n',
    more: (count) => `\n… and ${count} more; they are in the log\n`,
  };
  return head + fit([part], limit - bytes(head));
}

function problemText(problem: Diagnostic): string {
  const { severity, message, rule, hint } = problem;
  const head = [`**${severity}**`, codeSpan(placeText(problem) ?? ''), `(${codeSpan(rule)})`];
  const lines = [prose(message), ...(hint === undefined ? [] : [prose(hint)])];
  return `- ${[head.filter((part) => part !== '').join(' '), ...lines].join('<br>\n  ')}\n`;
}
