import { loadCatalog } from '../catalog/load.ts';
import { joinInputs } from '../environment/join-inputs.ts';
import { loadEnvironment } from '../environment/load.ts';
import { compareEnvironments, type Side } from '../plan/compare-environments.ts';
import { targetOf } from '../plan/make-plan.ts';
import {
  type ComparedEnvironment,
  renderEnvironmentsDifference,
  renderEnvironmentsDifferenceJson,
} from '../render/environment-diff-text.ts';
import { error, failure, type Result, success } from '../text/diagnostic.ts';
import type { CommandContext } from './context.ts';
import { type ExitCode, exitCode, orFail } from './exit-code.ts';
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
  const [first, second] = orFail(
    one === other ? failure(sameTwice(one, context)) : await readSides(one, other, context),
  );
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

/** Both, or everything that is wrong with either. */
async function readSides(
  one: string,
  other: string,
  { catalogFolder, io }: CommandContext,
): Promise<Result<readonly [Side, Side]>> {
  const options = { catalogFolder, cwd: io.cwd, variables: io.env };
  const [catalog, ...environments] = await Promise.all([
    loadCatalog(catalogFolder, options),
    ...[one, other].map((name) => loadEnvironment(name, options)),
  ]);
  if (!catalog.ok) return failure(...catalog.diagnostics, ...environments.flatMap(problemsOf));
  const sides = await Promise.all(
    environments.map(async (environment): Promise<Result<Side>> => {
      const inputs = environment.ok ? joinInputs(catalog.value, environment.value, options) : environment;
      if (!inputs.ok) return inputs;
      const state = await readStateOf(inputs.value.environment);
      return state.ok ? success({ ...inputs.value, state: state.value }) : state;
    }),
  );
  const [first, second] = sides;
  if (first?.ok && second?.ok) return success([first.value, second.value]);
  return failure(...sides.flatMap(problemsOf));
}

function problemsOf(result: Result<unknown>) {
  return result.ok ? [] : result.diagnostics;
}

function comparedOf({ environment, state }: Side): ComparedEnvironment {
  return {
    environment: environment.name,
    target: targetOf(environment),
    hasState: state !== undefined,
  };
}

function sameTwice(name: string, { flags }: CommandContext) {
  const hint = `name two; to see them all: trove env list${flags}`;
  return error('same-environment', `both sides are environment ${name}`, { hint });
}
