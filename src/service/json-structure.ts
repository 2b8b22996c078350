import type { FieldProblem } from './refusal.ts';

/** Levels of objects and lists in a body. The deepest documented one has 3. */
const maxDepth = 32;
/** Problems that are told of one body, and characters of a key that are repeated in one. */
const maxProblems = 10;
const maxShownKey = 100;

/**
 * What `JSON.parse` takes in silence and a service should not: a key that is given twice in one object (the
 * first value would be lost), and nesting beyond 32 levels. `text` must be valid JSON.
 */
export function structureProblems(text: string): FieldProblem[] {
  const problems: FieldProblem[] = [];
  const stack: Level[] = [];
  for (let at = 0; at < text.length && problems.length < maxProblems; at += 1) {
    const level = stack.at(-1);
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (level?.keys && level.expectsKey) problems.push(...takeKey(level, text.slice(at, end + 1), stack));
      at = end;
    } else if (character === '{' || character === '[') {
      if (stack.length === maxDepth)
        return [{ field: '', message: `is nested over ${maxDepth} levels deep` }];
      stack.push({ keys: character === '{' ? new Set() : undefined, expectsKey: true, step: '', index: 0 });
    } else if (character === '}' || character === ']') stack.pop();
    else if (character === ',' && level) {
      level.expectsKey = true;
      level.index += 1;
    }
  }
  return problems;
}

/** Where the string that begins at `start` has its closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
}

function takeKey(level: Level, literal: string, stack: readonly Level[]): FieldProblem[] {
  // An escape can spell a key in another way: "\u0061" is "a".
  const key: string = literal.includes('\\') ? JSON.parse(literal) : literal.slice(1, -1);
  level.expectsKey = false;
  level.step = key.slice(0, maxShownKey);
  if (!level.keys?.has(key)) {
    level.keys?.add(key);
    return [];
  }
  return [{ field: placeOf(stack), message: 'is given twice' }];
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
