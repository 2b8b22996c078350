/** Resources with such keys are made by `trove probe` and are in no catalog. */
export const PROBE_KEY = 'trove-probe';

/** Whether a key is kept free of declarations, because Trove records something of its own below it. */
export function isReservedKey(key: string): boolean {
  return key.startsWith(PROBE_KEY);
}
