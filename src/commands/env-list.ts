import type { Catalog } from '../catalog/model.ts';
import { joinInputs } from '../environment/join-inputs.ts';
import { makePlan, targetOf } from '../plan/make-plan.ts';
import {
  type ListedEnvironment,
  type RecordedCounts,
  renderEnvironmentList,
  renderEnvironmentListJson,
} from '../render/environment-text.ts';
import { entriesOf } from '../state/entries.ts';
import type { State } from '../state/model.ts';
import type { Diagnostic } from '../text/diagnostic.ts';
import { type CommandContext, contextFor } from './context.ts';
import { inParallel, loadCatalogOnly, loadEnvironmentOnly, namesOf } from './environments.ts';
import { readStateOf } from './state.ts';

/**
 * `trove env list`: every environment of the catalog, and how it stands. Reads files only, and takes no lock. What
 * is wrong with one is in its row, and is no error of the list.
 */
export async function envList(
  context: CommandContext,
  { format }: { readonly format: 'text' | 'json' },
): Promise<void> {
  const [catalog, names] = await Promise.all([loadCatalogOnly(context), namesOf(context)]);
  const listed = await inParallel(names, (name) =>
    listedEnvironment(name, catalog.ok ? catalog.value : undefined, context),
  );
  context.print(format === 'json' ? renderEnvironmentListJson(listed) : renderEnvironmentList(listed));
  context.note(whereToLook(listed, catalog.ok, context));
}

function whereToLook(
  listed: readonly ListedEnvironment[],
  isCatalogValid: boolean,
  context: CommandContext,
): string {
  const isInvalid = !isCatalogValid || listed.some(({ trouble }) => trouble?.of === 'file');
  const lines = [
    ...(isCatalogValid ? [] : ['The catalog is not valid, so nothing can be planned.']),
    ...(isInvalid ? [`To see every problem: trove validate${context.flags}`] : []),
    ...listed.flatMap(({ name, trouble }) => {
      const { flags } = contextFor(name, context);
      if (trouble?.of === 'state') return [`To see what is wrong with its state: trove doctor${flags}`];
      return trouble?.of === 'plan' ? [`To see why it can't be planned: trove plan${flags}`] : [];
    }),
  ];
  return lines.length === 0 ? '' : `\n${lines.join('\n')}\n`;
}

async function listedEnvironment(
  name: string,
  catalog: Catalog | undefined,
  context: CommandContext,
): Promise<ListedEnvironment> {
  const nothing = { name, target: null, recorded: null, blocked: null, trouble: null };
  const environment = await loadEnvironmentOnly(context, name);
  if (!environment.ok) return { ...nothing, trouble: troubleOf('file', environment.diagnostics) };
  const target = targetOf(environment.value);
  const state = await readStateOf(environment.value);
  if (!state.ok) return { ...nothing, target, trouble: troubleOf('state', state.diagnostics) };
  const recorded = countsOf(state.value);
  if (!catalog) return { ...nothing, target, recorded };
  const inputs = joinInputs(catalog, environment.value, { variables: context.io.env });
  if (!inputs.ok) return { ...nothing, target, recorded, trouble: troubleOf('plan', inputs.diagnostics) };
  const { summary } = makePlan({ ...inputs.value, state: state.value });
  return { ...nothing, target, recorded, blocked: summary.blocked };
}

function troubleOf(of: 'file' | 'state' | 'plan', problems: readonly Diagnostic[]) {
  return { of, problems };
}

function countsOf(state: State | undefined): RecordedCounts {
  const entries = entriesOf(state);
  const answered = entries.all('live');
  return {
    records: answered.length,
    retired: entries.all('retired').length,
    imported: entries.all('imported').length,
    unknown: entries.all('pending').length,
    lastApply: answered.reduce<string | null>(
      (latest, { at }) => (latest === null || at > latest ? at : latest),
      null,
    ),
  };
}
