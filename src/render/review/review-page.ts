import { parseAddress } from '../../catalog/model.ts';
import { digest, grouped, html, Markup, shownText } from '../../markup/markup.ts';
import type { Distribution } from '../../plan/distribution.ts';
import type { Guard, Plan } from '../../plan/model.ts';
import { counted, plural } from '../../text/counted.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import type { FailedEnvironment } from '../plan-markdown.ts';
import { interfaceNote, planView, summaryOf } from '../plan-view.ts';
import { escapeTerminal } from '../terminal.ts';
import { changeCard, prose, remedyList } from './change-card.ts';
import { pictures } from './pictures.ts';
import { reviewScript } from './review-script.ts';
import {
  openSections,
  plannedSections,
  type ReviewGroup,
  type ReviewSection,
  titles,
} from './review-sections.ts';
import { reviewStyle } from './review-style.ts';

/**
 * A plan as one page in one file, for those who never open a terminal: it asks for nothing, can be sent and kept,
 * and is read without its script. `failed` are environments of the same run that could not be planned.
 */
export function renderReviewPage(
  reviews: readonly Review[],
  failed: readonly FailedEnvironment[] = [],
): string {
  const [only] = reviews;
  const isOne = reviews.length === 1 && failed.length === 0 && only !== undefined;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>Trove: plan for ${isOne ? escapeTerminal(only.plan.environment) : counted(reviews.length + failed.length, 'environment')}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<style>${new Markup(reviewStyle)}</style>
</head>
<body>
<a class="skip" href="#changes">Skip to the changes</a>
${isOne ? one(only) : several(reviews, failed)}
<footer><p>A plan is what <code>trove apply</code> would do. This page was made from files, asks for nothing, and changes nothing.</p></footer>
<script>${new Markup(reviewScript)}</script>
</body>
</html>
`.toString();
}

/** Whatever slipped into the page could not run, load or send anything. */
const policy = [
  "default-src 'none'",
  `script-src ${digest(reviewScript)}`,
  `style-src ${digest(reviewStyle)}`,
  "img-src 'none'",
  "form-action 'none'",
  "base-uri 'none'",
].join('; ');

function one(review: Review): Markup {
  const position = { level: 2, prefix: '' } as const;
  return html`<header>
<p class="brand"><b>Trove</b> · plan</p>
<h1>${shownText(review.plan.environment)}</h1>
${environmentIntro(review, position)}
</header>
${filterBar([review])}
<main id="changes">${environmentReview(review, position)}
</main>`;
}

function several(reviews: readonly Review[], failed: readonly FailedEnvironment[]): Markup {
  return html`<header>
<p class="brand"><b>Trove</b> · plans</p>
<h1>${counted(reviews.length + failed.length, 'environment')}</h1>
<table class="overview"><thead class="unseen"><tr><th scope="col">Environment<th scope="col">Plan</thead><tbody>${reviews.map(
    ({ plan }, index) =>
      html`<tr><th scope="row"><a href="#environment-${index}">${shownText(plan.environment)}</a><td>${shownText(summaryOf(plan).replace(/^Plan: /, ''))}`,
  )}${failed.map(({ environment }) => html`<tr><th scope="row">${shownText(environment)}<td>can't be planned, see below`)}</table>
</header>
${filterBar(reviews)}
<main id="changes">
${failed.map(notPlanned)}
${reviews.map((review, index) => environment(review, index))}
</main>`;
}

function environment(review: Review, index: number): Markup {
  const position = { level: 3, prefix: `environment-${index}-` } as const;
  return html`<section class="environment" id="environment-${index}"><h2>${shownText(review.plan.environment)}</h2>
${environmentIntro(review, position)}${environmentReview(review, position)}
</section>`;
}

function notPlanned({ environment, problems }: FailedEnvironment): Markup {
  return html`<section class="environment"><h2>${shownText(environment)}</h2>
<p>It can't be planned:</p>
${problemList(problems)}
</section>`;
}

function problemList(problems: readonly Diagnostic[]): Markup {
  return html`<ul>${problems.map(({ message, hint, location, subject }) => {
    const line = location?.source.positionAt(location.start).line;
    const place = location ? `${location.source.path}:${line}` : subject;
    const where = place === undefined ? undefined : html` <span class="id">${shownText(place)}</span>`;
    const what = hint === undefined ? undefined : html`<br><span class="quiet">${prose(hint)}</span>`;
    return html`<li>${prose(message)}${where}${what}`;
  })}</ul>`;
}

/** Hidden until the script, which does all of it, shows it. */
function filterBar(reviews: readonly Review[]): Markup {
  const changes = reviews.flatMap(({ plan }) => plan.changes);
  const present = new Set(changes.map(({ action }) => (action === 'unchanged' ? 'diverged' : action)));
  const actions = Object.entries(titles).filter(([action]) => present.has(action as keyof typeof titles));
  return html`
<div class="bar-top" id="bar" hidden><div class="filter" role="search">
<div class="field"><label class="unseen" for="q">Filter by name, key, value or file</label>
<input id="q" type="search" maxlength="200" placeholder="Name, key, value, file …" autocomplete="off" autocapitalize="off" spellcheck="false"><kbd>/</kbd></div>
<label class="unseen" for="kind">Kind</label><select id="kind"><option value="">All kinds</option><option value="classifier">Classifiers</option><option value="item">Items</option></select>
<label class="unseen" for="action">Action</label><select id="action"><option value="">All actions</option>${actions.map(([action, title]) => html`<option value="${action}">${title}</option>`)}</select>
<output id="status" for="q kind action">${grouped(changes.length)} ${plural(changes.length, 'change')}</output>
<p class="keys"><b>j</b> <b>k</b> next and previous change</p>
</div></div>
<p id="none" class="quiet" hidden>No change matches the filter.</p>`;
}

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
