import type { Environment } from '../environment/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { Plan } from './model.ts';

/** Refuses a plan that sends more than the environment allows: a slip of the keyboard can't be deleted again. */
export function exceededLimits(plan: Plan, { limits, name }: Environment): readonly Diagnostic[] {
  const sent = (method: string) =>
    plan.changes.filter(({ requests }) => requests.some((request) => request.method === method)).length;
  return [
    over('maxCreates', 'creates', sent('POST'), limits?.maxCreates),
    over('maxUpdates', 'updates', sent('PUT'), limits?.maxUpdates),
  ].flatMap((text) =>
    text
      ? [
          error('limit-exceeded', text, {
            subject: `environment ${name}`,
            hint: 'raise the limit in a reviewed change, or apply in parts with --target',
          }),
        ]
      : [],
  );
}

function over(limit: string, what: string, count: number, maximum: number | undefined): string | undefined {
  if (maximum === undefined || count <= maximum) return undefined;
  return `the plan has ${count} ${what}, and \`limits.${limit}\` allows ${maximum}`;
}
