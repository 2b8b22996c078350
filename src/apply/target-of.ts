import type { Change } from '../plan/model.ts';
import { type Fields, fields, groupOf, withDifferences } from '../resources/fields.ts';
import { knownFields } from '../resources/known-fields.ts';
import { declarationsOf, kinds } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Run } from './run.ts';

/** What the record should be once the change is made: everything declared, or what is known with the change. */
export function targetOf(change: Change, run: Run): Fields {
  const { recorder, catalog } = run.ports;
  const { address, kind, key, action } = change;
  if (action === 'adopt' && change.remoteId !== null) return sentFields(change);
  const isNew = action === 'create' || action === 'replace';
  const known = isNew ? undefined : (recorder.get(address) ?? recorder.getRetired(address));
  if (known) return withDifferences(knownFields(kind, known, run.names()), change.fields);
  const declared = declarationsOf(catalog, kind).get(key);
  return declared ? kinds[kind].desired(declared.declaration) : fields([], []);
}

/** Of an imported record nothing is known but what is sent. */
function sentFields({ fields: sent }: Change): Fields {
  return fields(
    sent.map(({ path }) => groupOf(path)),
    sent.filter(({ after }) => after !== null).map(({ path, after }) => [path, after] as const),
  );
}

/** The update that would make it so. */
export function updateBodyOf(change: Change, run: Run): RecordedRequest['body'] {
  const target = targetOf(change, run);
  return kinds[change.kind].updateBody(target, target.groups, run.ports.environment.profile, run.names());
}
