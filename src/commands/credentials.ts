import { isUtf8 } from 'node:buffer';
import { addAbortSignal, type Readable } from 'node:stream';
import { readCredentials } from '../environment/credentials.ts';
import type { Credentials, Environment } from '../environment/model.ts';
import { askForCredential } from '../render/questions.ts';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { failOn, orFail, refuse } from './exit-code.ts';
import { converse, hasTerminal } from './prompt.ts';

export interface PasswordSource {
  readonly passwordStdin?: boolean | undefined;
  /** Aborts the wait for a password on standard input. */
  readonly signal?: AbortSignal;
}

/** Reports variables that can't be used before a person is asked anything; on a terminal, missing ones are asked for. */
export function checkCredentials(
  environment: Environment,
  { passwordStdin }: PasswordSource,
  context: CommandContext,
): void {
  if (environment.service.kind === 'embedded' || passwordStdin) return;
  const read = readCredentials(environment, context.io.env);
  if (read.ok) return;
  const isAsked = hasTerminal(context);
  failOn(read.diagnostics.filter(({ rule }) => !isAsked || rule !== 'missing-credentials'));
}

/** The context of a request: on a terminal, with what a person types for the credentials that no variable holds. */
export async function withCredentials(
  environment: Environment,
  { passwordStdin }: PasswordSource,
  context: CommandContext,
): Promise<CommandContext> {
  const { io } = context;
  const { usernameFrom, passwordFrom } = environment.credentials;
  const missing = [usernameFrom, passwordFrom].filter((variable) => !io.env[variable]);
  const isEnough = environment.service.kind === 'embedded' || passwordStdin || missing.length === 0;
  if (isEnough || !hasTerminal(context)) return context;
  const typed = await converse(context, async (ask) => {
    const answers: Record<string, string> = {};
    for (const variable of missing) {
      const isSecret = variable === passwordFrom;
      const part = isSecret ? 'password' : 'username';
      const text = askForCredential(environment.name, part, variable);
      const check = (answer: string) =>
        answer === '' ? error('invalid-credentials', { why: 'empty', part }) : undefined;
      answers[variable] = await ask({ text, isSecret, check });
    }
    return answers;
  });
  const env = { ...io.env, ...typed };
  orFail(readCredentials(environment, env));
  return { ...context, io: { ...io, env } };
}

/** The credentials of a request, from variables, standard input or a person. */
export async function credentialsOf(
  environment: Environment,
  { passwordStdin, signal }: PasswordSource,
  context: CommandContext,
): Promise<Credentials> {
  const { io } = await withCredentials(environment, { passwordStdin }, context);
  if (!passwordStdin) return orFail(readCredentials(environment, io.env));
  const password = await readPassword(io.stdin, signal);
  stopIf(signal);
  const { passwordFrom } = environment.credentials;
  return orFail(readCredentials(environment, { ...io.env, [passwordFrom]: orFail(password) }));
}

/** A person wants it to stop, and nothing was written. */
export function stopIf(signal: AbortSignal | undefined): void {
  if (signal?.aborted) refuse('interrupted', { isPending: false });
}

/** Far more than any password; what is longer is another file, or has no end. */
const MOST_BYTES = 16 * 1024;

/**
 * All of standard input as a password, without the line break that `echo` and editors put at its end. Once `signal` is
 * aborted it is what came by then.
 */
export async function readPassword(stdin: Readable, signal?: AbortSignal): Promise<Result<string>> {
  if (signal) addAbortSignal(signal, stdin);
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of stdin) {
      const bytes = Buffer.from(chunk);
      chunks.push(bytes);
      length += bytes.length;
      if (length > MOST_BYTES) return unfit('input-too-long');
    }
  } catch (cause) {
    if (!signal?.aborted) throw cause;
  }
  const bytes = Buffer.concat(chunks);
  // To replace what is wrong would make another password of it.
  if (!isUtf8(bytes)) return unfit('input-not-text');
  return success(bytes.toString('utf8').replace(/\r?\n$/, ''));
}

function unfit(why: 'input-too-long' | 'input-not-text'): Result<never> {
  return failure(error('invalid-credentials', { why }, { subject: '--password-stdin' }));
}
