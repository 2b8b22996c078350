import baseStyle from '../../markup/base.css?raw';
import { digest, grouped, html, type Insertion, Markup, shownText } from '../../markup/markup.ts';
import type { Distribution } from '../../plan/distribution.ts';
import { placeText } from '../diagnostic-reports.ts';
import type { ExplainedPlan } from '../messages/explain-plan.ts';
import type { FailedEnvironment } from '../model.ts';
import { type Group, overviewRows, planView, type Section, type ViewAction } from '../plan-view.ts';
import { escapeTerminal } from '../terminal.ts';
import { plural, pluralize } from '../words.ts';
import { changeCard } from './change-card.ts';
import { pictures } from './pictures.ts';
import pageStyle from './review.css?raw';
import reviewScript from './review.js?raw';

/** A plan to be looked at. Without a distribution, as for a plan read from a file, there are no pictures. */
export interface Review {
  readonly plan: ExplainedPlan;
  readonly distribution?: Distribution;
}

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
<title>Trove: plan for ${isOne ? escapeTerminal(only.plan.environment) : pluralize(reviews.length + failed.length, 'environment')}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<style>${new Markup(reviewStyle)}</style>
</head>
<body>
<a class="skip" href="#changes">Skip to the changes</a>
${isOne ? one(only) : several(reviews, failed)}
<footer><p>A plan is what <code>trove apply</code> would do. This page was generated from files; it loads nothing and changes nothing.</p></footer>
<script>${new Markup(reviewScript)}</script>
</body>
</html>
`.toString();
}

const reviewStyle = `${baseStyle}${pageStyle}`;

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
  const { intro, body } = shownReview(review, '');
  return page('plan', shownText(review.plan.environment), intro, [review], body);
}

function several(reviews: readonly Review[], failed: readonly FailedEnvironment[]): Markup {
  const plans = reviews.map(({ plan }) => plan);
  const rows = overviewRows(plans, failed).map(([environment, words]) => {
    const index = plans.findIndex((plan) => plan.environment === environment);
    const name = shownText(environment);
    const link = index === -1 ? name : html`<a href="#environment-${index}">${name}</a>`;
    return html`<tr><th scope="row">${link}<td>${shownText(words)}`;
  });
  const overview = html`
<table class="overview"><thead class="unseen"><tr><th scope="col">Environment<th scope="col">Plan</thead><tbody>${rows}</table>`;
  const body = [failed.map(notPlanned), reviews.map(oneOfSeveral)];
  return page('plans', pluralize(rows.length, 'environment'), overview, reviews, body);
}

function page(
  kind: string,
  title: Insertion,
  intro: Markup,
  reviews: readonly Review[],
  body: Insertion,
): Markup {
  return html`<header>
<p class="brand"><b>Trove</b> · ${kind}</p>
<h1>${title}</h1>
${intro}
</header>
${filterBar(reviews)}
<main id="changes">
${body}
</main>`;
}

function oneOfSeveral(review: Review, index: number): Markup {
  const { intro, body } = shownReview(review, `environment-${index}-`);
  return html`<section class="environment" id="environment-${index}"><h2>${shownText(review.plan.environment)}</h2>
${intro}${body}
</section>`;
}

function notPlanned({ environment, problems }: FailedEnvironment): Markup {
  const list = problems.map((problem) => {
    const { message, hint } = problem;
    const place = placeText(problem);
    const where = place !== undefined && html` <span class="id">${shownText(place)}</span>`;
    const what = hint !== undefined && html`<br><span class="quiet">${prose(hint)}</span>`;
    return html`<li>${prose(message)}${where}${what}`;
  });
  return html`<section class="environment"><h2>${shownText(environment)}</h2>
<p>It can't be planned:</p>
<ul>${list}</ul>
</section>`;
}

/** Hidden until the script, which does all of it, shows it. */
function filterBar(reviews: readonly Review[]): Markup {
  const sections = reviews.flatMap(({ plan }) => planView(plan).sections);
  const actions = [...new Map(sections.map(({ action, title }) => [action, title]))];
  const count = sections.reduce((sum, section) => sum + section.count, 0);
  return html`
