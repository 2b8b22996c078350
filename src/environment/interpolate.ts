import type { Catalog, Declared, ItemDeclaration } from '../catalog/model.ts';
import { PLACEHOLDER, templatesOf } from '../catalog/template.ts';
import { MAX_TEXT } from '../contract/api.ts';
import { type Diagnostic, error, failure, type Result, success } from '../text/diagnostic.ts';
import { sortDiagnostics } from '../text/problem-list.ts';
import { type Location, partOf } from '../text/source.ts';
import type { Variables } from './credentials.ts';

/**
 * The catalog with the values of variables in place of `${NAME}`, or every problem with them: each variable once, at
 * its first place. Without `values` only `$${` is replaced, and no variable is missing.
 */
export function interpolate(catalog: Catalog, values?: Variables): Result<Catalog> {
  const items = new Map<string, Declared<ItemDeclaration>>();
  const uses = new Map<string, { readonly first: Location; count: number }>();
  const problems: Diagnostic[] = [];
  for (const [key, item] of catalog.items) {
    for (const { field, text } of templatesOf(item)) {
      const location = item.document.locate([...item.path, field]);
      for (const [written, name] of text.matchAll(PLACEHOLDER)) {
        if (name === undefined) continue;
        const use = uses.get(name) ?? { first: partOf(location, written), count: 0 };
        use.count++;
        uses.set(name, use);
      }
      const filled = filledIn(text, values);
      if (filled === undefined) continue;
      problems.push(...tooLong(filled, field, location));
      const { declaration } = items.get(key) ?? item;
      items.set(key, { ...item, declaration: { ...declaration, [field]: filled } });
    }
  }
  for (const [name, { first, count }] of uses) {
    const problem = values && variableProblem(name, count, values);
    if (problem) problems.push({ ...problem, location: first });
  }
  if (problems.length > 0) return failure(...sortDiagnostics(problems));
  return success(items.size === 0 ? catalog : { ...catalog, items: new Map([...catalog.items, ...items]) });
}

/** Undefined if a value is missing, or if the text is malformed, which a rule forbids. */
function filledIn(text: string, values: Variables | undefined): string | undefined {
  let isWhole = true;
  const filled = text.replace(PLACEHOLDER, (written: string, name: string | undefined) => {
    const value = written === '$${' ? '${' : name && values?.[name];
    if (!value) isWhole = false;
    return value || '';
  });
  return isWhole ? filled : undefined;
}

function tooLong(text: string, field: string, location: Location): Diagnostic[] {
  const length = [...text].length;
  if (length <= MAX_TEXT) return [];
  return [error('text-length', { of: field, length, most: MAX_TEXT, isFilledIn: true }, { location })];
}

/** Why the value of a variable can't become part of a catalog text; it is never shown. `count`: how often it is used. */
function variableProblem(variable: string, count: number, values: Variables): Diagnostic | undefined {
  const value = values[variable];
  if (!value) return error('unset-variable', { variable, isEmpty: value === '', count });
  const isOneLine = !/\p{Cc}/u.test(value);
  if (isOneLine && !value.includes('${')) return undefined;
  return error('unusable-variable', {
    variable,
    holds: isOneLine ? 'placeholder' : 'control-character',
    count,
  });
}
