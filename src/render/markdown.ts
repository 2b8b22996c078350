import { placeText } from './diagnostic-reports.ts';
import type { ExplainedDiagnostic } from './messages/explain-problem.ts';
import { COMMAND, escapeTerminal, linesOf, shortened } from './terminal.ts';

/** So many characters are shown; what is longer says how long it is. */
const LONGEST_VALUE = 400;
const LONGEST_SENTENCE = 1000;

/**
 * A word that no reader of Markdown takes for anything else: letters, or a number. Everything with another sign in it
 * (a URL, `@name`, `#1`, `*`, `<`, a commit in hex) is shown as code instead, where GitHub makes nothing of it.
 */
const PLAIN_WORD = /^\(?\p{L}+(?:['’-]\p{Ll}+)*\)?[.,;:?]?$/u;
const PLAIN_NUMBER = /^\(?(?:\d{1,6}[,;:]?|\d{1,4}\.\d{1,4}\)?[.,;:]?)$/;
const CLOSING_NUMBER = /^\(?\d{1,6}\)[.,;:?]?$/;
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
 * Neighbors that have to be code are one span.
 */
export function prose(text: string, longest = LONGEST_SENTENCE): string {
  const parts: string[] = [];
  let code: string[] = [];
  const flush = () => {
    if (code.length > 0) parts.push(codeWords(code.join(' ')));
    code = [];
  };
  for (const { 0: token, index } of shortened(escapeTerminal(text), longest).matchAll(TOKEN)) {
    // At the start of a line it would begin a list.
    const isWord = isPlain(token) || (index > 0 && CLOSING_NUMBER.test(token));
    if (!isWord) code.push(token);
    if (isWord || /^(?:`|trove )|[.,;:?)]$/.test(token)) flush();
    if (isWord) parts.push(token);
  }
  flush();
  return parts.join(' ');
}

/** The comma behind a value is the sentence's, and so are brackets that the value does not both have. */
function codeWords(words: string): string {
  const [, open = '', value = words, mark = ''] =
    /^(\(?)([^()]+?)(\)?[.,;:?]?)$/.exec(words) ?? /^()(.+?)([.,;:?]?)$/.exec(words) ?? [];
  return open + codeSpan(/^`[^`]+`$/.test(value) ? value.slice(1, -1) : value) + mark;
}

function isPlain(word: string): boolean {
  return (PLAIN_WORD.test(word) || PLAIN_NUMBER.test(word)) && !LIKE_A_COMMIT.test(word);
}

/** A part of a document that may lose its end. */
export interface Part {
  readonly head: string;
  /** Taken whole or left out. Of each its forms, the longest first: a shorter one is better than none. */
  readonly units: readonly (readonly string[])[];
  readonly tail: string;
  /** What is said in the place of `count` units that are left out. */
  readonly more: (count: number) => string;
}

/**
 * The parts one after another in at most `budget` bytes of UTF-8. Every part keeps its head, its tail and the word on
 * what it leaves out; what room is left goes to the units of the first part, then to those of the second, and so on.
 */
export function fit(parts: readonly Part[], budget: number): string {
  const frame = (part: Part) => bytes(part.head + part.tail + part.more(part.units.length));
  let room = budget - parts.reduce((sum, part) => sum + frame(part), 0);
  const texts = parts.map(({ head, units, tail, more }) => {
    const taken: string[] = [];
    for (const forms of units) {
      const fitting = forms.find((form) => bytes(form) <= room);
      if (fitting === undefined) break;
      room -= bytes(fitting);
      taken.push(fitting);
    }
    const left = units.length - taken.length;
    return head + taken.join('') + (left > 0 ? more(left) : '') + tail;
  });
  return texts.join('');
}

export function bytes(text: string): number {
  return Buffer.byteLength(text);
}

/** Problems as a list below `heading` (one of ours), errors and warnings as they come, in at most `limit` bytes. */
export function renderProblemsMarkdown(
  heading: string,
  problems: readonly ExplainedDiagnostic[],
  limit: number,
): string {
  const part: Part = {
    head: `### ${heading}\n\n`,
    units: problems.map((problem) => [problemText(problem)]),
    tail: '\n',
    more: (count) => `\n… and ${count} more; see the log\n`,
  };
  return fit([part], limit);
}

function problemText(problem: ExplainedDiagnostic): string {
  const { severity, message, rule, hint } = problem;
  const place = codeSpan(placeText(problem) ?? '');
  const head = linesOf(`**${severity}**`, place !== '' && place, `(${codeSpan(rule)})`).join(' ');
  return `- ${linesOf(head, prose(message), hint !== undefined && prose(hint)).join('<br>\n  ')}\n`;
}
