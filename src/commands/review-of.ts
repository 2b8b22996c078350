import { distribution } from '../plan/distribution.ts';
import type { Review } from '../render/review/environment-review.ts';
import type { Made } from './plan-from-files.ts';

/** A plan that was just made, with the counts that its pictures are drawn from. */
export function reviewOf({ plan, inputs, state }: Pick<Made, 'plan' | 'inputs' | 'state'>): Review {
  return { plan, distribution: distribution(plan, inputs.catalog, state) };
}
