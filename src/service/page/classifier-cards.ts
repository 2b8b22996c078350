import type { WireClassifier, WireOption } from '../../contract/wire.ts';
import { html, type Markup } from '../../markup/markup.ts';
import { asideText, grouped, shownText } from '../../markup/shown-text.ts';
import { alignedNumbers } from './numbers.ts';
import { shownTime } from './shown-time.ts';

/** Options of one classifier that are shown. */
const maxOptions = 300;

/** Each classifier as a card: its options with their multipliers, as numbers and as bars of one scale a card. */
export function classifierCards(classifiers: readonly WireClassifier[]): Markup {
  return html`<ul class="cards">${classifiers.map(card)}</ul>`;
}

function card({ id, name, createdAt, updatedAt, classifierOptions }: WireClassifier): Markup {
  const options = classifierOptions.slice(0, maxOptions);
  const hidden = classifierOptions.length - options.length;
  return html`
<li class="card" data-row>
<h3>${shownText(name)}</h3>
${options.length > 0 ? optionTable(options) : html`<p class="quiet">It has no options.</p>`}
${hidden > 0 ? html`<p class="quiet">… and ${grouped(hidden)} more options.</p>` : undefined}
<p class="when">${updatedAt === null ? html`Created ${shownTime(createdAt)}` : html`Updated ${shownTime(updatedAt)}`}</p>
<details><summary>Ids</summary>
<dl class="ids"><dt>Classifier</dt><dd>${shownText(id)}</dd>
${options.map((option) => html`<dt>${asideText(option.name)}</dt><dd>${asideText(option.id)}</dd>`)}
</dl></details>
</li>`;
}

function optionTable(options: readonly WireOption[]): Markup {
  const multipliers = options.map(({ dropRateMultiplier }) => dropRateMultiplier);
  const largest = Math.max(...multipliers);
  const numbers = alignedNumbers(multipliers);
  return html`
<table class="options">
<caption class="unseen">Options with their drop rate multipliers</caption>
<thead class="unseen"><tr><th scope="col">Option</th><th scope="col">Multiplier</th></tr></thead>
<tbody>${options.map(
    ({ name, dropRateMultiplier }, index) => html`
<tr><th scope="row">${shownText(name)}${bar(dropRateMultiplier, largest)}</th><td>${numbers[index]}</td></tr>`,
  )}
</tbody></table>`;
}

/** Drawn, not styled: the page's policy allows no style attributes. */
function bar(value: number, largest: number): Markup {
  const width = largest > 0 ? Math.max(0, (value / largest) * 100) : 0;
  return html`<svg class="bar" viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true"><rect class="bar-all" width="100" height="1"/><rect class="bar-part" width="${width.toFixed(2)}" height="1"/></svg>`;
}
