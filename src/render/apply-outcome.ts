import type { Address } from '../catalog/model.ts';
import type { Action } from '../plan/model.ts';
import { isSelected } from '../plan/options.ts';
import type { ExplainedHalt, ExplainedReport, ExplainedResult } from './messages/explain-plan.ts';
import { applyCommandFor, importCommand, planFlags, type Table, wordsFor } from './messages/sentences.ts';
import type { AskedFor } from './model.ts';
import { counted, counts, recordedOnly } from './plan-summary.ts';
import { quotedForShell } from './words.ts';

/** One sentence that can be read aloud: what was done, then what was not; of an unfinished apply, what is known. */
export function applySummary(report: ExplainedReport, isUnfinished = false): string {
  const { results, environment } = report;
  const { isAnyDone, words } = outcomeOf(report);
  if (isUnfinished) return `Unfinished apply to ${environment}, so far: ${words || 'no outcome yet'}.`;
  if (isAnyDone) return `Applied to ${environment}: ${words}.`;
  // What has an unknown outcome may have changed something.
  const uncertain = results.some(
    ({ result, action }) => (result === 'unknown' && action !== 'unknown') || result === 'unrecorded',
  );
  const first = uncertain ? 'No change was confirmed' : 'Nothing was changed';
  return `${first} in ${environment}${words && `: ${words}`}.`;
}

/** `78 created, 1 failed`: what was done, then what was not. */
export function outcomeOf({ results, moved, protections }: ExplainedReport) {
  const count = (test: (result: ExplainedResult) => boolean) => results.filter(test).length;
  const isDone = ({ result }: ExplainedResult) => ['applied', 'diverged', 'recorded'].includes(result);
  const done = [
    ...counts(
      counted.map((action) => [
        count((it) => it.action === action && isDone(it)),
        `${action.replace(/e$/, '')}ed`,
      ]),
    ),
    ...recordedOnly(moved, protections, ['renamed', 'protected', 'unprotected']),
  ];
  const open = ['diverged', 'failed', 'unknown', 'unrecorded', 'blocked', 'waiting', 'not-started'];
  const left = counts(open.map((kind) => [count(({ result }) => result === kind), kind.replace('-', ' ')]));
  return { isAnyDone: done.length > 0, words: [...done, ...left].join(', ') };
}

/** What a person can do about one change that did not go as planned. */
export function nextSteps(
  change: ExplainedResult,
  flags: string,
  { targets = [] }: AskedFor = {},
): readonly string[] {
  const again = applyCommandFor(flags, { targets });
  const { result, action, remoteId, address, settles, error, reasons = [] } = change;
  const isCreate = action === 'create' || action === 'replace';
  // A record that a recovery looked for has no ID that anybody named.
  const isWrongId = action === 'adopt' && remoteId !== null && error?.status === 404;
  const forget = isWrongId ? [`If the imported ID is wrong: trove state forget ${address}${flags}`] : [];
  switch (result) {
    case 'unrecorded':
      if (!isCreate) return [`It was applied but not recorded. To send it again: ${again}`];
      return [
        `It exists as ${remoteId}, which is not in the state.`,
        `If its create is still pending: trove resolve ${address}${flags} --id ${quotedForShell(remoteId ?? 'ID')}`,
        `If not: ${importCommand(address, remoteId ?? 'ID', flags)}`,
      ];
    case 'unknown':
      if (!isCreate) {
        const isOther = reasons.some(({ code }) => code === 'other-record');
        const next = isOther ? `see what to do: trove plan${flags}` : `send it again: ${again}`;
        return [`It may or may not have been applied. To ${next}`, ...forget];
      }
      if (settles) return [`The next run settles it by sending the same ID again: ${again}`];
      return resolveSteps(address, flags);
    case 'failed':
      // Refusals that show the state to be wrong about the record.
      if (isWrongId) return forget;
      if (action === 'create' && error?.status === 409)
        return [`If it is the right state: ${importCommand(address, remoteId ?? 'ID', flags)}`];
      return [];
    default:
      return [];
  }
}

/** What to do about a create whose outcome is unknown. */
export function resolveSteps(address: string, flags: string): readonly string[] {
  return [
    'It may or may not exist. Check the service, then run one of these commands:',
    `- if it exists: trove resolve ${address}${flags} --id ID`,
    `- if it does not: trove resolve ${address}${flags} --not-created`,
  ];
}

/** Named one by one while they are few; a repeated --reassert does no harm to what was written already. */
const NAMED = 5;

/** The command for what was asked for by flags and not started; undefined where nothing is left of it. */
export function remainingOptions(
  { results }: ExplainedReport,
  { reassert = [], replace = [], targets = [] }: AskedFor,
  flags: string,
): string | undefined {
  const left = results.filter(({ result }) => result === 'not-started' || result === 'waiting');
  const leftOf = (action: Action, isWanted: (address: Address) => boolean) =>
    left.filter((each) => each.action === action && isWanted(each.address)).map(({ address }) => address);
  const replaced = leftOf('replace', (address) => replace.includes(address));
  const written = leftOf('reassert', (address) => isSelected(reassert, address));
  if (replaced.length + written.length === 0) return undefined;
  const again = written.length > NAMED ? ({ reassert: 'all', targets } as const) : { reassert: written };
  const asked = planFlags({ replace: replaced, ...again });
  return `trove apply${flags}${asked}`;
}

/** Why nothing more was sent, and what to do about it. Not escaped. */
export function haltText(halt: ExplainedHalt): string {
  return wordsFor(halts, halt.kind, halt);
}

const halts: Table<ExplainedHalt, 'kind', string> = {
  interrupted: () => 'interrupted. Requests in flight were finished; plan and apply again for the rest.',
  canary: () => 'none of the first writes succeeded, so nothing else was sent.',
  'wrong-team': ({ answered, expected }) =>
    `the service answered for team ${answered}, but the environment specifies team ${expected}. Check teamId and the credentials.`,
  'other-id': ({ method, address, asked, answered }) => {
    const next =
      method === 'POST'
        ? 'If the service assigns its own IDs, set itemCreate.clientId to ignored; otherwise a'
        : 'An update may create records with other IDs, or a';
    return `the service was asked for ${address} as ${asked} but returned ${answered}. ${next} proxy may be changing its responses.`;
  },
  service: () => 'every other write would fail the same way, so nothing else was sent.',
  journal: ({ message }) => `the journal failed (${message}), so nothing else was sent.`,
  'state-lost': ({ message }) => `this run no longer has the state (${message}), so nothing else was sent.`,
};
