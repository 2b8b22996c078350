import { parseAddress } from '../../catalog/model.ts';
import { grouped, html, Markup, shownText } from '../../markup/markup.ts';
import type { Distribution } from '../../plan/distribution.ts';
import type { Guard, Plan } from '../../plan/model.ts';
import { interfaceNote } from '../interface-note.ts';
import { planView } from '../plan-view.ts';
import { changeCard } from './change-card.ts';
import { pictures } from './pictures.ts';
import { prose, remedyList } from './prose.ts';
import { openSections, plannedSections, type ReviewGroup, type ReviewSection } from './review-sections.ts';

/** A plan to be looked at. Without a distribution, as for a plan read from a file, there are no pictures. */
export interface Review {
  readonly plan: Plan;
  readonly distribution?: Distribution;
}

/** Where a plan stands on its page: the level of its section headings, and what its anchors begin with. */
export interface Position {
  readonly level: 2 | 3;
  readonly prefix: string;
}

/** Everything of one plan below its title: what needs a person first, then the pictures, then what happens. */
export function environmentReview({ plan, distribution }: Review, position: Position): Markup {
  const drawn = distribution && plan.changes.length > 0;
  return html`
${plan.guards.length > 0 ? refused(plan.guards, position) : undefined}${openSections(plan).map((each) => section(each, position))}
${drawn ? html`<section class="pictures" id="${position.prefix}pictures">${title(position, 'What it comes to')}${pictures(distribution, heading(position.level + 1))}</section>` : undefined}
${plannedSections(plan).map((each) => section(each, position))}`;
}

/** The target, what the reader should know, and the way to each section with its count. */
export function environmentIntro({ plan }: Review, { prefix }: Position): Markup {
  const { notes, summary } = planView(plan);
  const sections = [...openSections(plan), ...plannedSections(plan)];
  return html`
<p class="quiet">${plan.target.baseUrl === 'embedded' ? 'The embedded service' : shownText(plan.target.baseUrl)}, team <span class="id">${shownText(plan.target.teamId)}</span></p>
<p class="summary">${shownText(summary)}</p>
<div class="notes">${[...notes, ...interfaceNote(plan)].map((note) => html`<p>${shownText(note, Number.POSITIVE_INFINITY)}</p>`)}</div>
${sections.length > 0 ? html`<nav aria-label="Kinds of change"><ul>${sections.map(({ action, title, count }) => html`<li><a href="#${prefix}${action}">${title}</a><span class="count">${grouped(count)}</span>`)}</ul></nav>` : undefined}`;
}

function refused(guards: readonly Guard[], position: Position): Markup {
  const list = guards.map(({ reason, remedies }) => html`<li>${prose(reason)}${remedyList(remedies)}`);
  return html`<section class="problems">${title(position, 'Apply refuses this plan')}
<ul>${list}</ul>
</section>
`;
}

function section({ action, title: words, about, groups, count }: ReviewSection, position: Position): Markup {
  const own = heading(position.level + 1);
  return html`
<section id="${position.prefix}${action}" class="changes ${action}" data-action="${action}">
${title(position, words, html` <span class="count" data-count>${grouped(count)}</span>`)}
<p class="about">${about}</p>
${groups.map((group) => groupOf(group, own))}
</section>`;
}

function groupOf({ reason, remedies, changes }: ReviewGroup, own: Markup): Markup {
  // An address at its beginning stays as it is written.
  const style =
    reason !== undefined && parseAddress(reason.split(' ', 1)[0] ?? '') ? 'reason as-is' : 'reason';
  const why = reason === undefined ? undefined : html`<p class="${style}">${prose(reason)}</p>`;
  const out = remedies.length > 0 ? html`<p class="out">Ways out</p>${remedyList(remedies)}` : undefined;
  return html`
<div class="group">${why || out ? html`<div class="why">${why}${out}</div>` : undefined}${changes.map((each) => changeCard(each, own))}
</div>`;
}

function title({ level }: Position, words: string, count?: Markup): Markup {
  return html`<${heading(level)} class="title">${words}${count}</${heading(level)}>`;
}

/** The name of a heading element. */
function heading(level: number): Markup {
  return new Markup(`h${level}`);
}
