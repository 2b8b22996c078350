import equal from 'fast-deep-equal';
import {
  Composer,
  CST,
  type Document,
  isAlias,
  isCollection,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  type Scalar,
  type ScalarTag,
  type Tags,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { type Path, type SchemaNode, schemaAt } from './schema-path.ts';
import { SourceText } from './source.ts';
import { parseYaml } from './yaml.ts';

/** A text that is written on several lines is broken here; what is written on one stays there. */
const LINE_WIDTH = 80;
const WIDE = { lineWidth: 0 } as const;
type Write = NonNullable<ScalarTag['stringify']>;

/** What a file begins with is no entry's: its schema, and comments with a blank line below. */
const HEAD = /^(?:# yaml-language-server:[^\n]*\n)?(?:(?:[ \t]*(?:#[^\n]*)?\n)*[ \t]*\n)?/;

interface Edited {
  /** What the new text has to mean; default: what `text` means. */
  readonly value?: unknown;
  /** Whether comments may go, with what they belong to. */
  readonly losesComments?: boolean;
}

/**
 * The text of a YAML document after `change`, in the one form that files have: two blanks a level, comments with what
 * they belong to, values as they were written. Undefined where that can't be done safely: where the new text would not
 * mean what it should, or would lose a comment. `text` must be without problems (so it is not nested deeply). Lines end
 * as the first one does.
 */
export function editYaml(
  text: string,
  change: (document: Document) => void,
  { value = valueIn(text), losesComments = false }: Edited = {},
): string | undefined {
  const lines = text.replaceAll(/\r\n?/g, '\n');
  const [head = ''] = HEAD.exec(lines) ?? [];
  const document = documentOf(lines.slice(head.length));
  if (!document) return undefined;
  change(document);
  const written = settled(writtenOut(document));
  if (written === undefined) return undefined;
  const edited = head + written;
  if (!equal(valueIn(edited), value)) return undefined;
  if (!losesComments && !keepsComments(lines, edited)) return undefined;
  return /^[^\n]*\r\n/.test(text) ? edited.replaceAll('\n', '\r\n') : edited;
}

/** Blank lines between comments may need several times to come to rest. Undefined if they don't. */
function settled(written: string | undefined, passes = 4): string | undefined {
  const document = written === undefined || passes === 0 ? undefined : documentOf(written);
  const again = document && writtenOut(document);
  return again === written ? written : settled(again, passes - 1);
}

/** What a YAML text means; undefined where it has problems. */
export function valueIn(text: string): unknown {
  return parseYaml(new SourceText('', text)).document?.value;
}

/**
 * The text in the one form that all files have, with the keys of its schema in the order in which that lists them.
 * Undefined where it can't be formatted safely. `text` is one YAML document without problems.
 */
export function formatYaml(text: string, schema: SchemaNode): string | undefined {
  if (valueIn(text) === null) return text;
  return editYaml(text, ({ contents }) => sortKeys(contents, [], schema));
}

function sortKeys(node: unknown, path: Path, schema: SchemaNode): void {
  if (isSeq(node)) for (const [at, item] of node.items.entries()) sortKeys(item, [...path, at], schema);
  if (!isMap(node)) return;
  sortPairs(node, Object.keys(schemaAt(schema, path).properties ?? {}));
  for (const { key, value } of node.items)
    if (isScalar(key)) sortKeys(value, [...path, String(key.value)], schema);
}

/** A mapping with other keys keeps its order: it is that of a user. */
function sortPairs(map: YAMLMap, names: readonly string[]): void {
  const rank = ({ key }: Pair) => ['<<', ...names].indexOf(isScalar(key) ? String(key.value) : '');
  if (map.items.some((pair) => rank(pair) === -1)) return;
  const [first] = map.items as Pair<Scalar>[];
  map.items.sort((one, other) => rank(one) - rank(other));
  const [newFirst] = map.items as Pair<Scalar>[];
  if (!first || !newFirst || first === newFirst) return;
  // A block does not begin with a blank line; the one above an entry goes to the one that was the first.
  first.key.spaceBefore = newFirst.key.spaceBefore ?? false;
  newFirst.key.spaceBefore = false;
}

/** Undefined where there is nothing in it, or what only js-yaml takes. */
function documentOf(text: string): Document | undefined {
  const tokens = [...new Parser().parse(text)];
  for (const token of tokens) if (token.type === 'document') moveOutdented(token.value);
  // Without types, a scalar is the text that stands there.
  const composer = new Composer({
    schema: 'failsafe',
    customTags,
    keepSourceTokens: true,
    uniqueKeys: false,
  });
  const [document] = composer.compose(tokens);
  if (!document?.contents || document.errors.length > 0) return undefined;
  const { contents } = document;
  if (isCollection(contents) && contents.items.length > 0) contents.flow = false;
  visit(document, { Pair: (_, pair) => placeComments(pair), Collection: (_, each) => layOut(each, text) });
  return document;
}

/** What stands behind a block, a blank line or comments that are indented less, belongs to what follows. */
function moveOutdented(parent: CST.Token | null | undefined): void {
  if (parent?.type !== 'block-map' && parent?.type !== 'block-seq') return;
  const items: { start: CST.SourceToken[]; value?: CST.Token }[] = parent.items;
  for (const [at, { value }] of items.entries()) {
    moveOutdented(value);
    if (value?.type !== 'block-map' && value?.type !== 'block-seq') continue;
    const last = value.items.at(-1);
    if (!last || last.key || last.sep || last.value) continue;
    const outdented = last.start.findIndex(({ type, indent }) => type === 'comment' && indent < value.indent);
    const behind = last.start.findLastIndex(({ type }) => type === 'comment') + 1;
    // A comment ends with the first line break behind it.
    const moved = last.start.splice(outdented === -1 ? behind + Math.min(behind, 1) : outdented);
    const next = items[at + 1];
    if (next) next.start.unshift(...moved);
    else items.push({ start: moved });
  }
}

/** One beside a key stays there, and one above the first entry of a block is that entry's. */
function placeComments({ key, value, srcToken }: Pair): void {
  if (!isScalar(key) || !isNode(value) || isAlias(value)) return;
  const entry = firstOf(value);
  // A block begins without a blank line.
  if (entry) value.spaceBefore = entry.spaceBefore = false;
  const isEmpty = isScalar(value) && value.source === '';
  const comment = isEmpty ? value.comment : value.commentBefore;
  if (!comment) return;
  value.comment = isEmpty ? null : (value.comment ?? null);
  value.commentBefore = null;
  const tokens = srcToken?.sep?.map(({ type }) => type) ?? [];
  const isBeside = !tokens.slice(0, tokens.indexOf('comment')).includes('newline');
  const [first = '', ...others] = comment.split('\n');
  if (isBeside) key.comment = first;
  const above = isBeside ? others.join('\n') : comment;
  const owner = entry ?? value;
  if (above !== '') owner.commentBefore = owner.commentBefore ? `${above}\n${owner.commentBefore}` : above;
}

/** What a block begins with. */
function firstOf(value: Node): Node | undefined {
  if (!isCollection(value) || value.flow) return undefined;
  const [first] = value.items;
  const node = isPair(first) ? first.key : first;
  return isNode(node) ? node : undefined;
}

/** Brackets stand on one line, those of a list without blanks inside; what takes several lines is a block. */
function layOut(collection: YAMLMap | YAMLSeq, text: string): void {
  const [start = 0, end = 0] = collection.range ?? [];
  if (collection.items.length > 0 && text.slice(start, end).includes('\n')) collection.flow = false;
  const write = collection.toString.bind(collection);
  const flowCollectionPadding = isMap(collection) ? ' ' : '';
  collection.toString = (context, ...rest) =>
    write(context && { ...context, flowCollectionPadding }, ...rest);
}

function customTags(tags: Tags): Tags {
  return tags.map((tag) =>
    typeof tag === 'object' && !Array.isArray(tag) && tag.stringify
      ? { ...tag, stringify: asWritten(tag.stringify) }
      : tag,
  );
}

/** A text on one line keeps its quotes and escapes. */
function asWritten(write: Write): Write {
  return (item, context, ...rest) => {
    const { srcToken } = item as Scalar.Parsed;
    if (!srcToken) return write(item, context, ...rest);
    if (CST.isScalar(srcToken) && srcToken.type !== 'block-scalar' && !srcToken.source.includes('\n'))
      return srcToken.source;
    return write(item, { ...context, options: { ...context.options, lineWidth: LINE_WIDTH } }, ...rest);
  };
}

/** Undefined where an alias would come before its anchor. */
function writtenOut(document: Document): string | undefined {
  try {
    return document.toString(WIDE);
  } catch {
    return undefined;
  }
}

function keepsComments(before: string, after: string): boolean {
  const wanted = commentsIn(before);
  let kept = 0;
  for (const comment of commentsIn(after)) if (comment === wanted[kept]) kept++;
  return kept === wanted.length;
}

/** In the order of the alphabet. */
function commentsIn(text: string): readonly string[] {
  const comments: string[] = [];
  let before = '';
  for (const lexeme of new Lexer().lex(text)) {
    // What follows the mark of a scalar is its text.
    if (CST.tokenType(before) !== 'scalar' && lexeme.startsWith('#')) comments.push(lexeme.trimEnd());
    before = lexeme;
  }
  return comments.sort();
}
