import { validate } from '../../generated/events.js';
import type { ApplyReport, ChangeResult } from '../apply/model.ts';
import type { CredentialNames } from '../environment/model.ts';
import type { AppliedEnvironment } from '../render/several-text.ts';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import { keyOf } from './apply-events.ts';
import { type CommandContext, contextFor } from './context.ts';

/** A line of an events file, as far as it is read back (schemas/events.schema.json). */
type Line = { readonly environment: string } & (
  | {
      readonly event: 'planned';
      readonly target: ApplyReport['target'];
      readonly credentials: CredentialNames;
    }
  | ({ readonly event: 'change' } & ChangeResult)
  | {
      readonly event: 'finished';
      readonly exitCode: number;
      readonly halt?: NonNullable<ApplyReport['halt']>;
      readonly problems: readonly {
        readonly rule: string;
        readonly message: string;
        readonly hint: string | null;
      }[];
    }
  | { readonly event: 'started' | 'saved' | 'not-saved' }
);

/** What an apply told, and the environments of which it did not tell the end. */
export interface ToldApply {
  readonly all: readonly AppliedEnvironment[];
  readonly unfinished: readonly string[];
}

/** True for what `trove apply --format ndjson` wrote. */
export function isEvents(text: string): boolean {
  return /^\{"event":"/.test(text);
}

/** Reads the events of an apply; a last line that was cut off is left out. `path` is only for messages. */
export function readEvents(text: string, path: string, context: CommandContext): Result<ToldApply> {
  const lines: Line[] = [];
  const written = text.split('\n');
  for (const [at, line] of written.entries()) {
    if (line === '') continue;
    const event = parsed(line);
    if (event !== undefined) lines.push(event);
    else if (at < written.length - 1) return failure(notAnEvent(path, at + 1));
  }
  const names = [...new Set(lines.map(({ environment }) => environment))];
  const told = names.map((name) => toldOf(name, lines, context));
  return success({
    all: told.map(({ applied }) => applied),
    unfinished: told.flatMap(({ applied, isFinished }) => (isFinished ? [] : [applied.environment])),
  });
}

function parsed(line: string): Line | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return validate(value) ? (value as Line) : undefined;
  } catch {
    return undefined;
  }
}

function notAnEvent(path: string, line: number) {
  const message = `line ${line} is not an event that this version of Trove writes`;
  return error('invalid-events-file', message, { subject: path });
}

function toldOf(environment: string, all: readonly Line[], context: CommandContext) {
  const lines = all.filter((line) => line.environment === environment);
  const planned = lines.find((line) => line.event === 'planned');
  const finished = lines.find((line) => line.event === 'finished');
  const results = new Map<string, ChangeResult>();
  for (const line of lines) if (line.event === 'change') results.set(keyOf(line), line);
  const { target, credentials } = planned ?? {};
  const report = target && {
    environment,
    target,
    results: [...results.values()],
    ...(finished?.halt && { halt: finished.halt }),
  };
  const { flags } = contextFor(environment, context);
  const applied: AppliedEnvironment = {
    environment,
    exitCode: finished?.exitCode ?? 1,
    problems: (finished?.problems ?? []).map(({ rule, message, hint }) =>
      error(rule, message, hint === null ? {} : { hint }),
    ),
    ...(report && credentials && { report, reader: { credentials, flags } }),
  };
  return { applied, isFinished: finished !== undefined };
}
