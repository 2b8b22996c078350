import type { Change } from '../plan/model.ts';
import { type Fields, fields, withDifferences } from '../resources/fields.ts';
import { declarationsOf, kinds } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Run } from './run.ts';

/** What the record should be once the change is made: everything declared, or what is known with the change. */
export function targetOf(change: Change, run: Run): Fields {
  const { recorder, catalog } = run.ports;
  const { address, kind, key, action } = change;
  const known = action === 'create' ? undefined : (recorder.get(address) ?? recorder.getRetired(address));
  if (known)
    return withDifferences(kinds[kind].answered(known.answer, run.names(), known.options), change.fields);
  const declared = declarationsOf(catalog, kind).get(key);
  return declared ? kinds[kind].desired(declared.declaration) : fields([], []);
}

/** The update that would make it so. */
export function updateBodyOf(change: Change, run: Run): RecordedRequest['body'] {
  const target = targetOf(change, run);
  return kinds[change.kind].updateBody(target, target.groups, run.ports.environment.profile, run.names());
}
