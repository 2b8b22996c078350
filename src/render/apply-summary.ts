import type { ApplyReport, ChangeResult } from '../apply/model.ts';
import type { Action, Plan } from '../plan/model.ts';

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
