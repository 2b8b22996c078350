import type { Plan } from '../../plan/model.ts';
import { type ExitCode, exitCode } from '../invocation/exit-code.ts';
import type { WishOptions } from './wishes.ts';

export interface PlanOptions extends WishOptions {
  readonly format?: readonly string[];
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

/** What needs a person outranks what apply can do by itself. */
export function planExitCode({ summary, changes, moved, protections }: Plan, detailed: boolean): ExitCode {
  if (summary.unknown > 0) return exitCode.unknown;
  if (summary.blocked + summary.waiting > 0) return exitCode.blocked;
  const pending =
    moved.length + protections.length > 0 || changes.some(({ action }) => action !== 'unchanged');
  return detailed && pending ? exitCode.changes : exitCode.done;
}
