import { type ApplyEvent, type ChangeResult, type ResultKind, resultKinds } from '../../apply/model.ts';
import type { Plan } from '../../plan/model.ts';
import { renderJsonLine } from '../../render/terminal.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import type { CommandContext } from '../invocation/context.ts';
import type { ExitCode } from '../invocation/exit-code.ts';
import type { AppliedPlan, ApplyTalk } from './apply-environment.ts';

/**
 * What becomes of one environment, a line of JSON for each event as it happens (schemas/events.schema.json). The last
 * one is `finished`, whatever happened; where it is missing, the process was killed.
 */
export class ApplyEvents implements Pick<ApplyTalk, 'planned' | 'event' | 'applied'> {
  readonly #context: Pick<CommandContext, 'io' | 'print'>;
  readonly #environment: string;
  readonly #told = new Map<string, ResultKind>();
  #report: AppliedPlan['report'] | undefined;

  constructor(context: Pick<CommandContext, 'io' | 'print'>, environment: string) {
    this.#context = context;
    this.#environment = environment;
  }

  planned(plan: Plan, { environment: { credentials } }: AppliedPlan['inputs']): void {
    const { target, summary, moved, protections, state, catalog } = plan;
    this.#tell('planned', { target, summary, moved, protections, state, catalog, credentials });
  }

  event(event: ApplyEvent): void {
    if (event.type === 'started') this.#tell('started', { total: event.total });
    else this.#change(event.result, { done: event.done, total: event.total });
  }

  /** Results that are only known at the end are told here, and what the saved state has put right is told again. */
  applied({ report, saved }: AppliedPlan): void {
    this.#report = report;
    for (const result of report.results) {
      if (this.#told.get(keyOf(result)) !== result.result) this.#change(result);
    }
    if (saved.ok) this.#tell('saved', { lineage: saved.value.lineage, serial: saved.value.serial });
    else this.#tell('not-saved', { problems: saved.diagnostics.map(problemOf) });
  }

  finished(exitCode: ExitCode, problems: readonly Diagnostic[]): void {
    const report = this.#report;
    const count = (kind: ResultKind) => report?.results.filter(({ result }) => result === kind).length;
    this.#tell('finished', {
      exitCode,
      // Null: nothing was sent.
      summary: report ? Object.fromEntries(resultKinds.map((kind) => [kind, count(kind)])) : null,
      moved: report?.moved ?? [],
      protections: report?.protections ?? [],
      ...(report?.halt && { halt: report.halt }),
      problems: problems.map(problemOf),
    });
  }

  #change(result: ChangeResult, rest: object = {}): void {
    this.#told.set(keyOf(result), result.result);
    this.#tell('change', { ...result, ...rest });
  }

  #tell(event: string, rest: object): void {
    const at = this.#context.io.now().toISOString();
    this.#context.print(renderJsonLine({ event, environment: this.#environment, at, ...rest }));
  }
}

/** One address may have two changes, of different actions. */
export function keyOf({ address, action }: Pick<ChangeResult, 'address' | 'action'>): string {
  return `${action} ${address}`;
}

function problemOf({ rule, message, hint }: Diagnostic) {
  return { rule, message, hint: hint ?? null };
}
