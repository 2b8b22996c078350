import type { Catalog, Declared, ItemDeclaration } from '../catalog/model.ts';
import { type Piece, piecesOf, type Template, templatesOf } from '../catalog/template.ts';
import { MAX_TEXT } from '../contract/limits.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import { type Location, partOf } from '../text/source.ts';
import { type Variables, variableProblem } from './variable-problem.ts';

interface Use {
  readonly first: Location;
  count: number;
}

/**
 * The catalog with the values of variables in their places, or everything that keeps them from it: each variable
 * once, at its first place. Without `values` nothing is filled in but `$${`, and no variable is missed.
 */
export function fillIn(catalog: Catalog, values?: Variables): Result<Catalog> {
  const items = new Map<string, Declared<ItemDeclaration>>();
  const uses = new Map<string, Use>();
  const problems: Diagnostic[] = [];
  for (const [key, item] of catalog.items) {
    for (const template of templatesOf(item)) {
      const pieces = piecesOf(template.text);
      countUses(pieces, item, template, uses);
      const text = filled(pieces, values);
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

/** Undefined where a value is missing. What begins like a placeholder and is none never gets here: a rule forbids it. */
function filled(pieces: readonly Piece[], values: Variables | undefined): string | undefined {
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
