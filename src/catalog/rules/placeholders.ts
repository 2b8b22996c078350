import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { partOf } from '../../text/part-of.ts';
import { quoted } from '../../text/quoted.ts';
import type { Rule } from '../draft.ts';
import { piecesOf, templatesOf } from '../template.ts';

/** Every `${` where variables are filled in names one. Whether it is set is another run's question. */
export const placeholders: Rule = ({ items }) => {
  const found: Diagnostic[] = [];
  for (const item of items.values()) {
    for (const { field, text } of templatesOf(item)) {
      for (const piece of piecesOf(text)) {
        if (piece.kind !== 'malformed') continue;
        const location = partOf(item.document.locate([...item.path, field]), piece.written);
        found.push({ ...malformed(piece.written), location });
      }
    }
  }
  return found;
};

function malformed(written: string): Diagnostic {
  const plain = 'write `$${` for a plain `${`';
  if (!written.endsWith('}')) {
    const hint = `close it with \`}\`, or ${plain}`;
    return error('placeholder', `${quoted(written)} has no end`, { hint });
  }
  const hint = `names are letters, digits and _, and do not begin with a digit; ${plain}`;
  return error('placeholder', `${quoted(written)} does not name an environment variable`, { hint });
}
