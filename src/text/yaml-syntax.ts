import { Composer, CST, Parser, type YAMLParseError } from 'yaml';
import { type Diagnostic, error, type Problems, type SyntaxMistake } from './diagnostic.ts';
import { problemsIn } from './problem-list.ts';
import { lineAt, type SourceText } from './source.ts';

/** Larger files get the first syntax error only: this parser reads about a megabyte a second. */
const MAX_LENGTH = 2 ** 20;

interface Problem {
  readonly start: number;
  readonly end: number;
  readonly values: Problems['yaml-syntax'];
}

/**
 * All syntax errors of a file in the order of the text, at most one a line: what follows on the same line is nearly
 * always the same mistake. Empty where there is none, or where the file is too large, or nested deeper than `maxDepth`.
 */
export function allSyntaxProblems(source: SourceText, maxDepth: number): readonly Diagnostic[] {
  const { text } = source;
  if (text.length > MAX_LENGTH) return [];
  const tokens = [...new Parser().parse(text)];
  const openings = openingsIn(tokens, maxDepth);
  if (!openings) return [];
  const problems = syntaxErrors(tokens, text.length)
    .map((found) => problemOf(text, found, openings))
    .sort((one, other) => one.start - other.start);
  const tab = problems.find(({ values }) => values.why === 'tab');
  const byLine = new Map<number, Problem>();
  for (const problem of problems) {
    // A tab ends the mapping that it is in, and nothing after it fits.
    if (tab && problem.start > tab.start && followsTab.has(problem.values.why)) continue;
    const { line } = source.positionAt(problem.start);
    // A bracket often stays open only because of what is wrong inside of it.
    const before = byLine.get(line);
    if (!before || before.values.why === 'open-bracket') byLine.set(line, problem);
  }
  return problemsIn(byLine.values(), ({ start, end, values }) => {
    const location = { source, start, end: Math.min(end, text.length) };
    return error('yaml-syntax', values, { location });
  });
}

const followsTab: ReadonlySet<string> = new Set(['indentation', 'key-lines', 'uneven-lines']);

function syntaxErrors(tokens: readonly CST.Token[], length: number): readonly YAMLParseError[] {
  // Duplicate keys and tags are no syntax, and the composer must not go through the aliases.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const errors = [...composer.compose(tokens, true, length)]
    .flatMap((document) => document.errors)
    .filter(({ code }) => code !== 'BAD_ALIAS' && code !== 'TAG_RESOLVE_FAILED');
  // The first of these ends what can be read; all the others only repeat that.
  const isUnread = ({ message }: YAMLParseError) => message.includes('token in YAML stream');
  const firstUnread = errors.find(isUnread);
  return errors.filter((each) => !isUnread(each) || each === firstUnread);
}

/** An error at its place; that of a quote or bracket that is not closed is where it is opened. */
function problemOf(text: string, { code, message, pos }: YAMLParseError, openings: Openings): Problem {
  const start = Math.min(pos[0], text.length);
  const closing = /^(?:Flow .* end with a |Missing closing )(.)/.exec(message)?.[1];
  const opening = closing && lastUpTo(openings[closing] ?? [], start);
  if (closing && typeof opening === 'number') {
    const why = closing === '}' || closing === ']' ? 'open-bracket' : 'open-quote';
    return { start: opening, end: opening + 1, values: { why, character: closing } };
  }
  // A value with a colon of its own, or one whose next line is indented too far.
  const isIndented = code === 'BLOCK_AS_IMPLICIT_KEY' && !/^[^[{\n]*:(?:\s|$)/.test(text.slice(start));
  const why = isIndented ? 'indentation' : mistakes.find(([pattern]) => pattern.test(message))?.[1];
  const words = message.charAt(0).toLowerCase() + message.slice(1);
  const values = why ? { why, character: text.charAt(start) } : ({ why: 'other', words } as const);
  return { start, end: Math.max(pos[1], start + 1), values };
}

/** By the parser's own words. All others are plain. */
const mistakes: readonly (readonly [RegExp, SyntaxMistake])[] = [
  [/^Unexpected flow-\S+-end token/, 'stray-bracket'],
  [/token in YAML stream/, 'unread'],
  [/^Unexpected scalar at node end/, 'quote-inside'],
  [/^Block scalar header/, 'block-head'],
  [/^Plain value cannot start with/, 'first-character'],
  [/^Implicit (?:map )?keys/, 'key-lines'],
  [/^All .* same column$/, 'uneven-lines'],
  [/^Tabs /, 'tab'],
  [/^Nested mappings/, 'second-colon'],
  [/^Block collections/, 'no-comma'],
  [/^Invalid escape/, 'escape'],
  [/YAML version|directive/i, 'directive'],
];

/** Where each quote stands, and each bracket that nothing closes, in the order of the text; by what closes it. */
type Openings = Readonly<Record<string, readonly number[]>>;

/**
 * Undefined where a token lies below the allowed depth. Goes with a stack of its own, for the composer, which
 * recurses, overflows on a file nested ~785 deep and can then end the process without an exception.
 */
function openingsIn(tokens: readonly CST.Token[], maxDepth: number): Openings | undefined {
  const openings: Record<string, number[]> = { '}': [], ']': [], '"': [], "'": [] };
  const stack = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { token, depth } = next;
    if (depth > maxDepth) return undefined;
    if (token.type === 'double-quoted-scalar') openings['"']?.push(token.offset);
    if (token.type === 'single-quoted-scalar') openings["'"]?.push(token.offset);
    if (token.type === 'flow-collection') {
      const closing = token.start.source === '{' ? '}' : ']';
      const isClosed = token.end.some(({ source }) => source === closing);
      if (!isClosed) openings[closing]?.push(token.start.offset);
    }
    for (const child of childrenOf(token)) stack.push({ token: child, depth: depth + 1 });
  }
  for (const starts of Object.values(openings)) starts.sort((one, other) => one - other);
  return openings;
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!CST.isCollection(token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((child) => child != null));
}

/** The last of these ascending offsets that is not behind `offset`. */
function lastUpTo(offsets: readonly number[], offset: number): number | undefined {
  const found = offsets[lineAt(offsets, offset)];
  return found !== undefined && found <= offset ? found : undefined;
}
