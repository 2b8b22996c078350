import { error } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { Rule } from '../draft.ts';

const fields = {
  classifiers: ['name', 'options'],
  items: ['name', 'rollNumerator', 'thumbnail', 'classifiers', 'attributes'],
} as const;

/** `lifecycle.ignoreChanges` names fields that are compared at all. */
export const ignoredFields: Rule = (draft) => {
  const found = new ProblemList();
  for (const section of ['classifiers', 'items'] as const) {
    const known: readonly string[] = fields[section];
    for (const { declaration, document, path } of draft[section].values()) {
      for (const [index, name] of (declaration.lifecycle?.ignoreChanges ?? []).entries()) {
        if (known.includes(name)) continue;
        found.add(() => {
          const location = document.locate([...path, 'lifecycle', 'ignoreChanges', index]);
          const meant = nearest(name, known);
          const hint = meant ? `did you mean ${quoted(meant)}?` : `possible: ${known.map(quoted).join(', ')}`;
          const message = `${quoted(name)} is not a field whose changes can be ignored`;
          return error('unknown-field', message, { location, hint });
        });
      }
    }
  }
  return found.all();
};
