import type { Catalog } from '../catalog/model.ts';
import type { clientIds } from '../plan/client-id.ts';
import type { Plan } from '../plan/model.ts';
import { pendingMoves } from '../plan/moves.ts';
import type { Reason } from '../plan/reason.ts';
import { type Entries, entriesOf } from '../state/entries.ts';
import { isInDoubt } from '../state/entry.ts';
import type { State } from '../state/model.ts';
import { doneAs } from './change.ts';
import type { ApplyReport, ChangeResult, ResultKind } from './model.ts';

interface AfterApply {
  /** The state that is stored, or what can be told of it. */
  readonly kept: State | undefined;
  readonly isSaved: boolean;
  readonly catalog: Catalog;
  readonly ids: Pick<ReturnType<typeof clientIds>, 'settlesAgain'>;
}

/**
 * The report by what is really kept. The state may have what the journal could not take; and where both are gone, an
 * ID that was recorded once is told, since it is nowhere else.
 */
export function asKept(
  report: ApplyReport,
  { moved, protections }: Plan,
  { kept, catalog, ids, isSaved }: AfterApply,
): ApplyReport {
  const entries = entriesOf(kept);
  const open = new Set(pendingMoves(catalog, kept).map(({ from, to }) => `${from} ${to}`));
  return {
    ...report,
    results: report.results.map((each) => {
      const result = resultAsKept(each, entries, isSaved);
      const pending = entries.find('pending', each.address);
      // An answer that came after it may have shown that IDs are ignored.
      const mayBe = each.settles === true || result !== each.result;
      const settles = mayBe && result === 'unknown' && pending && ids.settlesAgain(pending);
      const held = result === 'unknown' ? otherRecord(each, entries) : [];
      const reasons = [...(each.reasons ?? []), ...held];
      const { settles: _, ...rest } = each;
      return {
        ...rest,
        result,
        ...(reasons.length > 0 && { reasons }),
        ...(settles && { settles }),
      };
    }),
    moved: kept ? moved.filter(({ from, to }) => !open.has(`${from} ${to}`)) : [],
    protections: protections.filter(({ address, protect }) => {
      const record = entries.find('live', address);
      return record && (record.protect ?? false) === protect;
    }),
  };
}

/** Of an update the ID is known anyway, and the save alone tells whether its answer is kept. */
function resultAsKept(each: ChangeResult, entries: Entries, isSaved: boolean): ResultKind {
  const { address, action, result, remoteId } = each;
  const has = (status: 'live' | 'retired') =>
    entries.at(address).some((entry) => entry.status === status && entry.id === remoteId);
  if (action === 'retire') return has('retired') ? 'recorded' : 'not-started';
  // Of an earlier run: what became of it is as unknown as before.
  const isOpen = entries.at(address).some((entry) => {
    if (entry.status === 'pending') return true;
    return action !== 'replace' && isInDoubt(entry) && entry.id === remoteId;
  });
  if (result === 'not-started' && isOpen) return 'unknown';
  if (result !== 'unrecorded' && result !== 'applied' && result !== 'diverged') return result;
  if (action === 'create' || action === 'replace') return has('live') ? doneAs(each) : 'unrecorded';
  return isSaved ? doneAs(each) : result;
}

/** Why an update is not sent again as it is: it may have made another record. */
function otherRecord({ address }: ChangeResult, entries: Entries): readonly Reason[] {
  const record = entries.record(address);
  const answered = record && entries.madeBy(record);
  return record && answered !== undefined ? [{ code: 'other-record', id: record.id, answered }] : [];
}
