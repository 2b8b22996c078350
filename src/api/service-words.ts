import { parseJson } from './json.ts';
import type { Redact } from './redact.ts';

const MAX_WORDS = 500;
/** Enough for any message; what is behind it is not looked at. */
const MAX_READ = 64 * 1024;
const messageKeys = ['message', 'error_description', 'detail', 'description', 'title', 'error'];
const listKeys = ['details', 'errors'];

/**
 * What a service says in the body of an error, whose shape is not shown (interface, section 7): the message of
 * a JSON body, the text of an HTML page, or the body itself; one line, at most 500 characters, without
 * secrets. Empty where it says nothing. Still to be escaped for where it is shown.
 */
export function wordsOf(body: Buffer, redact: Redact): string {
  // Before anything is cut: half a password is still half a secret.
  const clean = (text: string) => redact(text.slice(0, 2 * MAX_READ)).slice(0, MAX_READ);
  const parsed = body.length > MAX_READ ? undefined : parseJson(body);
  if (parsed?.ok) return lineOf(clean(messageOf(parsed.value, 0) ?? parsed.text), redact);
  const raw = clean(body.toString('utf8', 0, 2 * MAX_READ));
  return lineOf(/<(!doctype|html|body|h1|p)\b/i.test(raw) ? textOfHtml(raw) : raw, redact);
}

/** One line of at most 500 characters of a text that is not the body, a Location header say. */
export function lineOf(text: string, redact: Redact): string {
  return shorten(redact(redact(text).replace(/\s+/g, ' ').trim()));
}

function shorten(text: string): string {
  const characters = [...text.slice(0, 2 * MAX_WORDS + 1)];
  return characters.length > MAX_WORDS ? `${characters.slice(0, MAX_WORDS - 1).join('')}…` : text;
}

function messageOf(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || depth > 3) return undefined;
  if (Array.isArray(value)) return join(value.slice(0, 5), depth, '; ');
  const members: Record<string, unknown> = { ...value };
  const main = messageKeys
    .map((key) => messageOf(members[key], depth + 1))
    .find((text) => text !== undefined);
  const details = join(listKeys.map((key) => members[key]).filter(Array.isArray), depth, '; ');
  const about = typeof members.field === 'string' && main !== undefined ? `${members.field} ${main}` : main;
  return about !== undefined && details !== undefined ? `${about} (${details})` : (about ?? details);
}

function join(values: readonly unknown[], depth: number, separator: string): string | undefined {
  const texts = values.map((value) => messageOf(value, depth + 1)).filter((text) => text !== undefined);
  return texts.length === 0 ? undefined : texts.join(separator);
}

function textOfHtml(html: string): string {
  return html.replace(/<(script|style|head)\b[\s\S]*?(?:<\/\1\s*>|$)/gi, ' ').replace(/<[^<>]*>/g, ' ');
}
