import type { Owner } from '../text/diagnostic.ts';
import { type ExplainedDiagnostic, explained } from './messages/explain-problem.ts';
import { dismissAll } from './messages/sentences.ts';
import { stateCommandProblems } from './messages/state-command-problems.ts';
import { escapeTerminal } from './terminal.ts';
import { pluralize, quotedForShell } from './words.ts';

/** What is confirmed on a terminal, or with a flag. */
export interface Confirmation {
  readonly question: string;
  /** What is true after a no. */
  readonly otherwise: string;
  /** What to type without a terminal. */
  readonly hint: string;
}

export const onlyYes = 'Only "yes" is accepted';

/** Where a conversation ends before anything was done. */
export const nothingWritten = 'Nothing was written.';

/** The problem of a command that has to ask without a terminal. */
export function notConfirmed({ otherwise, hint }: Confirmation): ExplainedDiagnostic {
  return explained('not-confirmed', `confirmation needs a terminal. ${otherwise}`, { hint });
}

export function askToImport(file: string, flags: string): Confirmation {
  return {
    question: '\nRecord these IDs?',
    otherwise: 'Nothing was recorded.',
    hint: `check the IDs first: trove import${flags} --dry-run --file ${quotedForShell(file)}, then the same with --yes`,
  };
}

export function askToDismiss(count: number, flags: string): Confirmation {
  return {
    question: `\nRecord ${pluralize(count, 'create')} as not created?`,
    otherwise: 'Nothing was recorded.',
    hint: `check the service, then: ${dismissAll(flags)} --yes`,
  };
}

export function askToForget(address: string, flags: string): Confirmation {
  return {
    question: `\nForget ${address}?`,
    otherwise: 'Nothing was forgotten.',
    hint: `trove state forget ${address}${flags} --yes`,
  };
}

/** What is asked before a lock is removed whose run is alive. */
export function askToUnlock(
  owner: Owner | undefined,
  flags: string,
): Confirmation & { readonly warning: string } {
  const [alive, hint = ''] = stateCommandProblems.locked.alive({ why: 'alive', owner }, flags);
  return {
    warning: `${alive.replace(/^the/, 'The')}.\n`,
    question: 'It may still write, and records may be created twice. Remove its lock?',
    otherwise: 'The lock was not removed.',
    hint,
  };
}

/** A question on one line; `fallback` is what an empty answer stands for. */
export function renderQuestion(text: string, fallback: string | undefined): string {
  return `${text}${fallback === undefined ? '' : ` [${escapeTerminal(fallback)}]`}: `;
}

export function askForCredential(
  environment: string,
  part: 'username' | 'password',
  variable: string,
): string {
  return `${part === 'username' ? 'Username' : 'Password'} for ${environment} (${variable} is not set)`;
}

/** Why an answer will not do, in a line: what is wrong, then what is in the way or what to do. */
export function renderAnswerProblem({ message, subject, hint }: ExplainedDiagnostic): string {
  const more = subject ?? hint;
  return `${escapeTerminal(more === undefined ? message : `${message}: ${more}`)}\n`;
}

/** What `trove env add` asks. */
export const settingQuestions = {
  baseUrl: 'Base URL of the service',
  teamId: 'Team ID',
  userId: 'User ID, to check address and credentials before the first write (optional)',
  usernameFrom: 'Variable that holds the username',
  passwordFrom: 'Variable that holds the password',
} as const;

/** What `trove init` asks. */
export const initQuestions = {
  folder: 'Project folder',
  example: 'Start with an example?',
  baseUrl: 'Base URL of the service, such as https://game.example/api',
  teamId: 'Team ID at this service',
  name: 'Name of this environment',
} as const;

/** The answers to `initQuestions` that stand for themselves. */
export const initAnswers = { example: 'yes', noService: 'none yet' } as const;
