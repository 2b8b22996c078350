import type { ChangeResult, Halt } from '../apply/model.ts';

/** What a person can do about one change that did not go as planned; `halt` is what ended its run early. */
export function nextSteps(change: ChangeResult, flags: string, halt?: Halt): readonly string[] {
  const { result, action, remoteId, address, settles } = change;
  if (result === 'failed') return afterRefusal(change, flags);
  const done =
    result === 'unrecorded' ? 'It was done but could not be recorded' : 'It may or may not be done';
  if (result !== 'unrecorded' && result !== 'unknown') return [];
  if (action !== 'create' && action !== 'replace') return [`${done}. To send it again: trove apply${flags}`];
  const resolve = `trove resolve ${address}${flags}`;
  if (result === 'unrecorded' && halt?.kind === 'state-lost') {
    return [
      `It exists as ${remoteId}, which this run could no longer record.`,
      `If trove resolve${flags} lists it: ${resolve} --id ${remoteId}`,
      `If not, compare the id that is recorded: trove state show ${address}${flags}`,
    ];
  }
  if (result === 'unrecorded') {
    return [
      `It exists as ${remoteId}, which could not be recorded. Once there is room: ${resolve} --id ${remoteId}`,
    ];
  }
  if (settles) return [`The next run settles it, by the same id once more: trove apply${flags}`];
  return [
    'It may or may not exist, and a person has to look and say.',
    `If the service has it: ${resolve} --id ID`,
    `If it has not: ${resolve} --not-created`,
  ];
}

/** Of a refusal that shows the state to be wrong about the record. */
function afterRefusal({ action, address, error }: ChangeResult, flags: string): readonly string[] {
  if (action === 'adopt' && error?.status === 404)
    return [`If the imported id is wrong: trove state forget ${address}${flags}`];
  if (action === 'create' && error?.status === 409)
    return [`If it is the right state: trove import ${address} ID${flags}`];
  return [];
}
