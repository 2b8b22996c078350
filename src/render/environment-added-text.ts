import type { CredentialNames } from '../environment/model.ts';
import type { Target } from '../state/model.ts';
import { counted, plural } from '../text/counted.ts';
import { escapeTerminal } from './escape.ts';
import { describeTarget } from './plan-view.ts';
import { wrap } from './wrap.ts';

export interface AddedEnvironment {
  /** As people see it. */
  readonly file: string;
  readonly target: Target;
  /** Undefined for the embedded service. */
  readonly credentials: CredentialNames | undefined;
  /** How many attributes of the catalog have no id in it. */
  readonly unbound: number;
  /** What printed commands need to mean it. */
  readonly flags: string;
}

/** One sentence: the file, and for whom it is. */
export function renderAdded({ file, target }: AddedEnvironment): string {
  const lines = wrap(escapeTerminal(`${file} is written: ${describeTarget({ target })}.`), '', '  ');
  return `${lines.join('\n')}\n`;
}

/** What to do with a new environment, a numbered line each. */
export function renderNextSteps({ file, credentials, unbound, flags }: AddedEnvironment): string {
  const first = credentials ? ' --new-environment' : '';
  const steps = [
    ...(unbound > 0
      ? [`write the ${plural(unbound, 'id')} of ${counted(unbound, 'attribute')} into ${file}`]
      : []),
    ...(credentials ? [`set ${credentials.usernameFrom} and ${credentials.passwordFrom}`] : []),
    `trove doctor${flags}`,
    `trove plan${flags}`,
    `trove apply${flags}${first}`,
  ];
  const lines = steps.flatMap((step, at) => wrap(escapeTerminal(step), `  ${at + 1}. `, '     '));
  return `\nNext:\n${lines.map((line) => `${line}\n`).join('')}`;
}
