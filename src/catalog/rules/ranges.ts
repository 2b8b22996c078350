import { error } from '../../text/diagnostic.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { Rule } from '../draft.ts';

/** An attribute's minimum is not above its maximum. */
export const ranges: Rule = ({ items }) => {
  const found = new ProblemList();
  for (const { declaration, document, path } of items.values()) {
    for (const key in declaration.attributes) {
      const range = declaration.attributes[key];
      if (range === undefined || range.min <= range.max) continue;
      const location = document.locate([...path, 'attributes', key, 'min']);
      const maximum = document.locate([...path, 'attributes', key, 'max']);
      const related = [{ message: 'the maximum', location: maximum }];
      const message = `the minimum of ${quoted(key)} is ${range.min}, above its maximum ${range.max}`;
      // An override of one end does not want the two swapped.
      const hint = location.source === maximum.source ? { hint: 'swap the two' } : {};
      found.add(() => error('empty-range', message, { location, related, ...hint }));
    }
  }
  return found.all();
};
