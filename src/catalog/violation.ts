import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { Path } from '../text/schema-path.ts';
import type { Declared, Move } from './model.ts';

/** What breaks a rule of the catalog; it is only put into words if it is listed. */
export type Violation = () => Diagnostic;

/** A declaration, or a move, and the way to what is meant in it. */
type Place = readonly [within: Declared<unknown> | Move, ...below: Path];

export interface Details {
  readonly part?: 'key';
  /** The other end of what is wrong. */
  readonly other?: { readonly message: string; readonly at: Place };
  readonly hint?: () => string | undefined;
}

export function violation(rule: string, message: string, at: Place, details: Details = {}): Violation {
  return () => {
    const { part, other } = details;
    const hint = details.hint?.();
    return error(rule, message, {
      location: locate(at, part),
      ...(other && { related: [{ message: other.message, location: locate(other.at, part) }] }),
      ...(hint && { hint }),
    });
  };
}

function locate([{ document, path }, ...below]: Place, part?: 'key') {
  return document.locate([...path, ...below], part);
}
