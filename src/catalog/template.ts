import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import { type Diagnostic, error } from '../text/diagnostic.ts';
import { partOf } from '../text/source.ts';
import type { Draft } from './merge.ts';
import type { Declared, ItemDeclaration } from './model.ts';
import type { Violation } from './violation.ts';

/** The prefix of every variable that a catalog may use. */
export const VARIABLE_PREFIX = 'TROVE_VAR_';

/** The name without the prefix; undefined if it has none. On some systems names are case-insensitive. */
export function nameAfterPrefix(name: string): string | undefined {
  const begins = name.toUpperCase().startsWith(VARIABLE_PREFIX);
  return begins ? name.slice(VARIABLE_PREFIX.length) : undefined;
}

/** A text with something to fill in, or to unescape. */
export interface Template {
  readonly field: string;
  readonly text: string;
}

/** The fields of an item that the schema marks: everywhere else `${` is just text. */
const fields = Object.entries(schema.$defs.item.properties)
  .filter(([, property]) => 'x-trove-interpolated' in property)
  .map(([name]) => name);

export function templatesOf({ declaration }: Declared<Partial<ItemDeclaration>>): readonly Template[] {
  const values: Readonly<Record<string, unknown>> = declaration;
  return fields.flatMap((field) => {
    const text = values[field];
    return typeof text === 'string' && text.includes('${') ? [{ field, text }] : [];
  });
}

/** What `${` begins: `$${`, which stands for `${`; a variable, with its name; or neither, which is a mistake. */
export const PLACEHOLDER = /\$\$\{|\$\{([A-Za-z_][A-Za-z0-9_]*)\}|\$\{[^}]*\}?/g;

/** Every `${` in an interpolated field names a variable that a catalog may use. Only `joinInputs` needs it to be set. */
export function* placeholders({ items }: Draft): Iterable<Violation> {
  for (const item of items.values()) {
    for (const { field, text } of templatesOf(item)) {
      for (const [written, name] of text.matchAll(PLACEHOLDER)) {
        if (written === '$${') continue;
        const problem = name === undefined ? error('placeholder', { text: written }) : otherVariable(name);
        const location = () => partOf(item.document.locate([...item.path, field]), written);
        if (problem) yield () => ({ ...problem, location: location() });
      }
    }
  }
}

/**
 * What is filled in is sent, recorded and shown by the plan of a pull request, which anybody may write: a name of the
 * job's own variables could be that of a secret.
 */
function otherVariable(name: string): Diagnostic | undefined {
  if (name.startsWith(VARIABLE_PREFIX) && name !== VARIABLE_PREFIX) return undefined;
  const allowed = VARIABLE_PREFIX + ((nameAfterPrefix(name) ?? name) || 'NAME');
  return error('variable-name', { variable: name, prefix: VARIABLE_PREFIX, allowed });
}
