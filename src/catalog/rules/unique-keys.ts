import { error } from '../../text/diagnostic.ts';
import { problemsIn } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { Rule } from '../draft.ts';

const nouns = { attributes: 'attribute', classifiers: 'classifier', items: 'item' } as const;

/** No key is declared twice, in whichever files (within one mapping the YAML reader has seen it). */
export const uniqueKeys: Rule = ({ repetitions }) =>
  problemsIn(repetitions, ({ section, first, second }) => () => {
    const related = [{ message: 'first declared here', location: first.document.locate(first.path, 'key') }];
    const location = second.document.locate(second.path, 'key');
    return error('duplicate-key', `the ${nouns[section]} ${quoted(second.key)} is declared twice`, {
      location,
      related,
    });
  });
