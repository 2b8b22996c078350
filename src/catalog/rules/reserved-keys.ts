import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { problemsIn } from '../../text/problem-list.ts';
import { quoted } from '../../text/quoted.ts';
import type { Location } from '../../text/source.ts';
import type { Rule } from '../draft.ts';
import { isReservedKey, PROBE_KEY } from '../reserved-keys.ts';

/** No resource is declared under a key of the probe records, and none of these is moved into the catalog. */
export const reservedKeys: Rule = ({ classifiers, items, moved }) => {
  const declared = [...classifiers.values(), ...items.values()].filter(({ key }) => isReservedKey(key));
  const renamed = moved.filter(({ from }) => isReservedKey(from.slice(from.indexOf('.') + 1)));
  return [
    ...problemsIn(
      declared,
      ({ key, document, path }) =>
        () =>
          reserved(key, document.locate(path, 'key')),
    ),
    ...problemsIn(renamed, (move) => () => reserved(move.from, move.document.locate([...move.path, 'from']))),
  ];
};

function reserved(name: string, location: Location): Diagnostic {
  const hint = `choose a key that does not begin with ${PROBE_KEY}`;
  return error('reserved-key', `${quoted(name)} is reserved for the records that a probe makes`, {
    location,
    hint,
  });
}
