import { StartError } from '../start-error.ts';
import type { Fault, FaultRule, FaultSettings } from './fault-settings.ts';

/** Throws a StartError that names everything that `faultProblems` finds. */
export function checkFaults(settings: FaultSettings): void {
  const problems = faultProblems(settings).map(({ path, message }) => `${path.join('.')}: ${message}`);
  if (problems.length > 0) throw new StartError(`The faults are not valid:\n${problems.join('\n')}`);
}

/** What the types and the schema of the faults file let pass and no service could do. */
export function faultProblems({ rules }: FaultSettings): FaultProblem[] {
  return rules.flatMap((rule, index) =>
    [...missing(rule.fault), ...misplaced(rule.fault), ...unknowable(rule), ...tooLate(rule.fault)].map(
      ({ path, message }) => ({ path: ['rules', index, ...path], message }),
    ),
  );
}

const fields: Readonly<Record<Fault['kind'], { needs: readonly string[]; may: readonly string[] }>> = {
  latency: { needs: ['ms'], may: ['when'] },
  refuse: { needs: [], may: [] },
  drop: { needs: ['when'], may: [] },
  'truncated-body': { needs: [], may: [] },
  'invalid-body': { needs: [], may: ['body'] },
  status: { needs: ['status'], may: ['when', 'retryAfter'] },
};

function missing(fault: Fault): FaultProblem[] {
  return fields[fault.kind].needs
    .filter((field) => !Object.hasOwn(fault, field))
    .map((field) => ({ path: ['fault', 'kind'], message: `the fault ${fault.kind} needs ${field}` }));
}

function misplaced(fault: Fault): FaultProblem[] {
  const { needs, may } = fields[fault.kind];
  return Object.keys(fault)
    .filter((field) => field !== 'kind' && !needs.includes(field) && !may.includes(field))
    .map((field) => ({ path: ['fault', field], message: `the fault ${fault.kind} has no ${field}` }));
}

function unknowable(rule: FaultRule): FaultProblem[] {
  if (rule.fault.kind !== 'refuse') return [];
  return (['operations', 'method'] as const)
    .filter((field) => rule[field] !== undefined)
    .map((field) => ({
      path: [field],
      message: 'a refused connection is closed before its requests are read',
    }));
}

function tooLate(fault: Fault): FaultProblem[] {
  return fault.kind === 'status' && fault.status === 429 && fault.when === 'after-commit'
    ? [{ path: ['fault', 'when'], message: '429 says that the request was not taken: it is before-commit' }]
    : [];
}

export interface FaultProblem {
  /** From the top of the settings to the culprit. */
  readonly path: readonly (string | number)[];
  readonly message: string;
}
