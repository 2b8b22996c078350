import type { ErrorObject } from 'ajv';
import { type Diagnostic, error } from './diagnostic.ts';
import { quoted } from './quoted.ts';
import { type Path, type SchemaNode, shownPath } from './schema-path.ts';
import type { YamlDocument } from './yaml.ts';

/** One error of a validator, with all that a sentence about it needs. */
export interface Misfit {
  readonly document: YamlDocument;
  readonly schema: SchemaNode;
  readonly path: Path;
  readonly found: ErrorObject;
}

/** A diagnostic at the value that the misfit is about. */
export function problem(misfit: Misfit, rule: string, message: string, hint?: string): Diagnostic {
  const location = misfit.document.locate(misfit.path);
  return error(rule, message, { location, ...(hint && { hint }) });
}

/** The value by the last name on the way to it: `name`, `slot[1]`. */
export function subject({ path }: Misfit): string {
  const from = path.findLastIndex((step) => typeof step === 'string');
  return path.length === 0 ? 'the file' : quoted(shownPath(path.slice(Math.max(0, from))));
}

/** Names as they are read aloud: `a`, `b` and `c`. */
export function list(names: readonly string[]): string {
  const shown = names.map(quoted);
  return shown.length < 2 ? shown.join('') : `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}`;
}
