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
  const known = isNew
    ? undefined
    : (recorder.entries.find('live', address) ?? recorder.entries.find('retired', address));
  if (known) return withDifferences(knownFields(kind, known, run.names()), change.fields);
  const declared = declarationsOf(catalog, kind).get(key);
  return declared ? kinds[kind].desired(declared.declaration) : fields([], []);
}

/**
 * What the record should be by an answer to this very request. An update that settles a create carries only what the
 * profile allows; what it leaves out was not refused, and the next plan compares it.
 */
export function targetOfRequest(change: Change, { method, body }: RecordedRequest, run: Run): Fields {
  const target = targetOf(change, run);
  const isSettled = method === 'PUT' && (change.remoteId === null || change.action === 'replace');
  if (!isSettled) return target;
  const left = new Set<string>();
  if (!('thumbnail' in body)) left.add('thumbnail');
  if (!('classifierOptionIds' in body)) left.add('classifiers');
  return fields(
    [...target.groups].filter((group) => !left.has(group)),
    [...target.values].filter(([path]) => !left.has(groupOf(path))),
  );
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
