import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { ProblemList } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import { partOf } from '../../text/source.ts';
import type { Rule } from '../draft.ts';
import { nameAfterPrefix, piecesOf, templatesOf, VARIABLE_PREFIX } from '../template.ts';

/** Every `${` where variables are filled in names one that may be. Whether it is set is another run's question. */
export const placeholders: Rule = ({ items }) => {
  const found = new ProblemList();
  for (const item of items.values()) {
    for (const { field, text } of templatesOf(item)) {
      for (const piece of piecesOf(text)) {
        if (piece.kind === 'text') continue;
        const problem = piece.kind === 'variable' ? otherVariable(piece.name) : malformed(piece.written);
        if (problem === undefined) continue;
        const written = piece.kind === 'variable' ? `\${${piece.name}}` : piece.written;
        found.add(() => ({
          ...problem,
          location: partOf(item.document.locate([...item.path, field]), written),
        }));
      }
    }
  }
  return found.all();
};

/**
 * What is filled in is sent, recorded and shown by the plan of a pull request, which anybody may write: a name of the
 * job's own variables could be that of a secret.
 */
function otherVariable(name: string): Diagnostic | undefined {
  if (name.startsWith(VARIABLE_PREFIX) && name !== VARIABLE_PREFIX) return undefined;
  const allowed = VARIABLE_PREFIX + ((nameAfterPrefix(name) ?? name) || 'NAME');
  const message = `${quoted(name)} can't be filled in: only variables that begin with ${VARIABLE_PREFIX} can, since plans show their values`;
  const hint = `if its value is no secret, write \`\${${allowed}}\` and export ${allowed}=VALUE`;
  return error('variable-name', message, { hint });
}

function malformed(written: string): Diagnostic {
  const plain = 'write `$${` for a plain `${`';
  if (!written.endsWith('}')) {
    const hint = `close it with \`}\`, or ${plain}`;
    return error('placeholder', `${quoted(written)} has no end`, { hint });
  }
  const hint = `names are letters, digits and _, and do not begin with a digit; ${plain}`;
  return error('placeholder', `${quoted(written)} does not name an environment variable`, { hint });
}
