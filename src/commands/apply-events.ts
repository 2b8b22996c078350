import { validate } from '../../generated/events.js';
import { type ApplyEvent, type ChangeResult, type ResultKind, resultKinds } from '../apply/model.ts';
import type { Inputs } from '../environment/join-inputs.ts';
import type { CredentialNames } from '../environment/model.ts';
import type { Plan } from '../plan/model.ts';
import {
  type ExplainedReport,
  type ExplainedResult,
  explainResult,
} from '../render/messages/explain-plan.ts';
import { type ExplainedDiagnostic, explained, explainProblems } from '../render/messages/explain-problem.ts';
import type { AppliedEnvironment } from '../render/model.ts';
import { renderJsonLine } from '../render/terminal.ts';
import type { State } from '../state/model.ts';
import type { Diagnostic, Result } from '../text/diagnostic.ts';
import { type CommandContext, contextFor } from './context.ts';
import { type ExitCode, refuse } from './exit-code.ts';

/** A plan and what became of it. */
export interface AppliedPlan {
  readonly plan: Plan;
  readonly inputs: Inputs;
  readonly report: ExplainedReport;
  /** The state as it was saved. Where it could not be, the report still has every id. */
  readonly saved: Result<State>;
}

/**
 * What becomes of one environment, a line of JSON for each event as it happens (schemas/events.schema.json). The last
 * one is `finished`, whatever happened; where it is missing, the process was killed.
 */
export class ApplyEvents {
  readonly #context: Pick<CommandContext, 'io' | 'print' | 'flags'>;
  readonly #environment: string;
  readonly #written = new Map<string, ResultKind>();
  #report: AppliedPlan['report'] | undefined;

  constructor(context: Pick<CommandContext, 'io' | 'print' | 'flags'>, environment: string) {
    this.#context = context;
    this.#environment = environment;
  }

  planned(plan: Plan, { environment: { credentials } }: AppliedPlan['inputs']): void {
    const { target, summary, moved, protections, state, catalog } = plan;
    this.#write('planned', { target, summary, moved, protections, state, catalog, credentials });
  }

  event(event: ApplyEvent): void {
    if (event.type === 'started') this.#write('started', { total: event.total });
    else this.#change(explainResult(event.result), { done: event.done, total: event.total });
  }

  /** Writes results that are known only at the end, and again those that what is really kept has corrected. */
  applied({ report, saved }: AppliedPlan): void {
    this.#report = report;
    for (const result of report.results) {
      if (this.#written.get(changeKey(result)) !== result.result) this.#change(result);
    }
    if (saved.ok) this.#write('saved', { lineage: saved.value.lineage, serial: saved.value.serial });
    else this.#write('not-saved', { problems: this.#shown(saved.diagnostics) });
  }

  finished(exitCode: ExitCode, problems: readonly Diagnostic[]): void {
    const report = this.#report;
    const count = (kind: ResultKind) => report?.results.filter(({ result }) => result === kind).length;
    this.#write('finished', {
      exitCode,
      // Null: nothing was sent.
      summary: report ? Object.fromEntries(resultKinds.map((kind) => [kind, count(kind)])) : null,
      moved: report?.moved ?? [],
      protections: report?.protections ?? [],
      ...(report?.halt && { halt: report.halt }),
      problems: this.#shown(problems),
    });
  }

  #shown(problems: readonly Diagnostic[]) {
    return explainProblems(problems, this.#context.flags).map(problemOf);
  }

  #change(result: ExplainedResult, rest: object = {}): void {
    this.#written.set(changeKey(result), result.result);
    this.#write('change', { ...result, ...rest });
  }

  #write(event: string, rest: object): void {
    const at = this.#context.io.now().toISOString();
    this.#context.print(renderJsonLine({ event, environment: this.#environment, at, ...rest }));
  }
}

/** One address may have two changes, of different actions. */
function changeKey({ address, action }: Pick<ChangeResult, 'address' | 'action'>): string {
  return `${action} ${address}`;
}

function problemOf({ rule, message, hint }: ExplainedDiagnostic) {
  return { rule, message, hint: hint ?? null };
}

/** A line of an events file, as far as it is read back (schemas/events.schema.json). */
type Line = { readonly environment: string } & (
  | ({ readonly event: 'planned'; readonly credentials: CredentialNames } & Pick<ExplainedReport, 'target'>)
  | ({ readonly event: 'change' } & ExplainedResult)
  | ({
      readonly event: 'finished';
      readonly exitCode: number;
      readonly problems: readonly ReturnType<typeof problemOf>[];
    } & Pick<ExplainedReport, 'moved' | 'protections' | 'halt'>)
  | { readonly event: 'started' | 'saved' | 'not-saved' }
);

/** True for what `trove apply --format ndjson` wrote. */
export function isEvents(text: string): boolean {
  return /^\{"event":"/.test(text);
}

/** Reads the events of one apply; a last line that was cut off is left out. `subject` is its path. */
export function readEvents(
  text: string,
  subject: string,
  context: CommandContext,
): readonly AppliedEnvironment[] {
  const linesOf = new Map<string, Line[]>();
  const written = text.split('\n');
  for (const [at, line] of written.entries()) {
    if (line.trim() === '') continue;
    const value = parsed(line);
    if (value === undefined && at === written.length - 1) break;
    if (!validate(value)) refuse('invalid-events-file', { why: 'no-event', line: at + 1 }, { subject });
    const event = value as Line;
    const { environment } = event;
    const own = linesOf.get(environment) ?? [];
    // Results of two runs must not be shown as those of one.
    if (own.at(-1)?.event === 'finished')
      refuse('invalid-events-file', { why: 'second-apply', line: at + 1, environment }, { subject });
    own.push(event);
    linesOf.set(environment, own);
  }
  return [...linesOf].map(([environment, lines]) => summaryOf(environment, lines, context));
}

/** Undefined for what is no JSON: a line that ended in its middle, say. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function summaryOf(environment: string, lines: readonly Line[], context: CommandContext): AppliedEnvironment {
  const planned = lines.find((line) => line.event === 'planned');
  const finished = lines.find((line) => line.event === 'finished');
  const results = new Map<string, ExplainedResult>();
  for (const line of lines) if (line.event === 'change') results.set(changeKey(line), line);
  const { exitCode = 1, problems = [], moved = [], protections = [], halt } = finished ?? {};
  const report = { environment, results: [...results.values()], moved, protections, ...(halt && { halt }) };
  const { flags } = contextFor(environment, context);
  return {
    environment,
    isUnfinished: finished === undefined,
    exitCode,
    problems: problems.map(({ rule, message, hint }) => explained(rule, message, hint ? { hint } : {})),
    ...(planned && {
      report: { ...report, target: planned.target },
      reader: { credentials: planned.credentials, flags },
    }),
  };
}
