import { type Diagnostic, error, type Problems, type Role, type Rule } from '../text/diagnostic.ts';
import type { Path } from '../text/schema-path.ts';
import type { Declared, Move } from './model.ts';

/** What breaks a rule of the catalog; it is only worked out if it is listed. */
export type Violation = () => Diagnostic;

/** A declaration, or a move, and the way to what is meant in it. */
type Place = readonly [within: Declared<unknown> | Move, ...below: Path];

interface Details {
  readonly part?: 'key';
  /** The other end of what is wrong. */
  readonly other?: { readonly role: Role; readonly at: Place };
}

export function violation<R extends Rule>(
  rule: R,
  values: Problems[R],
  at: Place,
  { part, other }: Details = {},
): Diagnostic {
  return error(rule, values, {
    location: locate(at, part),
    ...(other && { related: [{ role: other.role, location: locate(other.at, part) }] }),
  });
}

function locate([{ document, path }, ...below]: Place, part?: 'key') {
  return document.locate([...path, ...below], part);
}
