import { type Document, isMap, isScalar, type Pair, stringify, type YAMLMap } from 'yaml';
import { type Edit, endOf, endOfLine, type Section, sectionEdits } from './yaml-edits.ts';

/** What becomes of the mapping at the top of a document; names are its keys. */
export interface TopLevelChange {
  /** Each takes the place of the value that is there; those that are new follow the last of the others. */
  readonly values: readonly (readonly [key: string, value: string])[];
  readonly sections: readonly Section[];
  readonly removed: readonly string[];
  /** Made a comment, below a line that says why. */
  readonly silenced: readonly Remark[];
  /** A line above each that is there. */
  readonly comments: readonly Remark[];
}

interface Remark {
  readonly name: string;
  readonly comment: string;
}

/** The edits for a change that touch nothing else; undefined where the text has no place for one of them. */
export function topLevelEdits(
  document: Document,
  text: string,
  { values, sections, removed, silenced, comments }: TopLevelChange,
): readonly Edit[] | undefined {
  const root = document.contents;
  if (!isMap(root) || root.flow) return undefined;
  const edits = [
    ...removed.map((name) => forPair(root, name, (pair) => wholeLines(text, pair, ''))),
    ...silenced.map(({ name, comment }) =>
      forPair(root, name, (pair) => wholeLines(text, pair, `# ${comment}\n${silencedLines(text, pair)}`)),
    ),
    ...comments.map(({ name, comment }) => forPair(root, name, (pair) => lineAbove(text, pair, comment))),
    ...values.map(([name, value]) => forPair(root, name, (pair) => valueEdit(pair, value))),
    ...sections.map((section) => sectionEdits(document, text, section)),
    newLines(root, text, values),
  ];
  return edits.includes(undefined) ? undefined : edits.flatMap((each) => each ?? []);
}

/** No edits where there is no such key. */
function forPair(
  root: YAMLMap,
  name: string,
  edit: (pair: Pair) => Edit | undefined,
): readonly Edit[] | undefined {
  const pair = pairNamed(root, name);
  const made = pair && edit(pair);
  if (!pair) return [];
  return made && [made];
}

function valueEdit({ value }: Pair, wanted: string): Edit | undefined {
  if (!isScalar(value) || !value.range) return undefined;
  return { start: value.range[0], end: value.range[1], text: plain(wanted) };
}

function newLines(
  root: YAMLMap,
  text: string,
  values: TopLevelChange['values'],
): readonly Edit[] | undefined {
  const added = values.filter(([name]) => !pairNamed(root, name));
  if (added.length === 0) return [];
  const lines = added.map(([name, value]) => `${name}: ${plain(value)}`);
  const last = values.flatMap(([name]) => pairNamed(root, name) ?? []).at(-1);
  if (last) {
    const behind = endOfLine(text, endOf(last) ?? 0);
    return [{ start: behind, end: behind, text: lines.map((line) => `\n${line}`).join('') }];
  }
  const [first] = root.items;
  const start = first && startOf(text, first);
  return start === undefined
    ? undefined
    : [{ start, end: start, text: lines.map((line) => `${line}\n`).join('') }];
}

/** The lines on which a pair stands, with the break behind them. */
function wholeLines(text: string, pair: Pair, wanted: string): Edit | undefined {
  const [start, end] = [startOf(text, pair), endOf(pair)];
  if (start === undefined || end === undefined) return undefined;
  return { start, end: Math.min(text.length, text.indexOf('\n', end - 1) + 1 || text.length), text: wanted };
}

function silencedLines(text: string, pair: Pair): string {
  const lines = wholeLines(text, pair, '');
  if (!lines) return '';
  const written = text.slice(lines.start, lines.end).replaceAll('\r\n', '\n').trimEnd();
  return `${written.replaceAll(/^/gm, '# ')}\n`;
}

function lineAbove(text: string, pair: Pair, comment: string): Edit | undefined {
  const start = startOf(text, pair);
  return start === undefined ? undefined : { start, end: start, text: `# ${comment}\n` };
}

/** Where its line begins; undefined where something else stands before it there. */
function startOf(text: string, { key }: Pair): number | undefined {
  if (!isScalar(key) || !key.range) return undefined;
  const [at] = key.range;
  return at === 0 || text[at - 1] === '\n' ? at : undefined;
}

function pairNamed(root: YAMLMap, name: string): Pair | undefined {
  return root.items.find(({ key }) => isScalar(key) && key.value === name);
}

function plain(value: string): string {
  return stringify(value, { lineWidth: 0 }).trimEnd();
}
