import type { Address, Declared, Kind } from '../catalog/model.ts';
import type { AnyDeclaration } from '../resources/registry.ts';
import type { ForgottenId } from '../state/model.ts';
import { quotedForShell } from '../text/quoted.ts';
import type { PlanContext } from './basis.ts';
import { declaredFields } from './create.ts';
import type { Change } from './model.ts';
import { subject } from './subject.ts';

/**
 * The create of something whose id a person let go of; undefined where there was none. Who forgets need not be who
 * applies, and the record is probably still there, so it waits for one more word.
 */
export function forgottenCreate(
  kind: Kind,
  declared: Declared<AnyDeclaration>,
  context: PlanContext,
): Change | undefined {
  const { flags } = context;
  const about = subject(kind, declared, null);
  const forgotten = forgottenId(about.address, context);
  if (!forgotten) return undefined;
  const { id, at } = forgotten;
  return {
    ...about,
    action: 'blocked',
    fields: declaredFields(kind, declared.declaration),
    requests: [],
    reason: `it was recorded as ${id} until that was forgotten at ${at}: to create it may make a second record`,
    remedies: [
      `if the service has it: trove import${flags} ${about.address} ${quotedForShell(id)}`,
      `if it has not: trove apply${flags} --confirm-new ${about.address}`,
    ],
  };
}

/** Also what was let go of under a key that `moved` has renamed since. */
export function forgottenId(
  address: Address,
  { entries, catalog }: Pick<PlanContext, 'entries' | 'catalog'>,
): ForgottenId | undefined {
  const sources = catalog.moved.filter(({ to }) => to === address);
  return (
    entries.find('forgotten', address) ??
    sources.map(({ from }) => forgottenId(from, { entries, catalog })).find((found) => found !== undefined)
  );
}
