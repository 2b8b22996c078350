import type { ApplyReport, ResultKind } from '../../apply/model.ts';
import type { Plan } from '../../plan/model.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';

/** What only a person can settle outranks what a second run may. */
export function applyExitCode({ results, halt }: ApplyReport, { summary }: Plan, saved: boolean): ExitCode {
  const has = (...kinds: readonly ResultKind[]) => results.some(({ result }) => kinds.includes(result));
  if (halt?.kind === 'interrupted') return exitCode.interrupted;
  if (has('unknown') || summary.unknown > 0) return exitCode.unknown;
  if (!saved || halt || has('failed', 'unrecorded', 'not-started')) return exitCode.error;
  return summary.blocked + summary.waiting > 0 ? exitCode.blocked : exitCode.done;
}
