import { resolve } from 'node:path';
import type { Catalog } from '../../catalog/model.ts';
import { environmentNames } from '../../environment/find.ts';
import { pendingMoves } from '../../plan/moves.ts';
import { fold } from '../../state/draft.ts';
import { entriesOf } from '../../state/entries.ts';
import { pluralize as counted } from '../../text/pluralize.ts';
import { type CommandContext, contextFor } from '../invocation/context.ts';
import { inParallel } from '../invocation/each-environment.ts';
import { readState } from './read-state.ts';

const SHOWN = 5;

/**
 * What to type about the creates that wait in other environments of the catalog: of one address, or of all of them
 * where none is named. One that can't be read is left out, since nobody asked for it.
 */
export async function pendingElsewhere(
  context: CommandContext,
  catalog: Catalog,
  address: string | undefined,
): Promise<readonly string[]> {
  const names = await environmentNames(resolve(context.io.cwd, context.catalogFolder));
  const others = names.filter((name) => name !== context.environmentName);
  const found = await inParallel(others, async (name) => {
    const own = contextFor(name, context);
    const { flags } = own;
    const read = await readState(own);
    const state = read.ok ? read.value.state : undefined;
    const pending = state ? entriesOf(fold(state, pendingMoves(catalog, state))).all('pending') : [];
    const isThere = pending.some((create) => address === undefined || create.address === address);
    if (!isThere) return [];
    return [address === undefined ? `trove resolve${flags}` : `trove resolve ${address}${flags}`];
  });
  const commands = found.flat();
  const rest = commands.length - SHOWN;
  return rest > 0 ? [...commands.slice(0, SHOWN), `and in ${counted(rest, 'more environment')}`] : commands;
}
