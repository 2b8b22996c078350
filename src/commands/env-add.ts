import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { shownPath } from '../catalog/find.ts';
import type { Catalog } from '../catalog/model.ts';
import { applyOverrides } from '../environment/apply-overrides.ts';
import { unboundAttributes, usedAttributes } from '../environment/attributes.ts';
import { copyEnvironment, environmentTemplate } from '../environment/file-text.ts';
import { readEnvironment } from '../environment/load.ts';
import type { Environment, TeamSettings } from '../environment/model.ts';
import { targetOf } from '../plan/make-plan.ts';
import { renderAdded, renderNextSteps } from '../render/command-texts.ts';
import { quoted } from '../text/quoted.ts';
import { SourceText } from '../text/source.ts';
import { absoluteCatalog, type CommandContext, contextFor } from './context.ts';
import { environmentExists, gatherSettings, refuseName, type SettingFlags } from './env-settings.ts';
import { loadCatalogOnly, loadEnvironmentOnly, namesOf } from './environments.ts';
import { fail, orFail, refuse } from './exit-code.ts';
import { writeNewFile } from './outputs.ts';
import { isSameTeam } from './state.ts';

/** `trove env add NAME`: writes the file of a new environment, once it is known to be valid and nobody else's. */
export async function envAdd(context: CommandContext, name: string, flags: SettingFlags): Promise<void> {
  const folder = absoluteCatalog(context);
  const path = join(folder, 'environments', `${name}.yaml`);
  const shown = shownPath(path, context.io.cwd);
  await refuseName(name, folder, shown);
  const { catalog, from } = await loadSources(name, flags.from, context);
  const settings = await gatherSettings(name, flags, from, context);
  const text = from ? copyOf(from, settings) : templateFor(settings, catalog, path);
  const about = { name, folder, digest: '' };
  const environment = orFail(await readEnvironment(new SourceText(shown, text), about));
  await refuseTaken(environment, context);
  if (!(await writeNewFile(path, text, shown))) environmentExists(shown);
  const { service, credentials } = environment;
  const added = {
    file: shown,
    target: targetOf(environment),
    credentials: service.kind === 'remote' ? credentials : undefined,
    unbound: unboundAttributes(applyOverrides(catalog, environment).catalog, environment).length,
    flags: contextFor(name, context).flags,
  };
  context.print(renderAdded(added));
  context.note(renderNextSteps(added));
}

async function loadSources(name: string, copied: string | undefined, context: CommandContext) {
  const [catalog, from] = await Promise.all([
    loadCatalogOnly(context),
    copied === undefined ? undefined : loadEnvironmentOnly(context, copied),
  ]);
  const problems = [catalog, from].flatMap((result) => (!result || result.ok ? [] : result.diagnostics));
  if (!catalog.ok || (from && !from.ok)) return fail(problems);
  if (from && !from.value.document) nothingToCopy(name, context);
  return { catalog: catalog.value, from: from?.value };
}

function copyOf(from: Environment, settings: TeamSettings): string {
  const text = copyEnvironment(from.document?.source.text ?? '', from, settings, randomUUID());
  return text ?? notCopied(from);
}

function templateFor(settings: TeamSettings, catalog: Catalog, path: string): string {
  const attributes = [...usedAttributes(catalog)].sort();
  // Where an editor finds the schema without the network: in the repository, or in an installed package.
  const schema = ['schemas', 'node_modules/trove/schemas']
    .map((folder) => resolve(dirname(path), '../..', folder, 'environment.schema.json'))
    .find((file) => existsSync(file));
  const fromFile = schema !== undefined && { schema: shownPath(schema, dirname(path)) };
  return environmentTemplate(settings, { ...fromFile, attributes });
}

function nothingToCopy(name: string, { flags }: CommandContext): never {
  const hint = `to make one like it: trove env add ${name}${flags} --service embedded`;
  return refuse('nothing-to-copy', 'the environment `local` has no file that could be copied', { hint });
}

function notCopied({ name }: Environment): never {
  const message = `the file of environment ${quoted(name)} is written in a way that can't be copied`;
  const hint = 'an anchor stands in what has to go; write its value out, or leave --from out';
  return refuse('not-copied', message, { hint });
}

/**
 * Refuses a new environment if another one is the same team or has its state: both would create everything again. One
 * that is not valid may be that team, so its problems count too.
 */
async function refuseTaken(environment: Environment, context: CommandContext): Promise<void> {
  const { service, state } = environment;
  for (const name of await namesOf(context)) {
    const other = orFail(await loadEnvironmentOnly(context, name));
    if (other.state.path === state.path) {
      const message = `environment ${name} keeps its state there already`;
      const hint = `take another name, or give environment ${name} another \`state.path\``;
      refuse('same-state', message, { subject: state.path, hint });
    }
    if (service.kind === 'remote' && isSameTeam(other, environment)) {
      const message = `environment ${name} is this team on this service already, and a second one would create everything again`;
      const hint = `trove plan${context.flags} -e ${name}, or give another --team-id`;
      refuse('same-team', message, { hint });
    }
  }
}
