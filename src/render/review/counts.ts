import { grouped, html, type Markup } from '../../markup/markup.ts';
import type { BeforeAfter } from '../../plan/distribution.ts';

/** `12`, or `12 → 14` where they differ. */
export function counts({ before, after }: BeforeAfter): Markup {
  if (before === after) return html`<span class="faint">${grouped(after)}</span>`;
  return html`${grouped(before)}<span class="faint" aria-label="to"> → </span><b>${grouped(after)}</b>`;
}
