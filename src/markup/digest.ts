import { createHash } from 'node:crypto';

/** How a page's policy names the one script, or the one style, that it allows. */
export function digest(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
