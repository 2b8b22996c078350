import { CST, isCollection, isMap, isScalar, isSeq, Lexer, parseDocument } from 'yaml';

/** Where an entry of a block begins. */
interface Entry {
  readonly path: string;
  readonly parent: string;
  readonly start: number;
  readonly column: number;
  /** Behind its value, where that is no block of entries. */
  readonly end: number | undefined;
}

/**
 * The comments that belong to something else in `after`, which is `before` with another order and indent, or are lost.
 * One above the first entry of a block may since begin the block, where a blank line follows it.
 */
export function misplacedComments(before: string, after: string): readonly string[] {
  const [old, now] = [commentPlaces(before), commentPlaces(after)];
  const isKept = (place: string) =>
    now.includes(place) || now.includes(place.replace(/ above ([^ ]*)\/[^/]*$/, ' head $1'));
  const lost = old.filter((place) => !isKept(place));
  return old.length === now.length ? lost : [...lost, `${old.length} comments, now ${now.length}`];
}

/** Every comment with the entry that it stands beside or above, or the one that it is in, by its column. */
function commentPlaces(written: string): readonly string[] {
  const text = written.replace(/^\ufeff/, '').replaceAll(/\r\n?/g, '\n');
  const entries = entriesOf(text).toSorted((one, other) => one.start - other.start);
  let gap: Gap = { last: undefined, column: Number.POSITIVE_INFINITY };
  return commentsOf(text).map(({ start, comment }) => {
    const last = entries.findLast((each) => each.start < start);
    const line = text.slice(start - columnOf(text, start), start);
    const isBeside = line.trim() !== '' && !line.startsWith('...');
    const isInside = isBeside || start < (last?.end ?? 0);
    const column = isInside ? Number.POSITIVE_INFINITY : columnOf(text, start);
    gap = { last, column: gap.last === last ? Math.min(gap.column, column) : column };
    return `${comment.trim()} ${isBeside ? `beside ${last?.path}` : placeOf(text, start, entries, gap)}`;
  });
}

/** What comments between two entries belong to: a comment ends what is further in than itself. */
interface Gap {
  readonly last: Entry | undefined;
  readonly column: number;
}

function placeOf(text: string, start: number, entries: readonly Entry[], { last, column }: Gap): string {
  const next = entries.find((each) => each.start > start);
  if (/^\.\.\./m.test(text.slice(last?.end ?? 0, start))) return 'behind the end';
  if (last?.end !== undefined && start < last.end) return `inside ${last.path}`;
  if (next && (!last || column <= next.column || next.parent === last.path)) {
    const isFirst = !last || next.parent === last.path;
    return isFirst && isHead(text, start, next) ? `head ${next.parent}` : `above ${next.path}`;
  }
  const owner = entries.findLast((each) => each.start < start && each.column <= column);
  if (!owner) return 'in ';
  return `in ${column > owner.column ? owner.path : owner.parent}`;
}

/** What a block or a file begins with: with a blank line between it and the first entry, a mark, or an anchor. */
function isHead(text: string, start: number, next: Entry): boolean {
  const between = text.slice(start, next.start - next.column);
  return /^[ \t]*$|^---|^ *[&!]|^# yaml-language-server/m.test(between.replace(/\n$/, ''));
}

function commentsOf(text: string): { start: number; comment: string }[] {
  const comments: { start: number; comment: string }[] = [];
  let at = 0;
  let isContent = false;
  for (const lexeme of new Lexer().lex(text)) {
    const type = CST.tokenType(lexeme);
    if (type === 'scalar' || type === 'doc-mode' || type === 'flow-error-end') {
      isContent = type === 'scalar';
      continue;
    }
    if (!isContent && type === 'comment') comments.push({ start: at, comment: lexeme });
    isContent = false;
    at += lexeme.length;
  }
  return comments;
}

function entriesOf(text: string): readonly Entry[] {
  const entries: Entry[] = [];
  const add = (start: number | undefined, parent: string, key: unknown, value: unknown): void => {
    if (start === undefined) return;
    const path = `${parent}/${String(key)}`;
    const isBlock = isCollection(value) && !value.flow;
    const end = isBlock ? undefined : ((value as { range?: readonly number[] } | null)?.range?.[1] ?? start);
    entries.push({ path, parent, start, column: columnOf(text, start), end });
    walk(value, path);
  };
  const walk = (node: unknown, path: string): void => {
    if (!isCollection(node) || node.flow) return;
    const tokens = CST.isCollection(node.srcToken) ? node.srcToken.items : [];
    if (isMap(node))
      for (const { key, value } of node.items)
        if (isScalar(key)) add(key.range?.[0], path, key.source ?? key.value, value);
        else add((key as { range?: number[] }).range?.[0], path, String(key), value);
    if (isSeq(node))
      for (const [index, item] of node.items.entries())
        add(tokens[index]?.start.find(({ type }) => type === 'seq-item-ind')?.offset, path, index, item);
  };
  walk(parseDocument(text, { keepSourceTokens: true, uniqueKeys: false }).contents, '');
  return entries;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}
