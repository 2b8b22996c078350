import { Composer, CST, Parser, type YAMLParseError } from 'yaml';
import { lineAt } from './line-starts.ts';
import { MAX_DEPTH } from './yaml-syntax.ts';

/** A syntax error as the parser that goes on after one tells it. Offsets count into the text that it read. */
export interface YamlError {
  readonly code: YAMLParseError['code'];
  readonly message: string;
  readonly start: number;
  readonly end: number;
  /** Where the quote or bracket stands that is not closed: the parser itself points to the end of what it read. */
  readonly opening?: number;
}

/** In the order of the text; undefined where it is nested too deep. What is left unread after an error is none. */
export function syntaxErrors(text: string): readonly YamlError[] | undefined {
  const tokens = [...new Parser().parse(text)];
  if (isTooDeep(tokens)) return undefined;
  const openings = openingsIn(tokens);
  // Duplicate keys and tags are no syntax, and the composer must not go through the aliases.
  const composer = new Composer({ uniqueKeys: false, prettyErrors: false, logLevel: 'silent' });
  const documents = [...composer.compose(tokens, true, text.length)];
  const errors = documents
    .flatMap((document) => document.errors)
    .filter(({ code }) => code !== 'BAD_ALIAS' && code !== 'TAG_RESOLVE_FAILED')
    .map((problem) => asError(problem, text.length, openings))
    .toSorted((one, other) => beginningOf(one) - beginningOf(other));
  const firstUnread = errors.find(isUnread);
  return errors.filter((each) => !isUnread(each) || each === firstUnread);
}

/** An open quote takes in all that follows; an open bracket ends where something does not belong in it. */
export function beginningOf(found: YamlError): number {
  return missingBracket(found) ? found.start : (found.opening ?? found.start);
}

/** The first of these ends what can be read; all the others only repeat that. */
export function isUnread({ message }: Pick<YamlError, 'message'>): boolean {
  return /token in YAML stream/.test(message);
}

function asError({ code, message, pos }: YAMLParseError, length: number, openings: Openings): YamlError {
  const start = Math.min(pos[0], length);
  const end = Math.min(Math.max(pos[1], start + 1), length);
  const isQuote = code === 'MISSING_CHAR' && /^Missing closing .quote/.test(message);
  const bracket = missingBracket({ message });
  const opening = isQuote
    ? openings.quotes.get(start)
    : bracket === undefined
      ? undefined
      : lastUpTo(openings.brackets[bracket] ?? [], start);
  return { code, message, start, end, ...(opening !== undefined && { opening }) };
}

/** The last of these ascending offsets that is not behind `offset`. */
function lastUpTo(offsets: readonly number[], offset: number): number | undefined {
  const found = offsets[lineAt(offsets, offset)];
  return found !== undefined && found <= offset ? found : undefined;
}

/** The closing bracket that the parser misses. */
export function missingBracket({ message }: Pick<YamlError, 'message'>): string | undefined {
  return /^Flow .* end with a (.)$/.exec(message)?.[1];
}

interface Openings {
  /** Where each quoted text ends, to where its opening quote stands. */
  readonly quotes: ReadonlyMap<number, number>;
  /** By the bracket that is missing: where those stand that nothing closes, in the order of the text. */
  readonly brackets: Readonly<Record<string, readonly number[]>>;
}

function openingsIn(tokens: readonly CST.Token[]): Openings {
  const quotes = new Map<number, number>();
  const brackets: Record<string, number[]> = { '}': [], ']': [] };
  for (const { token } of walk(tokens)) {
    const isQuoted = token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar';
    if (isQuoted) quotes.set(token.offset + token.source.length, token.offset);
    if (token.type !== 'flow-collection') continue;
    const closing = token.start.source === '{' ? '}' : ']';
    const isClosed = token.end.some(({ source }) => source === closing);
    if (!isClosed) brackets[closing]?.push(token.start.offset);
  }
  for (const starts of Object.values(brackets)) starts.sort((one, other) => one - other);
  return { quotes, brackets };
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
