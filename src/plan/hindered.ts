import type { Obstacle } from '../resources/kind.ts';

/** What keeps one difference from being sent: for good, or until a person says what became of a create. */
export type Hindrance = ({ readonly kind: 'blocked' } | { readonly kind: 'waiting' }) & Obstacle;

/** A hindrance as the part of a change that says why nothing is sent. */
export function hinderedBy({
  kind,
  reason,
  remedies,
}: Hindrance): Obstacle & { readonly action: 'blocked' | 'unknown' } {
  return { action: kind === 'blocked' ? 'blocked' : 'unknown', reason, remedies };
}
