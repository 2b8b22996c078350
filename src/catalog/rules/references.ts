import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { quoted } from '../../text/quoted.ts';
import { declaredHint } from '../declared-hint.ts';
import type { Draft, Rule } from '../draft.ts';
import type { Declared, ItemDeclaration } from '../model.ts';

/** The classifiers, options and attributes that items name are declared. */
export const references: Rule = (draft) => {
  const found: Diagnostic[] = [];
  if (!draft.complete) return found;
  for (const item of draft.items.values()) {
    checkClassifiers(draft, item, found);
    checkAttributes(draft, item, found);
  }
  return found;
};

function checkClassifiers(draft: Draft, item: Declared<Partial<ItemDeclaration>>, found: Diagnostic[]): void {
  const { classifiers } = item.declaration;
  for (const key in classifiers) {
    if (!draft.keys.classifiers.has(key)) {
      found.push(
        unknown(
          item,
          ['classifiers', key],
          `classifier ${quoted(key)} is not declared`,
          draft.keys.classifiers,
          key,
        ),
      );
      continue;
    }
    const options = draft.classifiers.get(key)?.declaration.options;
    const given = classifiers[key];
    if (options === undefined || given === undefined) continue;
    if (typeof given === 'string') checkOption(item, options, key, given, undefined, found);
    else for (const [index, option] of given.entries()) checkOption(item, options, key, option, index, found);
  }
}

function checkOption(
  item: Declared<Partial<ItemDeclaration>>,
  options: object,
  classifier: string,
  option: string,
  index: number | undefined,
  found: Diagnostic[],
): void {
  if (Object.hasOwn(options, option)) return;
  const path = index === undefined ? ['classifiers', classifier] : ['classifiers', classifier, index];
  const message = `option ${quoted(option)} is not declared in classifier ${quoted(classifier)}`;
  const hint = declaredHint(option, Object.keys(options));
  found.push(
    error('unknown-reference', message, { location: item.document.locate([...item.path, ...path]), hint }),
  );
}

function checkAttributes(draft: Draft, item: Declared<Partial<ItemDeclaration>>, found: Diagnostic[]): void {
  for (const key in item.declaration.attributes) {
    if (draft.keys.attributes.has(key)) continue;
    found.push(
      unknown(
        item,
        ['attributes', key],
        `attribute ${quoted(key)} is not declared`,
        draft.keys.attributes,
        key,
      ),
    );
  }
}

function unknown(
  item: Declared<Partial<ItemDeclaration>>,
  path: readonly string[],
  message: string,
  declared: ReadonlySet<string>,
  key: string,
): Diagnostic {
  const location = item.document.locate([...item.path, ...path], 'key');
  return error('unknown-reference', message, { location, hint: declaredHint(key, declared) });
}
