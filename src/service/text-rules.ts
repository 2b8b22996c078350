import { MAX_TEXT } from '../contract/limits.ts';
import type { FieldProblem } from './refusal.ts';

/**
 * Section 8: at most 191 characters, counted as code points, in every field that a response promises to be
 * so short, also where the request's own table names no limit.
 */
export function tooLong(fields: Readonly<Record<string, string | null | undefined>>): FieldProblem[] {
  return Object.entries(fields)
    .filter(([, text]) => text && text.length > MAX_TEXT && [...text].length > MAX_TEXT)
    .map(([field]) => ({ field, message: tooLongMessage }));
}

export const tooLongMessage = `must not have more than ${MAX_TEXT} characters`;

/**
 * Texts (and keys) anywhere in a JSON value that can't be kept exactly: half a surrogate pair has no UTF-8,
 * and the database ends a text at U+0000.
 */
export function unstorableTexts(value: unknown, field = ''): FieldProblem[] {
  if (typeof value === 'string') return unstorable.test(value) ? [{ field, message: unstorableMessage }] : [];
  if (Array.isArray(value))
    return value.flatMap((element, index) => unstorableTexts(element, `${field}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, element]) => {
    const inside = field === '' ? key : `${field}.${key}`;
    return unstorable.test(key) ? [{ field, message: unstorableMessage }] : unstorableTexts(element, inside);
  });
}

const unstorable = /[\p{Surrogate}\0]/u;
const unstorableMessage = 'must be text without U+0000 and without half a surrogate pair';
