import { compareEnvironments, type Side } from '../plan/compare-environments.ts';
import { targetOf } from '../plan/make-plan.ts';
import {
  type ComparedEnvironment,
  renderEnvironmentsDifference,
  renderEnvironmentsDifferenceJson,
} from '../render/environment-text.ts';
import { type CommandContext, contextFor } from './context.ts';
import { loadInputs } from './environments.ts';
import { type ExitCode, exitCode, orFail, refuse } from './exit-code.ts';
import { readStateOf } from './state.ts';

interface EnvDiffOptions {
  readonly format: 'text' | 'json';
  readonly exitCode?: boolean;
}

/** `trove env diff ONE OTHER`: what two teams have differently. Reads files only, and takes no lock. */
export async function envDiff(
  context: CommandContext,
  one: string,
  other: string,
  options: EnvDiffOptions,
): Promise<ExitCode> {
  if (one === other) {
    const hint = `name two; to see them all: trove env list${context.flags}`;
    refuse('same-environment', `both sides are environment ${one}`, { hint });
  }
  const first = await readSide(contextFor(one, context));
  const second = await readSide(contextFor(other, context));
  const difference = compareEnvironments(first, second);
  const pair = [comparedOf(first), comparedOf(second)] as const;
  context.print(
    options.format === 'json'
      ? renderEnvironmentsDifferenceJson(difference, pair)
      : renderEnvironmentsDifference(difference, pair, context.color.stdout),
  );
  const differs = Object.values(difference).some((differences) => differences.length > 0);
  return differs && options.exitCode ? exitCode.changes : exitCode.done;
}

async function readSide(context: CommandContext): Promise<Side> {
  const inputs = orFail(await loadInputs(context));
  return { ...inputs, state: orFail(await readStateOf(inputs.environment)) };
}

function comparedOf({ environment, state }: Side): ComparedEnvironment {
  return {
    environment: environment.name,
    target: targetOf(environment),
    hasState: state !== undefined,
  };
}
