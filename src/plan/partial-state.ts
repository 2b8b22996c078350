import type { State } from '../state/model.ts';
import { type Diagnostic, error } from '../text/diagnostic.ts';
import type { Plan } from './model.ts';
import { isSelected } from './wishes.ts';

/**
 * A state that was begun by an import or a probe may be that of a team whose own was lost: what it does not know is
 * not created before a person has said so, as if there were no state.
 */
export function partialState(
  { environment, changes, confirmNew = [] }: Plan,
  state: State | undefined,
  flags: string,
): readonly Diagnostic[] {
  if (!state?.partial) return [];
  const known = new Set(state.pending.map(({ address }) => address));
  const creates = changes.filter(
    ({ action, address }) => action === 'create' && !known.has(address) && !isSelected(confirmNew, address),
  );
  const [first, ...others] = creates;
  if (!first) return [];
  const more = others.length > 0 ? ` and ${others.length} more` : '';
  const begun = state.partial.by === 'import' ? 'an import' : 'a probe';
  const message = `the state of environment ${environment} was begun by ${begun}, and ${first.address}${more}, which it does not know, would be created anew`;
  const hint = `if the team has them: trove import ADDRESS ID${flags}; if its state was lost: trove apply${flags} --recover; if they are really new: trove apply${flags} --new-environment`;
  return [error('partial-state', message, { hint })];
}