<div class="bar-top" id="bar" hidden><div class="filter" role="search">
<div class="field"><label class="unseen" for="q">Filter by name, key, value or file</label>
<input id="q" type="search" maxlength="200" placeholder="Name, key, value, file …" autocomplete="off" autocapitalize="off" spellcheck="false"><kbd>/</kbd></div>
<label class="unseen" for="kind">Kind</label><select id="kind"><option value="">All kinds</option><option value="classifier">Classifiers</option><option value="item">Items</option></select>
<label class="unseen" for="action">Action</label><select id="action"><option value="">All actions</option>${actions.map(([action, title]) => html`<option value="${action}">${title}</option>`)}</select>
<output id="status" for="q kind action">${grouped(count)} ${plural(count, 'change')}</output>
<p class="keys"><b>j</b> <b>k</b> next and previous change</p>
</div></div>
<p id="none" class="quiet" hidden>No changes match the filter.</p>`;
}

/**
 * One plan: `intro` is its target, notes and the way to each section; `body` the sections with the pictures between.
 * `prefix` begins the anchors of one of several plans, which stands below the heading of its environment.
 */
function shownReview({ plan, distribution }: Review, prefix: string) {
  const level = prefix === '' ? 2 : 3;
  const { notes, guards, summary, sections } = planView(plan);
  const shown = sections.map((each) => section(each, level, prefix));
  const firstApplied = sections.filter(({ part }) => part !== 'applied').length;
  const drawn = plan.changes.length > 0 && distribution;
  const items = guards.map(({ reason, remedies }) => html`<li>${prose(reason)}${remedyList(remedies)}`);
  const links = sections.map(
    ({ action, title, count }) =>
      html`<li><a href="#${prefix}${action}">${title}</a><span class="count">${grouped(count)}</span>`,
  );
  return {
    intro: html`
<p class="quiet">${plan.target.baseUrl === 'embedded' ? 'The embedded service' : shownText(plan.target.baseUrl)}, team <span class="id">${shownText(plan.target.teamId)}</span></p>
<p class="summary">${shownText(summary)}</p>
<div class="notes">${notes.map((note) => html`<p>${shownText(note, Number.POSITIVE_INFINITY)}</p>`)}</div>
${links.length > 0 && html`<nav aria-label="Kinds of change"><ul>${links}</ul></nav>`}`,
    body: html`
${
  items.length > 0 &&
  html`<section class="problems">${title(level, 'Apply refuses this plan')}
<ul>${items}</ul>
</section>`
}
${shown.slice(0, firstApplied)}
${drawn && html`<section class="pictures" id="${prefix}pictures">${title(level, 'Effect of this plan')}${pictures(drawn, heading(level + 1))}</section>`}
${shown.slice(firstApplied)}`,
  };
}

const abouts: Readonly<Record<ViewAction, string>> = {
  blocked:
    'Not possible as written, or waiting for your decision. These are skipped; everything else is applied.',
  unknown: 'Sent, but the outcome is unknown. These are not sent again until they are settled.',
  waiting: 'These depend on a blocked or unknown classifier and are sent once it is settled.',
  diverged:
    'The service stored something other than what was sent. It is not sent again until the catalog changes.',
  replace: 'A new record replaces the old one, which remains in the service and is retired.',
  adopt: 'Imported IDs. One update each confirms that they belong to these resources.',
  revive: 'Declared again: the retired record is updated, and no second one is created.',
  reassert:
    'Written again as declared, although the last response shows no difference, or the service did not store the value.',
  update: 'Existing records with new values.',
  retire: 'No longer declared. Nothing is sent (the API has no delete); Trove keeps the IDs.',
  create: "New records, which can't be deleted afterwards.",
};

function section({ action, title: words, groups, count }: Section, level: number, prefix: string): Markup {
  const own = heading(level + 1);
  return html`
<section id="${prefix}${action}" class="changes ${action}" data-action="${action}">
${title(level, words, html` <span class="count" data-count>${grouped(count)}</span>`)}
<p class="about">${abouts[action]}</p>
${groups.map((group) => groupOf(group, own))}
</section>`;
}

function groupOf({ reason, remedies, changes }: Group, own: Markup): Markup {
  const why = reason !== undefined && html`<p class="reason">${prose(reason)}</p>`;
  const out = remedies.length > 0 && html`<p class="out">Next steps</p>${remedyList(remedies)}`;
  return html`
<div class="group">${(why || out) && html`<div class="why">${why}${out}</div>`}${changes.map((each) => changeCard(each, own))}
</div>`;
}

function title(level: number, words: string, count?: Markup): Markup {
  return html`<${heading(level)} class="title">${words}${count}</${heading(level)}>`;
}

/** The name of a heading element. */
function heading(level: number): Markup {
  return new Markup(`h${level}`);
}

/** Whole, since it may hold a command to copy; what stands in backticks, and commands, as code. */
function prose(text: string): Markup {
  const parts = text.split(/`([^`]*)`|((?<=^|: )trove .*$)/);
  return html`${parts.map((part, index) => {
    if (part === undefined || /^ *$/.test(part)) return part;
    const shown = shownText(part, Number.POSITIVE_INFINITY);
    return index % 3 === 0 ? shown : html`<code>${shown}</code>`;
  })}`;
}

function remedyList(remedies: readonly string[]): Markup {
  return html`<ul class="remedies">${remedies.map((each) => html`<li>${prose(each)}`)}</ul>`;
}
