import type { Address } from '../catalog/model.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import { resolveReferences } from '../resources/reference.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Run } from './run.ts';

export type Resolved =
  | { readonly ok: true; readonly request: RecordedRequest }
  /** Why it can't be sent; it waits for what a person has to settle first. */
  | { readonly ok: false; readonly result: 'waiting' | 'not-started'; readonly reason: string };

/** The request with every id that was promised, or which of them never came. */
export function resolveRequest(planned: RecordedRequest, run: Run): Resolved {
  let missing: string | undefined;
  const body = resolveReferences(planned.body, (address) => {
    const id = idOf(address, run);
    if (id === undefined) missing ??= address;
    return id ?? '';
  });
  if (missing !== undefined) return unavailable(missing, run);
  return { ok: true, request: { ...planned, body: body as RecordedRequest['body'] } };
}

function unavailable(address: string, run: Run): Exclude<Resolved, { ok: true }> {
  const owner = ownerOf(address);
  if (!run.ports.recorder.entries.find('pending', owner))
    return { ok: false, result: 'not-started', reason: whyMissing(address, owner, run) };
  return { ok: false, result: 'waiting', reason: `waits for ${owner} (unknown)` };
}

function whyMissing(address: string, owner: Address, run: Run): string {
  const { recorder } = run.ports;
  if (run.awaitsReplacement(owner)) return `${owner} was not replaced`;
  return recorder.entries.find('live', owner)
    ? `${address} has no id in the answer`
    : `${owner} was not created`;
}

/** `classifier.rarity` gives its record's id, `classifier.rarity.rare` the id of that option. */
function idOf(address: string, run: Run): string | undefined {
  const option = address.split('.')[2];
  const owner = ownerOf(address);
  const record = run.awaitsReplacement(owner) ? undefined : run.ports.recorder.entries.find('live', owner);
  return option === undefined ? record?.id : recordedOptionId(record, option);
}

function ownerOf(address: string): Address {
  return address.split('.').slice(0, 2).join('.') as Address;
}
