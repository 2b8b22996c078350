import baseStyle from '../../markup/base.css?raw';
import { digest, grouped, html, type Insertion, leanText, Markup, shownText } from '../../markup/markup.ts';
import type { Distribution } from '../../plan/distribution.ts';
import { placeText } from '../diagnostic-reports.ts';
import type { ExplainedPlan } from '../messages/explain-plan.ts';
import type { FailedEnvironment } from '../model.ts';
import { overviewRows } from '../plan-summary.ts';
import { planView } from '../plan-view.ts';
import { escapeTerminal } from '../terminal.ts';
import { plural, pluralize } from '../words.ts';
import {
  heading,
  type PageSection,
  pageSections,
  prose,
  remedyList,
  section,
  title,
} from './change-section.ts';
import { pictures } from './pictures.ts';
import pageStyle from './review.css?raw';
import reviewScript from './review.js?raw';

/** A plan to be looked at. Without a distribution, as for a plan read from a file, there are no pictures. */
export interface Review {
  readonly plan: ExplainedPlan;
  readonly distribution?: Distribution;
}

/** When the plans were made, and of which commit, as far as that is known. */
export interface Made {
  readonly at: Date;
  readonly commit: string | undefined;
}

/**
 * A plan as one page in one file, for those who never open a terminal: it asks for nothing, can be sent and kept,
 * and is read without its script. `failed` are environments of the same run that could not be planned.
 */
export function renderReviewPage(
  reviews: readonly Review[],
  failed: readonly FailedEnvironment[] = [],
  made?: Made,
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
${isOne ? one(viewed(only), made) : several(reviews.map(viewed), failed, made)}
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

/** A plan with what is shown of it, worked out once. */
interface Viewed extends Review {
  readonly view: ReturnType<typeof planView>;
  readonly sections: readonly PageSection[];
}

function viewed(review: Review): Viewed {
  const view = planView(review.plan);
  return { ...review, view, sections: pageSections(review.plan, view.sections) };
}

function one(review: Viewed, made: Made | undefined): Markup {
  const { intro, body } = shownReview(review, '');
  return page('plan', shownText(review.plan.environment), [madeLine([review], made), intro], [review], body);
}

function several(
  reviews: readonly Viewed[],
  failed: readonly FailedEnvironment[],
  made: Made | undefined,
): Markup {
  const plans = reviews.map(({ plan }) => plan);
  const rows = overviewRows(plans, failed).map(([environment, words]) => {
    const index = plans.findIndex((plan) => plan.environment === environment);
    const name = shownText(environment);
    const link = index === -1 ? name : html`<a href="#${idAt(index)}">${name}</a>`;
    return html`<tr><th scope="row">${link}<td>${shownText(words)}`;
  });
  const overview = html`
<table class="overview"><thead class="unseen"><tr><th scope="col">Environment<th scope="col">Plan</thead><tbody>${rows}</table>`;
  const intro = [madeLine(reviews, made), overview];
  const body = [failed.map(notPlanned), reviews.map(oneOfSeveral)];
  return page('plans', pluralize(rows.length, 'environment'), intro, reviews, body);
}

/** The anchor of one of several environments. */
function idAt(index: number): string {
  return `environment-${index}`;
}

/** What the plans were made of, and when. */
function madeLine(reviews: readonly Review[], made: Made | undefined): Markup {
  const at = made?.at.toISOString() ?? '';
  const [, commit, dirty] = /^([^-]{1,12})[^-]*(-dirty)?/.exec(made?.commit ?? '') ?? [];
  const digests = new Set(
    reviews.map(({ plan }) => plan.catalog.digest.replace(/^sha256:/, '').slice(0, 12)),
  );
  const parts = [
    made && html`Planned <time datetime="${at}">${at.slice(0, 16).replace('T', ' ')} UTC</time>`,
    commit && html`commit <code>${commit}</code>${dirty && ' with uncommitted changes'}`,
    ...[...digests].map((digest) => html`catalog <code>${leanText(digest)}</code>`),
  ];
  return html`<p class="made">${parts.filter(Boolean).map((part, at) => [at > 0 && ' · ', part])}</p>`;
}

function page(
  kind: string,
  title: Insertion,
  intro: Insertion,
  reviews: readonly Viewed[],
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

function oneOfSeveral(review: Viewed, index: number): Markup {
  const { intro, body } = shownReview(review, `${idAt(index)}-`);
  return html`<section class="environment" id="${idAt(index)}"><h2>${shownText(review.plan.environment)}</h2>
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
function filterBar(reviews: readonly Viewed[]): Markup {
  const sections = reviews.flatMap((review) => review.sections);
  const actions = [...new Map(sections.map(({ action, title }) => [action, title]))];
  const kinds = [['classifier', 'Classifiers'] as const, ['item', 'Items'] as const];
  const environments = reviews.map(({ plan }, at) => [idAt(at), escapeTerminal(plan.environment)] as const);
  const count = sections.reduce((sum, section) => sum + section.count, 0);
  return html`
<div class="bar-top" id="bar" hidden><div class="filter" role="search">
<div class="field"><label class="unseen" for="q">Filter by name, key, value or file</label>
<input id="q" type="search" maxlength="200" placeholder="Name, key, value, file …" autocomplete="off" autocapitalize="off" spellcheck="false"><kbd>/</kbd></div>
${reviews.length > 1 && selectOf('environment', environments)}
${selectOf('kind', kinds)}
${selectOf('action', actions)}
<output id="status" for="q environment kind action">${grouped(count)} ${plural(count, 'change')}</output>
<label class="all"><input id="all" type="checkbox" autocomplete="off">All fields</label>
<p class="keys"><b>j</b> <b>k</b> next and previous change</p>
</div></div>
<p id="none" class="quiet" hidden>No changes match the filter.</p>`;
}

function selectOf(name: string, values: readonly (readonly [value: string, words: string])[]): Markup {
  const label = `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  const choices = values.map(([value, words]) => html`<option value="${value}">${words}</option>`);
  return html`<label class="unseen" for="${name}">${label}</label><select id="${name}" autocomplete="off"><option value="">All ${name}s</option>${choices}</select>`;
}

/**
 * One plan: `intro` is its target, notes and the way to each section; `body` the sections with the pictures between.
 * `prefix` begins the anchors of one of several plans, which stands below the heading of its environment.
 */
function shownReview({ plan, distribution, view, sections }: Viewed, prefix: string) {
  const level = prefix === '' ? 2 : 3;
  const { notes, guards, summary } = view;
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
