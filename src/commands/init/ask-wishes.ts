import { normalBaseUrl } from '../../environment/defaults.ts';
import { nameProblem } from '../../environment/find.ts';
import type { Ask } from '../asking/questions.ts';
import { settingProblem } from '../settings/setting-problem.ts';
import type { InitOptions, InitWishes } from './wishes.ts';

const NO_SERVICE = 'none yet';
const YES = ['y', 'yes'];
const NO = ['n', 'no'];

/** What the command line says already. */
interface Given {
  readonly options: InitOptions;
  readonly folder: string | undefined;
  /** The environment of `-e`, undefined where that is `local`. */
  readonly named: string | undefined;
}

/** Asks for what the command line left open. Enter takes what stands in brackets. */
export async function askWishes(
  ask: Ask,
  { options, folder, named }: Given,
  folderProblem: (folder: string) => Promise<string | undefined>,
): Promise<InitWishes> {
  const chosen =
    folder ?? (await ask({ text: 'Folder of the project', fallback: '.', check: folderProblem }));
  const example = options.example || options.empty ? options.example === true : await askExample(ask);
  const baseUrl = options.baseUrl ?? (await askBaseUrl(ask, named === undefined ? NO_SERVICE : undefined));
  if (baseUrl === NO_SERVICE) return { folder: chosen, example, environment: undefined };
  const teamId = options.teamId ?? (await ask({ text: 'Id of the team there', check: teamProblem }));
  const name =
    named ??
    (await ask({ text: 'Name of this environment', fallback: 'staging', check: environmentProblem }));
  return { folder: chosen, example, environment: { name, baseUrl, teamId } };
}

async function askExample(ask: Ask): Promise<boolean> {
  const answer = await ask({
    text: 'Begin with an example?',
    fallback: 'yes',
    check: (given) => ([...YES, ...NO].includes(given.toLowerCase()) ? undefined : 'Answer yes or no.'),
  });
  return YES.includes(answer.toLowerCase());
}

function askBaseUrl(ask: Ask, fallback: string | undefined): Promise<string> {
  return ask({
    text: 'Base URL of the service, such as https://game.example/api',
    ...(fallback !== undefined && { fallback }),
    check: (answer) => {
      const checked = answer === fallback ? undefined : normalBaseUrl(answer, false);
      return checked && 'problem' in checked ? `${checked.problem}: ${checked.hint}` : undefined;
    },
  });
}

function teamProblem(answer: string): string | undefined {
  return settingProblem('teamId', answer, undefined)?.problem;
}

function environmentProblem(answer: string): string | undefined {
  if (answer === 'local') return 'The environment local is there without a file; take another name.';
  const problem = nameProblem(answer);
  return problem && `${problem.message}: ${problem.hint}`;
}
