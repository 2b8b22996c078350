import { type Diagnostic, error } from './diagnostic.ts';
import { problemsIn } from './problem-list.ts';
import { SourceText } from './source.ts';
import { beginningOf, syntaxErrors, type YamlError } from './yaml-errors.ts';
import type { Mend } from './yaml-mend.ts';
import { mendsNear } from './yaml-mends.ts';
import { sentenceOf } from './yaml-sentence.ts';

/** Larger files get the first syntax error only: this parser reads about a megabyte a second. */
const MAX_LENGTH = 2 ** 20;

/** Nobody makes more slips in one file; where there are more errors it is something else. */
const MOST_SLIPS = 20;
/** Characters that are read at most to find out what was meant, which is about as many microseconds. */
const MAX_READ = 2 ** 20;

/**
 * All syntax errors of a file. One slip makes a parser complain several times, often below the place: so what was
 * probably meant is tried, and what is then still wrong is another problem. At most one a line: what follows on the
 * same line is nearly always the same mistake. Empty where there is none, or where the file is too large or deep.
 */
export function allSyntaxProblems(source: SourceText): readonly Diagnostic[] {
  if (source.text.length > MAX_LENGTH) return [];
  const errors = syntaxErrors(source.text);
  if (!errors) return [];
  const problems: Problem[] = [];
  let reading: Reading = { text: source, errors };
  let unread = errors.length > MOST_SLIPS ? 0 : MAX_READ;
  // Those before it are told as they are.
  for (let at = 0; at < reading.errors.length && unread > 0; ) {
    const trial = bestOf(reading, at, unread);
    unread -= trial.read;
    if (trial.best) {
      problems.push(trial.best.problem);
      reading = trial.best.reading;
    } else at++;
  }
  const all = onePerLine([...problems, ...reading.errors.map((each) => asProblem(reading.text, each))]);
  return problemsIn(all, (each) => () => toDiagnostic(source, each));
}

interface Reading {
  readonly text: SourceText;
  readonly errors: readonly YamlError[];
}

/** Line and columns, which stay true however other lines are changed. */
type Problem = Pick<Mend, 'line' | 'start' | 'end' | 'message'>;

interface Tried {
  readonly mend: Mend;
  readonly reading: Reading;
}

/** The change near an error after which a parser gets furthest; none where it stops at that line again. */
function bestOf(reading: Reading, at: number, unread: number) {
  const { text, errors } = reading;
  const found = errors[at];
  if (!found) throw new Error('There is no such error.');
  const lines = text.text.split('\n');
  const before = { line: text.positionAt(beginningOf(found)).line, left: errors.length };
  let best = before;
  let tried: Tried[] = [];
  let read = 0;
  for (const mend of mendsNear(lines, placed(text, found))) {
    read += text.text.length;
    if (read > unread) break;
    const next = mended(reading, lines, mend);
    if (!next) continue;
    const reached = reachedBy(next, at);
    if (isBetter(best, reached) || !isBetter(reached, before)) continue;
    if (isBetter(reached, best)) tried = [];
    best = reached;
    tried.push({ mend, reading: next });
    if (reached.left === 0 && !mend.isIndent) break;
  }
  const [first] = tried;
  if (!first) return { read };
  const isCertain = !first.mend.isIndent || tried.every(({ mend }) => mend.line === first.mend.line);
  return { read, best: { reading: first.reading, problem: isCertain ? first.mend : asProblem(text, found) } };
}

function mended({ text }: Reading, lines: readonly string[], mend: Mend): Reading | undefined {
  const changed = lines.map((line, index) => mend.lines.get(index) ?? line).join('\n');
  const errors = syntaxErrors(changed);
  return errors && { text: new SourceText(text.path, changed), errors };
}

interface Reached {
  /** Of the next error. */
  readonly line: number;
  readonly left: number;
}

function reachedBy({ text, errors }: Reading, at: number): Reached {
  const next = errors[at];
  return {
    line: next ? text.positionAt(beginningOf(next)).line : Number.POSITIVE_INFINITY,
    left: errors.length,
  };
}

/** Beyond an error that ends the reading there may be others, so their number alone says nothing. */
function isBetter(one: Reached, other: Reached): boolean {
  return one.line > other.line || (one.line === other.line && one.left < other.left);
}

function placed(text: SourceText, found: YamlError) {
  const { line } = text.positionAt(found.start);
  if (found.opening === undefined) return { ...found, line: line - 1 };
  const opened = text.positionAt(found.opening);
  return { ...found, line: line - 1, opened: { line: opened.line - 1, column: opened.column - 1 } };
}

function asProblem(text: SourceText, found: YamlError): Problem {
  const start = found.opening ?? found.start;
  const from = text.positionAt(start);
  const to = found.opening === undefined ? found.end - start : 1;
  const column = from.column - 1;
  return { line: from.line - 1, start: column, end: column + to, message: sentenceOf(text, found) };
}

function onePerLine(problems: readonly Problem[]): readonly Problem[] {
  const lines = new Map<number, Problem>();
  for (const problem of problems) if (!lines.has(problem.line)) lines.set(problem.line, problem);
  return [...lines.values()].toSorted((one, other) => one.line - other.line);
}

function toDiagnostic(source: SourceText, { line, start, end, message }: Problem): Diagnostic {
  const from = source.offsetOf(line + 1);
  const location = { source, start: from + start, end: Math.min(from + end, source.text.length) };
  return error('yaml-syntax', message, { location });
}
