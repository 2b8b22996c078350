import { shownPath } from '../../catalog/find.ts';
import type { Environment } from '../../environment/model.ts';
import { type NewestVersion, newestVersion, noteVersion } from '../../state/file/newest-version.ts';
import type { SavedVersion } from '../../state/version.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';
import { quotedForShell } from '../../text/quoted.ts';
import type { CommandContext } from '../invocation/context.ts';
import { leadsOutOfCatalog } from '../output/inside-catalog.ts';

/** The newest version of the state of an environment that this machine has had, as far as it knows. */
export async function newestHere(
  { newestVersionPath }: Environment,
  context: CommandContext,
): Promise<NewestVersion | undefined> {
  const stray = await leadsOutOfCatalog(newestVersionPath, context);
  return stray ? undefined : newestVersion(newestVersionPath);
}

/** Notes that this machine has had a version, unless a newer one is noted. */
export async function noteHere(
  { newestVersionPath }: Environment,
  version: SavedVersion,
  context: CommandContext,
): Promise<void> {
  if (await leadsOutOfCatalog(newestVersionPath, context)) return;
  await noteVersion(newestVersionPath, version);
}

/** What came after an older version would be created a second time, so nothing is done with it. */
export function olderState(
  { state }: Environment,
  { serial }: SavedVersion,
  newest: NewestVersion,
  context: CommandContext,
): Diagnostic {
  return error('older-state', olderThan(serial, newest), {
    subject: state.path,
    hint: waysFromOlder({ state }, context).join('; '),
  });
}

export function olderThan(serial: number, newest: NewestVersion): string {
  return `the state is an older version: its serial is ${serial}, and this machine had ${newest.serial} at ${newest.at}, so what came after would be created a second time`;
}

export function waysFromOlder(
  { state }: Pick<Environment, 'state'>,
  { io, flags }: CommandContext,
): readonly [string, ...string[]] {
  const file = quotedForShell(shownPath(state.path, io.cwd));
  return [
    'put the newer version back: from git, or from a copy that trove state pull made',
    `if it is lost for good: trove apply${flags} --recover`,
    `if this one is right all the same: trove state push${flags} --force ${file}`,
  ];
}
