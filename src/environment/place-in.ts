import type { Diagnostic } from '../text/diagnostic.ts';
import type { Environment } from './model.ts';

/** Where something stands in the file of an environment, for a diagnostic. */
export function placeIn(
  { document, name }: Environment,
  path: readonly (string | number)[],
  part?: 'key' | 'value',
): Pick<Diagnostic, 'location' | 'subject'> {
  return document ? { location: document.locate(path, part) } : { subject: name };
}
