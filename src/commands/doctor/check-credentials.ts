import { readCredentials } from '../../environment/credentials.ts';
import type { Environment } from '../../environment/model.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import { readPassword } from '../connecting/password.ts';
import type { CommandContext } from '../invocation/context.ts';
import { failed, type Looked, ok } from './finding.ts';

/** Whether the variables hold credentials; gives them all with the password from standard input, if it comes from there. */
export async function checkCredentials(
  environment: Environment,
  { passwordStdin = false }: { readonly passwordStdin?: boolean },
  { io }: CommandContext,
): Promise<Looked<NodeJS.ProcessEnv>> {
  if (environment.service.kind === 'embedded')
    return { findings: [ok('credentials', 'the embedded service needs none')], value: io.env };
  const { usernameFrom, passwordFrom } = environment.credentials;
  const password = passwordStdin ? await readPassword(io.stdin) : undefined;
  if (password?.ok === false) {
    const what = password.diagnostics.map(({ message }) => message).join('; ');
    return { findings: [failed('credentials', what, 'pipe the password alone into trove')] };
  }
  const variables = password ? { ...io.env, [passwordFrom]: password.value } : io.env;
  const read = readCredentials(environment, variables);
  if (!read.ok) return { findings: [failed('credentials', ...said(read.diagnostics, environment))] };
  const message = passwordStdin
    ? `${usernameFrom} is set, and the password came from standard input`
    : `${usernameFrom} and ${passwordFrom} are set`;
  return { findings: [ok('credentials', message)], value: variables };
}

/** What is wrong, then what to do. Messages name variables and never hold their values. */
function said(problems: readonly Diagnostic[], { document, name }: Environment): readonly [string, string] {
  const unset = problems.filter(({ rule }) => rule === 'missing-credentials');
  const unfit = problems.filter((problem) => !unset.includes(problem));
  const sentences = [
    ...(unset.length > 0 ? [`${variables(unset)} ${unset.length > 1 ? 'are' : 'is'} not set`] : []),
    ...unfit.map(({ message }) => message),
  ];
  const file = document?.source.path ?? `the file of environment ${name}`;
  const remedy = `set ${variables(problems)}, or name other variables below \`credentials\` in ${file}`;
  return [sentences.join('; '), remedy];
}

function variables(problems: readonly Diagnostic[]): string {
  return [...new Set(problems.map(({ subject }) => subject))].join(' and ');
}
