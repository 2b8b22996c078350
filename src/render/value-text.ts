import { isKey } from '../catalog/model.ts';

/** Stands where there is no value. No key reads so, and no other text stands without quotes. */
export const NONE = '(none)';

/** A value in as few characters as say it: `3..7` for a range, `"Rare" x0.25` for an option. Total over JSON. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return NONE;
  if (Array.isArray(value) && value.length > 0) return value.map(memberText).join(', ');
  if (typeof value !== 'object' || Array.isArray(value)) return JSON.stringify(value);
  if ('min' in value && 'max' in value) return `${numberText(value.min)}..${numberText(value.max)}`;
  if ('name' in value && 'dropRateMultiplier' in value)
    return `${JSON.stringify(value.name)} x${numberText(value.dropRateMultiplier)}`;
  return JSON.stringify(value);
}

/** A member of a list: option keys stand as they are, and whatever else there is in quotes. */
export function memberText(member: unknown): string {
  return typeof member === 'string' && isKey(member) ? member : JSON.stringify(member);
}

/** A number as it is; what is there instead of one, as JSON. */
export function numberText(value: unknown): string {
  return typeof value === 'number' ? String(value) : JSON.stringify(value);
}
