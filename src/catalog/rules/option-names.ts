import { error } from '../../text/diagnostic.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { Rule } from '../draft.ts';

/** Option names differ within a classifier: the service's answers are matched to options by name. */
export const optionNames: Rule = ({ classifiers }) => {
  const found = new ProblemList();
  for (const { declaration, document, path } of classifiers.values()) {
    const firsts = new Map<string, string>();
    for (const [key, { name }] of Object.entries(declaration.options ?? {})) {
      const first = firsts.get(name);
      if (first === undefined) {
        firsts.set(name, key);
        continue;
      }
      found.add(() => {
        const placeOf = (option: string) => document.locate([...path, 'options', option, 'name']);
        const message = `the options ${quoted(first)} and ${quoted(key)} have the same name ${quoted(name)}`;
        const hint = 'answers are matched to options by name, so give each its own';
        const related = [{ message: 'the other', location: placeOf(first) }];
        return error('same-option-name', message, { location: placeOf(key), related, hint });
      });
    }
  }
  return found.all();
};
