/** A value in as few characters as say it: `3..7` for a range, `Rare x0.25` for an option. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (Array.isArray(value))
    return value.map((each) => (typeof each === 'string' ? each : valueText(each))).join(', ');
  if (typeof value !== 'object') return JSON.stringify(value);
  if ('min' in value && 'max' in value) return `${value.min}..${value.max}`;
  if ('name' in value && 'dropRateMultiplier' in value)
    return `${JSON.stringify(value.name)} x${value.dropRateMultiplier}`;
  return JSON.stringify(value);
}
