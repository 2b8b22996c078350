import type { ApplyReport, ChangeResult, Halt } from '../apply/model.ts';
import type { Action, Plan } from '../plan/model.ts';
import { isSelected } from '../plan/wishes.ts';

const past: Partial<Record<Action, string>> = {
  create: 'created',
  update: 'updated',
  revive: 'revived',
  retire: 'retired',
  replace: 'replaced',
  adopt: 'adopted',
  reassert: 'written again',
};

/** One sentence that can be read aloud: what was done, then what was not. */
export function applySummary(report: ApplyReport): string {
  const { results, environment } = report;
  const { done, open } = outcomeOf(report);
  if (done.length > 0) return `Applied to ${environment}: ${[...done, ...open].join(', ')}.`;
  // Of what was sent and not seen, nobody knows whether it changed anything.
  const uncertain = results.some(({ result }) => result === 'unknown' || result === 'unrecorded');
  const first = uncertain
    ? `Nothing is confirmed in ${environment}`
    : `Nothing was changed in ${environment}`;
  return open.length > 0 ? `${first}: ${open.join(', ')}.` : `${first}.`;
}

/** What else was done is not known: nothing here says that it was not. */
export function summarySoFar(report: ApplyReport): string {
  const { done, open } = outcomeOf(report);
  const words = [...done, ...open].join(', ') || 'no outcome is told';
  return `Not finished in ${report.environment}, so far: ${words}.`;
}

/** `78 created`, and `1 failed`: what was done, and what was not. */
export function outcomeOf({ results, moved, protections }: ApplyReport) {
  const count = (test: (result: ChangeResult) => boolean) => results.filter(test).length;
  const sent = Object.entries(past).flatMap(([action, word]) => {
    const number = count(
      (each) => each.action === action && ['applied', 'diverged', 'recorded'].includes(each.result),
    );
    return number > 0 ? [`${number} ${word}`] : [];
  });
  const open = (
    ['diverged', 'failed', 'unknown', 'unrecorded', 'blocked', 'waiting', 'not-started'] as const
  ).flatMap((kind) => {
    const number = count(({ result }) => result === kind);
    return number > 0 ? [`${number} ${kind.replace('-', ' ')}`] : [];
  });
  const done = [...sent, ...bookkept(moved, protections, ['renamed', 'protected', 'unprotected'])];
  return { done, open };
}

/** How many renames and changes of protection there are; `words` has one for each. */
export function bookkept(
  moved: Plan['moved'],
  protections: Plan['protections'],
  words: readonly [string, string, string],
): readonly string[] {
  const guarded = protections.filter(({ protect }) => protect).length;
  return [moved.length, guarded, protections.length - guarded].flatMap((number, at) =>
    number > 0 ? [`${number} ${words[at]}`] : [],
  );
}

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

/** The flags that ask for changes which no later plan has by itself. */
export type AskedFor = Pick<Plan, 'reassert' | 'replace' | 'targets'>;

/** Named one by one while they are few; a repeated --reassert does no harm to what was written already. */
const NAMED = 5;

/** The command for what was asked for by flags and not started; undefined where nothing is left of it. */
export function remainingWishes(
  { results }: ApplyReport,
  { reassert = [], replace = [], targets = [] }: AskedFor,
  flags: string,
): string | undefined {
  const left = results.filter(({ result }) => result === 'not-started' || result === 'waiting');
  const replaced = left.filter(({ action, address }) => action === 'replace' && replace.includes(address));
  const written = left.filter(
    ({ action, address }) => action === 'reassert' && isSelected(reassert, address),
  );
  if (replaced.length + written.length === 0) return undefined;
  const again =
    written.length > NAMED
      ? ['--reassert', ...targets.map((address) => `--target ${address}`)]
      : written.map(({ address }) => `--reassert ${address}`);
  const anew = replaced.map(({ address }) => `--replace ${address}`);
  const wishes = [...anew, ...again].join(' ');
  return `trove apply${flags} ${wishes}`;
}

/** Why nothing more was sent, and what to do about it. Not escaped. */
export function haltText(halt: Halt): string {
  switch (halt.kind) {
    case 'interrupted':
      return 'interrupted. What was under way was finished and recorded; run it again for the rest.';
    case 'canary':
      return 'none of the first writes succeeded, so nothing else was sent.';
    case 'wrong-team':
      return `the service answered for team ${halt.answered}, and the environment names team ${halt.expected}. Check teamId and the credentials.`;
    case 'other-id':
      return `the service was asked to create ${halt.address} as ${halt.asked} and answered ${halt.answered}. If it makes up ids itself, set itemCreate.clientId to ignored; if not, something between changes its answers.`;
    case 'service':
      return 'that would go wrong for every other write too, so nothing else was sent.';
    case 'journal':
      return `the outcome could not be written down (${halt.message}), so nothing else was sent.`;
    case 'state-lost':
      return `this run no longer has the state (${halt.message.replace(/\.$/, '')}), so nothing else was sent.`;
  }
}
