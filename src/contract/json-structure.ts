/** What a JSON text may have at most: levels of objects and lists, and values. */
interface Bounds {
  readonly levels: number;
  readonly values?: number;
}

/** Of a body. The deepest documented one has 3 levels. */
export const BODY_BOUNDS = { levels: 32 };
/** Of a file that Trove writes: more than the records of any team, and little enough to be parsed anywhere. */
export const FILE_BOUNDS = { levels: 200, values: 2 ** 23 };
/** Problems that are reported of one body, and characters of a key that are repeated in one. */
const MOST_PROBLEMS = 10;
const MOST_OF_A_KEY = 100;

/** One problem of a JSON text: where (`itemAttributes[0].min`, `id`), and what, to be read after that. */
export interface StructureProblem {
  readonly field: string;
  readonly message: string;
}

/**
 * What `JSON.parse` accepts and neither side of the interface should: a key that one object has twice (the first
 * value would be lost), and nesting beyond 32 levels. `text` must be valid JSON.
 */
export function structureProblems(text: string): readonly StructureProblem[] {
  if (exceeds(text, BODY_BOUNDS))
    return [{ field: '', message: `is nested over ${BODY_BOUNDS.levels} levels deep` }];
  const problems: StructureProblem[] = [];
  for (const field of repeatedIn(text)) {
    problems.push({ field, message: 'is given twice' });
    if (problems.length === MOST_PROBLEMS) break;
  }
  return problems;
}

/** True for a text, JSON or not, that has more: `JSON.parse` would take gigabytes before anybody could look. */
export function exceeds(text: string, { levels, values = Number.POSITIVE_INFINITY }: Bounds): boolean {
  let [depth, count] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    const isOpening = character === '{' || character === '[';
    if (character === '"') at = endOfString(text, at);
    else if (isOpening) depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
    if (isOpening || character === ',') count += 1;
    if (depth > levels || count > values) return true;
  }
  return false;
}

/** A loop, not a regular expression: those keep a stack of their own, which a string of some megabytes exhausts. */
function* repeatedIn(text: string): Generator<string> {
  const stack: Level[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const level = stack.at(-1);
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at) + 1;
      if (level?.keys && level.expectsKey && takeKey(level, text.slice(at, end))) yield placeOf(stack);
      at = end - 1;
    } else if (character === '{' || character === '[') {
      stack.push({ keys: character === '{' ? new Set() : undefined, expectsKey: true, step: '', index: 0 });
    } else if (character === '}' || character === ']') stack.pop();
    else if (character === ',' && level) {
      level.expectsKey = true;
      level.index += 1;
    }
  }
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

/** True for a key that the object has had before. */
function takeKey(level: Level, literal: string): boolean {
  const key = unescaped(literal);
  level.expectsKey = false;
  level.step = key.slice(0, MOST_OF_A_KEY);
  const isRepeated = level.keys?.has(key) ?? false;
  level.keys?.add(key);
  return isRepeated;
}

/** An escape can spell a key in another way: "\u0061" is "a". */
function unescaped(literal: string): string {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal);
  } catch {
    // The text turns out not to be JSON.
    return literal;
  }
}

function placeOf(stack: readonly Level[]): string {
  return stack
    .map(({ keys, step, index }) => (keys ? `.${step}` : `[${index}]`))
    .join('')
    .replace(/^\./, '');
}

/** An object or a list around the present place, with the way to that. */
interface Level {
  /** Of an object, its keys so far. */
  readonly keys: Set<string> | undefined;
  expectsKey: boolean;
  step: string;
  index: number;
}
