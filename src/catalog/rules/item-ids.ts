import { error } from '../../text/diagnostic.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { Rule } from '../draft.ts';
import type { Declared, ItemDeclaration } from '../model.ts';

/** No two items give the same `id`. */
export const itemIds: Rule = ({ items }) => {
  const found = new ProblemList();
  const firsts = new Map<string, Declared<Partial<ItemDeclaration>>>();
  for (const item of items.values()) {
    const { id } = item.declaration;
    if (id === undefined) continue;
    const first = firsts.get(id);
    if (first === undefined) {
      firsts.set(id, item);
      continue;
    }
    found.add(() => {
      const location = item.document.locate([...item.path, 'id']);
      const related = [{ message: 'the other', location: first.document.locate([...first.path, 'id']) }];
      const message = `the items ${quoted(first.key)} and ${quoted(item.key)} have the same id ${quoted(id)}`;
      return error('same-item-id', message, { location, related });
    });
  }
  return found.all();
};
