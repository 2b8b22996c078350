import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { quoted } from '../../text/quoted.ts';
import type { Rule } from '../draft.ts';

/** Option names differ within a classifier: the service's answers are matched to options by name. */
export const optionNames: Rule = ({ classifiers }) => {
  const found: Diagnostic[] = [];
  for (const { declaration, document, path } of classifiers.values()) {
    const firsts = new Map<string, string>();
    for (const [key, { name }] of Object.entries(declaration.options ?? {})) {
      const first = firsts.get(name);
      if (first === undefined) {
        firsts.set(name, key);
        continue;
      }
      const location = document.locate([...path, 'options', key, 'name']);
      const firstPlace = document.locate([...path, 'options', first, 'name']);
      const message = `the options ${quoted(first)} and ${quoted(key)} have the same name ${quoted(name)}`;
      const hint = 'answers are matched to options by name, so give each its own';
      found.push(
        error('same-option-name', message, {
          location,
          related: [{ message: 'the other', location: firstPlace }],
          hint,
        }),
      );
    }
  }
  return found;
};
