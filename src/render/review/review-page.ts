import { digest, grouped, html, Markup, shownText } from '../../markup/markup.ts';
import { counted, plural } from '../../text/counted.ts';
import type { Diagnostic } from '../../text/diagnostic.ts';
import { escapeTerminal } from '../escape.ts';
import { summaryOf } from '../plan-summary.ts';
import type { FailedEnvironment } from '../plans-markdown.ts';
import { environmentIntro, environmentReview, type Review } from './environment-review.ts';
import { prose } from './prose.ts';
import { reviewScript } from './review-script.ts';
import { titles } from './review-sections.ts';
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
