import { normalBaseUrl } from '../../environment/base-url.ts';
import type { Ask } from '../ask.ts';
import type { InitOptions, InitWishes } from './wishes.ts';

/** Asks for what the command line left open. Enter takes what stands in brackets. */
export async function askWishes(
  ask: Ask,
  options: InitOptions,
  folder: string | undefined,
  named: string | undefined,
): Promise<InitWishes> {
  const chosen = folder ?? ((await ask('Folder of the project [.]: ')) || '.');
  const example =
    options.example || options.empty ? options.example === true : await askYes(ask, 'Begin with an example?');
  const baseUrl =
    options.baseUrl ?? (named ? await askBaseUrl(ask, '') : await askBaseUrl(ask, ' [none yet]'));
  if (baseUrl === '') return { folder: chosen, example, environment: undefined };
  const teamId = options.teamId ?? (await askText(ask, 'Id of the team there: '));
  const name = named ?? ((await ask('Name of this environment [staging]: ')) || 'staging');
  return { folder: chosen, example, environment: { name, baseUrl, teamId } };
}

async function askYes(ask: Ask, question: string): Promise<boolean> {
  for (;;) {
    const answer = (await ask(`${question} [yes]: `)).toLowerCase();
    if (['', 'y', 'yes'].includes(answer)) return true;
    if (['n', 'no'].includes(answer)) return false;
  }
}

async function askText(ask: Ask, question: string): Promise<string> {
  for (;;) {
    const answer = await ask(question);
    if (answer !== '') return answer;
  }
}

/** Asks until it is a base URL; with a default in brackets also until it is empty. */
async function askBaseUrl(ask: Ask, fallback: string): Promise<string> {
  let why = '';
  for (;;) {
    const answer = await ask(`${why}Base URL of the service, such as https://game.example/api${fallback}: `);
    if (answer === '' && fallback !== '') return '';
    const checked = normalBaseUrl(answer, false);
    if ('url' in checked) return answer;
    why = `${checked.problem}: ${checked.hint}\n`;
  }
}
