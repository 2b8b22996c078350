import type { Declared, ItemDeclaration, RangeDeclaration } from '../catalog/model.ts';
import { declaredHint } from '../catalog/rules.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { ProblemList } from '../text/problem-list.ts';
import { quoted } from '../text/quoted.ts';
import { mergePatch } from './merge-patch.ts';
import type { Environment } from './model.ts';
import type { ItemOverride } from './overrides.ts';
import { placeIn } from './place-in.ts';

/** One declaration with its override, as far as that is sound, and what is not. */
export interface Patched<T> {
  readonly declaration: T;
  readonly problems: readonly Diagnostic[];
}

/** The attributes that the catalog declares. Incomplete: it may declare others. */
interface Attributes {
  readonly declared: ReadonlySet<string>;
  readonly isIncomplete: boolean;
}

/** An item with its override. */
export function patchItem(
  item: Declared<ItemDeclaration>,
  override: ItemOverride,
  attributes: Attributes,
  environment: Environment,
): Patched<ItemDeclaration> {
  const { attributes: ranges = {}, ...values } = override;
  const declaration = mergePatch(item.declaration, values) as ItemDeclaration;
  const patched = new Map(Object.entries(declaration.attributes ?? {}));
  const problems = new ProblemList();
  for (const [key, range] of Object.entries(ranges)) {
    const wanted = mergePatch(patched.get(key), range);
    const problem = whyNot(key, range, wanted, item, attributes);
    if (problem === 'unknown') continue;
    if (problem) {
      const path = ['overrides', 'items', item.key, 'attributes', key];
      problems.add(() => ({ ...problem(), ...placeIn(environment, path, 'key') }));
    } else if (range === null) patched.delete(key);
    else patched.set(key, wanted as RangeDeclaration);
  }
  const found = { problems: problems.all() };
  if (problems.count === Object.keys(ranges).length) return { declaration, ...found };
  return { declaration: { ...declaration, attributes: Object.fromEntries(patched) }, ...found };
}

function whyNot(
  key: string,
  range: Partial<RangeDeclaration> | null,
  wanted: unknown,
  item: Declared<ItemDeclaration>,
  { declared, isIncomplete }: Attributes,
): (() => Diagnostic) | 'unknown' | undefined {
  const name = quoted(key);
  if (!declared.has(key)) {
    if (isIncomplete) return 'unknown';
    const message = `attribute ${name} is not declared`;
    return () => error('unknown-reference', message, { hint: declaredHint(key, declared) });
  }
  const has = Object.hasOwn(item.declaration.attributes ?? {}, key);
  const inCatalog = { message: 'the item in the catalog', location: item.document.locate(item.path, 'key') };
  if (range === null) {
    if (has) return undefined;
    if (item.wrong) return 'unknown';
    const message = `item ${quoted(item.key)} has no ${name} in the catalog that could be taken away`;
    return () => error('nothing-to-take', message, { related: [inCatalog], hint: 'remove this line' });
  }
  const missing = ['min', 'max'].filter((bound) => !Object.hasOwn(wanted as object, bound));
  if (missing.length === 0) return undefined;
  if (item.wrong) return 'unknown';
  const message = `${name} needs ${missing.map(quoted).join(' and ')}: the catalog gives item ${quoted(item.key)} no such range`;
  return () => error('missing-property', message, { related: [inCatalog] });
}
