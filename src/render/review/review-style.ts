import { baseStyle } from '../../markup/base-style.ts';

/** The whole style of the page, a constant so that its policy can name it. */
export const reviewStyle = `${baseStyle}
:root { --gone: #97371f; --gone-wash: #f8e9e3; --warn: #7d5200; --warn-line: #d9a441; --was: #c9c1b1; }
@media (prefers-color-scheme: dark) {
  :root { --gone: #efa58e; --gone-wash: #3a2620; --warn: #e8bf6d; --warn-line: #8d6a26; --was: #5c5a53; }
}
code { font: .875em var(--mono); }
.summary { margin-top: 1.1rem; font-size: 1.125rem; }
.notes { margin-top: .35rem; color: var(--soft); max-width: 60rem; }
.overview { width: auto; margin-top: 1.1rem; }
.overview th, .overview td { padding: .25rem 2rem .25rem 0; }
.environment { padding-top: 3.5rem; }
.environment > h2 { margin-bottom: .35rem; padding-top: 1.5rem; border-top: 1px solid var(--line); font-size: 2rem; }

.filter { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem; max-width: 84rem; margin: 0 auto; padding: .75rem 2rem; }
select { height: 2.5rem; padding: 0 .6rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--sheet); color: inherit; font: inherit; }
output { flex: 1 1 9rem; min-height: 1.5rem; margin-left: .25rem; color: var(--soft); font-variant-numeric: tabular-nums; }
.keys { font-size: .8125rem; color: var(--soft); }
.keys b { padding: .05rem .4rem; border: 1px solid var(--line); border-radius: 4px; font: .8125rem var(--mono); }
#none { max-width: 84rem; margin: 0 auto; padding: 2rem; }

.title { margin: 0 0 .2rem; font: 500 1.5rem/1.25 var(--serif); }
.title .count { margin-left: .35rem; font: .9375rem var(--sans); color: var(--soft); }
.about { margin-bottom: 1.1rem; color: var(--soft); }
.group + .group { margin-top: 1.25rem; }
.group { border: 1px solid var(--line); border-radius: .75rem; overflow: clip; }
.blocked .group, .unknown .group { border-color: var(--warn-line); border-left-width: 4px; }
.why { padding: .9rem 1.4rem; }
.blocked .title, .unknown .title { color: var(--warn); }
.out { margin-top: .5rem; font-size: .8125rem; color: var(--soft); }
.remedies { margin: .1rem 0 0; padding-left: 1.1rem; }
.remedies code, .reason code { padding: .1em .35em; border-radius: 4px; background: var(--wash); }

article { margin-top: -1px; padding: .85rem 1.4rem .95rem; border-top: 1px solid var(--line); background: var(--sheet); content-visibility: auto; contain-intrinsic-size: auto 7.5rem; scroll-margin: 5.5rem 0 1rem; font-variant-numeric: tabular-nums lining-nums; }
.create article { contain-intrinsic-size: auto 5.5rem; }
article:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; border-radius: .5rem; }
article :is(h3, h4) { display: inline; margin: 0 .75rem 0 0; font: 600 1rem/1.5 var(--sans); }
article > p { display: inline; font-size: .8125rem; color: var(--soft); }
article > p span { float: right; margin-left: 1rem; font: .75rem/1.5rem var(--mono); }
article ul { display: flex; flex-wrap: wrap; gap: 0 1.5rem; margin: .25rem 0 0; padding: 0; list-style: none; font-size: .9375rem; }
article i { font-style: normal; color: var(--soft); }
article table { margin-top: .5rem; font-size: .9375rem; table-layout: fixed; }
article tr > :first-child { width: 14rem; }
article th, article td { padding: .25rem 1rem .25rem 0; border-top: 1px solid var(--hair); }
article thead th, article thead td { padding: 0 1rem .1rem 0; border: 0; font-size: .75rem; color: var(--soft); }
article td:nth-child(2) { color: var(--soft); }
article td:nth-child(2) b { padding: 0 .25em; border-radius: 4px; background: var(--gone-wash); color: var(--gone); font-weight: 500; text-decoration: line-through; text-decoration-thickness: 1px; }
article td:nth-child(3) b { padding: 0 .25em; border-radius: 4px; background: var(--wash); color: var(--accent); font-weight: 600; }
article td .thumbnail, article li .thumbnail { font-size: .875em; }

.legend { display: flex; align-items: center; gap: .4rem; margin: .5rem 0 1.1rem; font-size: .875rem; }
.legend svg { width: .7rem; height: .7rem; }
.legend svg + svg, .legend .is { margin-left: .75rem; }
.was rect, rect.was { fill: var(--was); }
.is rect, rect.is { fill: var(--bar); }
.card :is(h3, h4) { margin: 0 0 .5rem; font: 600 1.0625rem/1.35 var(--sans); }
.pair { display: block; width: 100%; height: 8px; margin-top: .2rem; }
.histogram { display: flex; margin: .75rem 0 0; padding: 0; list-style: none; text-align: center; font-variant-numeric: tabular-nums; }
.histogram li { flex: 1 1 0; min-width: 0; }
.histogram svg { display: block; width: 100%; height: 9rem; border-top: 1px solid var(--soft); transform: scaleY(-1); }
.range, .tally { display: block; padding: 0 .15rem; font-size: .8125rem; }
.range { padding-top: .35rem; color: var(--soft); }
details { margin-top: 1.25rem; }
summary { width: max-content; max-width: 100%; margin-bottom: 1rem; color: var(--soft); cursor: pointer; }

@media (max-width: 76rem) {
  .keys, .upto { display: none; }
  .range { white-space: nowrap; text-align: left; }
}
@media (max-width: 56rem) {
  .filter, #none { padding-inline: 1.1rem; }
  .filter { padding-block: .6rem; }
  .field { flex: 1 1 100%; }
  select { flex: 1 1 8rem; min-width: 0; }
  output { flex-basis: 100%; min-height: 1.3rem; font-size: .875rem; }
  html { scroll-padding-top: 9.5rem; }
  article { padding-inline: 1.1rem; scroll-margin-top: 9.5rem; }
  article :is(h3, h4), article > p { display: block; margin: 0; }
  article > p code { display: block; }
  article > p span { float: none; margin: 0; }
  article thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  article tbody tr { display: grid; grid-template-columns: 1fr 1fr; gap: 0 1rem; padding: .35rem 0; border-top: 1px solid var(--hair); }
  article tbody tr > * { width: auto; padding: 0; border: 0; }
  article tbody tr > :first-child { grid-column: 1 / -1; width: auto; font-size: .8125rem; color: var(--soft); }
  .why { padding-inline: 1.1rem; }
  .card { padding: 1rem 1.1rem; }
  .tally { display: none; }
  .histogram li:not(:nth-child(3n + 1)) .range { visibility: hidden; }
  .histogram svg { height: 7rem; }
}
@media print {
  :root { --ground: #fff; --sheet: #fff; --ink: #000; --soft: #444; --line: #bbb; --hair: #ddd; --accent: #000; --wash: #fff; --bar: #666; --was: #ccc; --gone: #000; --gone-wash: #fff; --warn: #000; --warn-line: #000; color-scheme: light; }
  body { font-size: 9.5pt; }
  header, main, footer { max-width: none; padding-inline: 0; }
  .bar-top, .skip, nav, summary { display: none; }
  details::details-content { content-visibility: visible; block-size: auto; }
  article { content-visibility: visible; break-inside: avoid; }
  .card, .why { break-inside: avoid; }
  .title, .about { break-after: avoid; }
  section { padding-top: 1.5rem; }
}
`;
