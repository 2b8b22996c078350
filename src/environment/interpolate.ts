import type { Catalog, Declared, ItemDeclaration } from '../catalog/model.ts';
import { type Piece, piecesOf, type Template, templatesOf } from '../catalog/template.ts';
import { MAX_TEXT } from '../contract/limits.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import { type Location, partOf } from '../text/source.ts';
import type { Variables } from './credentials.ts';

interface Use {
  readonly first: Location;
  count: number;
}

/**
 * The catalog with the values of variables in place of `${NAME}`, or every problem with them: each variable once, at
 * its first place. Without `values` only `$${` is replaced, and no variable is missing.
 */
export function interpolate(catalog: Catalog, values?: Variables): Result<Catalog> {
  const items = new Map<string, Declared<ItemDeclaration>>();
  const uses = new Map<string, Use>();
  const problems: Diagnostic[] = [];
  for (const [key, item] of catalog.items) {
    for (const template of templatesOf(item)) {
      const pieces = piecesOf(template.text);
      countUses(pieces, item, template, uses);
      const text = interpolated(pieces, values);
      if (text === undefined) continue;
      const problem = tooLong(text, item, template);
      if (problem) problems.push(problem);
      const { declaration } = items.get(key) ?? item;
      items.set(key, { ...item, declaration: { ...declaration, [template.field]: text } });
    }
  }
  for (const [name, { first, count }] of uses) {
    const problem = values && variableProblem(name, count, values);
    if (problem) problems.push({ ...problem, location: first });
  }
  if (problems.length > 0) return failure(...sortDiagnostics(problems));
  return success(items.size === 0 ? catalog : { ...catalog, items: new Map([...catalog.items, ...items]) });
}

function countUses(
  pieces: readonly Piece[],
  item: Declared<ItemDeclaration>,
  { field }: Template,
  uses: Map<string, Use>,
): void {
  for (const piece of pieces) {
    if (piece.kind !== 'variable') continue;
    const known = uses.get(piece.name);
    if (known) known.count++;
    else {
      const place = item.document.locate([...item.path, field]);
      uses.set(piece.name, { first: partOf(place, `\${${piece.name}}`), count: 1 });
    }
  }
}

/** Undefined if a value is missing. Malformed placeholders never get here: a rule forbids them. */
function interpolated(pieces: readonly Piece[], values: Variables | undefined): string | undefined {
  const texts = pieces.map((piece) => {
    if (piece.kind === 'text') return piece.text;
    return piece.kind === 'variable' ? values?.[piece.name] || undefined : undefined;
  });
  return texts.includes(undefined) ? undefined : texts.join('');
}

function tooLong(text: string, item: Declared<ItemDeclaration>, { field }: Template): Diagnostic | undefined {
  const length = [...text].length;
  if (length <= MAX_TEXT) return undefined;
  const message = `\`${field}\` has ${length} characters once it is filled in, and at most ${MAX_TEXT} are allowed`;
  return error('text-length', message, { location: item.document.locate([...item.path, field]) });
}

/** Why the value of a variable can't become part of a catalog text; it is never shown. `count`: how often it is used. */
function variableProblem(name: string, count: number, values: Variables): Diagnostic | undefined {
  const shown = quoted(name);
  const value = values[name];
  const also = count > 1 ? `; it is used ${count} times` : '';
  if (!value) {
    const state = value === '' ? 'empty' : 'not set';
    const hint = `export ${name}=VALUE before this command${also}`;
    return error('unset-variable', `the variable ${shown} is ${state}`, { hint });
  }
  const stray = /\p{Cc}/u.test(value) ? 'a control character' : value.includes('${') ? '`${`' : undefined;
  if (stray === undefined) return undefined;
  const hint = `look at how it is set${also}`;
  return error('unusable-variable', `the value of ${shown} holds ${stray}, so it is not filled in`, { hint });
}
