import { Composer, CST, Parser, type YAMLParseError } from 'yaml';
import { type Diagnostic, error } from './diagnostic.ts';
import { quoted } from './quoted.ts';
import type { SourceText } from './source.ts';
import { MAX_DEPTH } from './yaml-syntax.ts';

/** Larger files get the first syntax error only: this parser reads about a megabyte a second. */
const MAX_LENGTH = 2 ** 20;

/**
 * All syntax errors of a file, by a parser that goes on after one. At most one a line: what follows on the
 * same line is nearly always the same mistake. Empty where it finds none, or where the file is too large or deep.
 */
export function allSyntaxProblems(source: SourceText): Diagnostic[] {
  if (source.text.length > MAX_LENGTH) return [];
  const tokens = [...new Parser().parse(source.text)];
  if (isTooDeep(tokens)) return [];
  const openings = openingQuotes(tokens);
  const lines = new Set<number>();
  return syntaxErrors(tokens, source.text.length)
    .map((problem) => toDiagnostic(source, problem, openings))
    .filter(({ location }) => {
      const line = location ? source.positionAt(location.start).line : 0;
      return !lines.has(line) && lines.add(line);
    });
}

function syntaxErrors(tokens: readonly CST.Token[], length: number): YAMLParseError[] {
  // Duplicate keys and tags are no syntax, and the composer must not go through the aliases.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const errors: YAMLParseError[] = [];
  for (const document of composer.compose(tokens, true, length)) errors.push(...document.errors);
  return errors.filter(({ code }) => code !== 'BAD_ALIAS' && code !== 'TAG_RESOLVE_FAILED');
}

/** Whether a token lies below the allowed depth. */
function isTooDeep(tokens: readonly CST.Token[]): boolean {
  for (const { depth } of walk(tokens)) if (depth > MAX_DEPTH) return true;
  return false;
}

/**
 * Every token with its depth. Walks with a stack of its own, for the composer, which recurses, overflows on a
 * file nested ~785 deep and can then end the process without an exception.
 */
function* walk(
  tokens: readonly CST.Token[],
): Generator<{ readonly token: CST.Token; readonly depth: number }> {
  const stack = tokens.map((token) => ({ token, depth: 0 }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    yield next;
    const { token, depth } = next;
    for (const child of childrenOf(token)) stack.push({ token: child, depth: depth + 1 });
  }
}

function childrenOf(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value ? [token.value] : [];
  if (!CST.isCollection(token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((child) => child != null));
}

function toDiagnostic(
  source: SourceText,
  problem: YAMLParseError,
  openings: ReadonlyMap<number, number>,
): Diagnostic {
  // Where a quote is missing, the parser points to the end of what it read, often the end of the file.
  const isQuote = problem.code === 'MISSING_CHAR' && /^Missing closing .quote/.test(problem.message);
  const opening = isQuote ? openings.get(problem.pos[0]) : undefined;
  if (opening !== undefined) {
    const location = { source, start: opening, end: opening + 1 };
    return error('yaml-syntax', 'the quote that is opened here is never closed', { location });
  }
  const start = Math.min(problem.pos[0], source.text.length);
  const end = Math.min(Math.max(problem.pos[1], start + 1), source.text.length);
  return error('yaml-syntax', sentenceOf(source, problem, start), { location: { source, start, end } });
}

/** The parser's own words where they help also those who don't know its grammar. */
function sentenceOf({ text }: SourceText, { code, message }: YAMLParseError, start: number): string {
  const missing = /^Flow .* end with a (.)$/.exec(message)?.[1];
  if (missing) {
    return `no ${quoted(missing)} closes the bracket that is opened above, with its lines indented deeper than its key`;
  }
  if (/^All .* same column$/.test(message)) {
    return 'what belongs together must be indented alike; look at this line and those above it';
  }
  // A value with a colon of its own, or one whose next line is indented too far.
  if (code === 'BLOCK_AS_IMPLICIT_KEY' && !/^[^[{\n]*:(?:\s|$)/.test(text.slice(start))) {
    return 'the lines around this one are not indented alike';
  }
  return sentences[code] ?? message.charAt(0).toLowerCase() + message.slice(1);
}

/** Where each quoted text ends, to where its opening quote stands. */
function openingQuotes(tokens: readonly CST.Token[]): ReadonlyMap<number, number> {
  const openings = new Map<number, number>();
  for (const { token } of walk(tokens)) {
    const isQuoted = token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar';
    if (isQuoted) openings.set(token.offset + token.source.length, token.offset);
  }
  return openings;
}

const sentences: Partial<Record<YAMLParseError['code'], string>> = {
  TAB_AS_INDENT: 'indentation is made of spaces, and there is a tab here',
  MULTILINE_IMPLICIT_KEY: 'a key must stand on one line, followed by a colon',
  BLOCK_AS_IMPLICIT_KEY: 'a second colon on this line; put a value that holds a colon in quotes',
  BLOCK_IN_FLOW: "indented entries can't stand inside brackets",
  BAD_DQ_ESCAPE: 'this escape is not known in double quotes; single quotes keep a backslash as it is',
};
