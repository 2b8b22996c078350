import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import { declaredHint } from '../declared-hint.ts';
import type { Draft, Rule } from '../draft.ts';
import type { Declared, ItemDeclaration } from '../model.ts';

/** The classifiers, options and attributes that items name are declared. */
export const references: Rule = (draft) => {
  const found = new ProblemList();
  for (const item of draft.items.values()) {
    checkClassifiers(draft, item, found);
    checkAttributes(draft, item, found);
  }
  return found.all();
};

/** What is not declared may be where nothing could be read. */
function checkClassifiers(draft: Draft, item: Declared<Partial<ItemDeclaration>>, found: ProblemList): void {
  const { classifiers } = item.declaration;
  const { keys, complete } = draft;
  for (const key in classifiers) {
    if (!keys.classifiers.has(key)) {
      if (!complete) continue;
      const message = `classifier ${quoted(key)} is not declared`;
      found.add(() => unknown(item, ['classifiers', key], message, declaredHint(key, keys.classifiers)));
      continue;
    }
    const options = draft.classifiers.get(key)?.declaration.options;
    const given = classifiers[key];
    if (options === undefined || given === undefined) continue;
    for (const [index, option] of (typeof given === 'string' ? [given] : given).entries()) {
      if (Object.hasOwn(options, option)) continue;
      const path = typeof given === 'string' ? ['classifiers', key] : ['classifiers', key, index];
      const message = `option ${quoted(option)} is not declared in classifier ${quoted(key)}`;
      found.add(() => unknown(item, path, message, declaredHint(option, Object.keys(options)), 'value'));
    }
  }
}

function checkAttributes(
  { keys, complete }: Draft,
  item: Declared<Partial<ItemDeclaration>>,
  found: ProblemList,
): void {
  for (const key in item.declaration.attributes) {
    if (keys.attributes.has(key) || !complete) continue;
    const message = `attribute ${quoted(key)} is not declared`;
    found.add(() => unknown(item, ['attributes', key], message, declaredHint(key, keys.attributes)));
  }
}

function unknown(
  item: Declared<Partial<ItemDeclaration>>,
  path: readonly (string | number)[],
  message: string,
  hint: string,
  part: 'key' | 'value' = 'key',
): Diagnostic {
  const location = item.document.locate([...item.path, ...path], part);
  return error('unknown-reference', message, { location, hint });
}
