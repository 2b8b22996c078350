import type { Plan } from '../../plan/model.ts';
import { escapeTerminal } from '../../render/terminal.ts';
import { applyCommand } from '../applying/apply-command.ts';
import type { CommandContext } from '../invocation/context.ts';

/** Names the command that carries the plans out, where it would do anything. */
export function noteSaved(context: CommandContext, file: string, plans: readonly Plan[]): void {
  const command = applyCommand(file, context, plans.some(beginsState));
  const next = plans.some(appliesAnything)
    ? `To do exactly this: ${escapeTerminal(command)}`
    : 'There is nothing in it to apply.';
  context.note(`Saved. ${next}\n`);
}

function appliesAnything({ changes, moved, protections }: Plan): boolean {
  const acts = changes.some(({ action, requests }) => action === 'retire' || requests.length > 0);
  return acts || moved.length + protections.length > 0;
}

/** Whether apply wants to be told that the environment is new. */
export function beginsState({ guards }: Plan): boolean {
  return guards.some(({ override }) => override === '--new-environment');
}
