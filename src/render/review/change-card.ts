import { html, leanText, type Markup, shownLink } from '../../markup/markup.ts';
import type { Change, FieldChange } from '../../plan/model.ts';
import { remedyList } from './prose.ts';
import type { ReviewChange } from './review-sections.ts';
import { shownPath, shownValue } from './shown-value.ts';

/**
 * One change: what it is of, where it is declared, and its fields. There can be ten thousand of them, so tags that
 * HTML closes by itself are left open. Its kind is its class: the filter reads it there.
 */
export function changeCard({ change, remedies }: ReviewChange, heading: Markup): Markup {
  const { address, kind, action, remoteId, source, fields } = change;
  const id = action === 'retire' && remoteId !== null ? html` id ${leanText(remoteId)}` : undefined;
  const place = source ? html` <span>${leanText(`${source.file}:${source.line}`)}</span>` : id;
  return html`
<article class="${kind}"><${heading}>${leanText(change.name ?? change.key)}</${heading}><p><code>${leanText(address)}</code>${place}${fieldsOf(change, fields)}${remedies.length > 0 ? remedyList(remedies) : undefined}</article>`;
}

function fieldsOf({ action, remoteId }: Change, fields: readonly FieldChange[]): Markup | undefined {
  // Of these nothing is recorded, so there is no before to show.
  const isNew = remoteId === null || action === 'adopt';
  const shown = isNew ? fields.filter(({ path }) => path !== 'name') : fields;
  if (shown.length === 0) return undefined;
  return isNew ? declared(shown) : compared(shown);
}

/** By the last part of their paths, which reads well where nothing is compared. */
function declared(fields: readonly FieldChange[]): Markup {
  return html`<ul>${fields.map(({ path, after }) => {
    if (path === 'thumbnail' && typeof after === 'string' && URL.canParse(after))
      return html`<li>${shownLink(after, path)}`;
    const label = path.slice(path.indexOf('.') + 1);
    return html`<li><i>${leanText(label)}</i> ${shownValue(path, after, after)}`;
  })}</ul>`;
}

function compared(fields: readonly FieldChange[]): Markup {
  return html`<table><thead><tr><td><th scope="col">Before<th scope="col">After<tbody>${fields.map(
    ({ path, before, after, diverged }) =>
      html`<tr><th scope="row">${shownPath(path)}<td>${shownValue(path, before, after)}<td>${shownValue(path, after, before)}${diverged ? html` <i class="faint">sent before, not taken</i>` : undefined}`,
  )}</table>`;
}
