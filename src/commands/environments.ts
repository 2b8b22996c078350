import { examineCatalog, loadCatalog } from '../catalog/load.ts';
import type { Catalog } from '../catalog/model.ts';
import { environmentNames } from '../environment/find.ts';
import { checkTogether, type Inputs, joinInputs } from '../environment/join-inputs.ts';
import { examineEnvironment, loadEnvironment } from '../environment/load.ts';
import type { Environment } from '../environment/model.ts';
import { type ExplainedDiagnostic, explainProblems } from '../render/messages/explain-problem.ts';
import { failure, type Result } from '../text/diagnostic.ts';
import { type CommandContext, contextFor } from './context.ts';
import { failOn } from './exit-code.ts';

/** Reads the catalog and the chosen environment, and returns all problems of both at once. */
export function loadInputs(context: CommandContext): Promise<Result<Inputs>> {
  return context.timed('load', () => readInputs(context));
}

async function readInputs({ catalogPath, environmentName, io }: CommandContext): Promise<Result<Inputs>> {
  const [catalog, examined] = await Promise.all([
    examineCatalog(catalogPath, { cwd: io.cwd }),
    examineEnvironment(environmentName, { catalogFolder: catalogPath, cwd: io.cwd }),
  ]);
  const { environment } = examined;
  const isMissing = catalog.problems.some(({ rule }) => rule === 'missing-catalog');
  if (isMissing) return failure(...catalog.problems);
  const problems = [...catalog.problems, ...examined.problems];
  if (environment && problems.length === 0)
    return joinInputs(catalog.catalog, environment, { variables: io.env });
  return failure(...problems, ...checkTogether(catalog, [examined]));
}

export function loadEnvironmentOnly(
  { catalogPath, environmentName, io }: CommandContext,
  name = environmentName,
): Promise<Result<Environment>> {
  return loadEnvironment(name, { catalogFolder: catalogPath, cwd: io.cwd });
}

/** The catalog without what an environment overrides. */
export function loadCatalogOnly({ catalogPath, io }: CommandContext): Promise<Result<Catalog>> {
  return loadCatalog(catalogPath, { cwd: io.cwd });
}

/** The names of all environments of the catalog, but `local` where it has no file. */
export function namesOf(context: CommandContext): Promise<readonly string[]> {
  return environmentNames(context.catalogPath);
}

/**
 * So many environments at a time: each has a rate of its own, a service may be the same for all, and there may be more
 * files than a process may open.
 */
const AT_A_TIME = 4;

/** What `task` makes of each, in their order; so many at a time. Where one throws, all others end first. */
export async function inParallel<T, R>(
  each: readonly T[],
  task: (one: T) => Promise<R>,
): Promise<readonly R[]> {
  const running: Promise<R>[] = [];
  const queue = each.entries();
  const work = async () => {
    for (const [at, one] of queue) {
      running[at] = task(one);
      await Promise.allSettled([running[at]]);
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  return Promise.all(running);
}

/** Reads something of each environment; fails with the problems of all. */
export async function readEach<R>(
  names: readonly string[],
  context: CommandContext,
  read: (own: CommandContext) => Promise<Result<R>>,
): Promise<readonly R[]> {
  const results = await inParallel(names, async (name) => {
    const own = contextFor(name, context);
    const result = await read(own);
    return result.ok
      ? result
      : { ok: false as const, problems: named(name, explainProblems(result.diagnostics, own.flags)) };
  });
  failOn(results.flatMap((result) => (result.ok ? [] : result.problems)));
  return results.flatMap((result) => (result.ok ? result.value : []));
}

/** The problems of one of several environments, each with its name. */
export function named(
  environment: string,
  problems: readonly ExplainedDiagnostic[],
): readonly ExplainedDiagnostic[] {
  return problems.map((problem) => ({ ...problem, message: `${environment}: ${problem.message}` }));
}
