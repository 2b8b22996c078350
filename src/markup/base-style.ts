/**
 * What the pages of Trove have in common: colours by the reader's setting, type, the heading, the field that filters.
 * A constant: a page's policy names its style by its digest, which also rules out style attributes.
 */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --ground: #f6f4ef; --sheet: #fffefb; --ink: #26241f; --soft: #655f54; --line: #e0dbd0; --hair: #ece8df;
  --accent: #0c5f5a; --wash: #e3efec; --bar: #5f9d96;
  --serif: ui-serif, "Iowan Old Style", "Palatino Linotype", Georgia, "Liberation Serif", serif;
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #141617; --sheet: #1b1e1f; --ink: #e9e5db; --soft: #a8a294; --line: #34383a; --hair: #282c2d;
    --accent: #84d0c4; --wash: #1f3431; --bar: #4e958b;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { scroll-padding-top: 5.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 var(--sans); overflow-wrap: anywhere; }
a { color: var(--accent); text-decoration-thickness: 1px; text-underline-offset: .18em; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 3px; }
header, main, footer { max-width: 84rem; margin: 0 auto; padding: 0 2rem; }
p { margin: 0; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; z-index: 3; padding: .5rem 1rem; background: var(--sheet); }
.skip:focus { top: .75rem; }
.quiet, .faint, .when { color: var(--soft); }
.number, .count, time { font-variant-numeric: tabular-nums lining-nums; }
.count, time { white-space: nowrap; }
.code { font: .75em var(--mono); padding: 0 .25em; border: 1px solid var(--line); border-radius: 3px; color: var(--soft); }
.id, .ids dd { font: .75rem/1.5 var(--mono); color: var(--soft); }

header { padding-top: 3.25rem; padding-bottom: 1.75rem; }
.brand { font-size: .8125rem; letter-spacing: .08em; text-transform: uppercase; color: var(--soft); }
.brand b { color: var(--accent); font-weight: 600; }
:is(header, .environment) nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.75rem; margin: 1.5rem 0 0; padding: 0; list-style: none; }
:is(header, .environment) nav .count { color: var(--soft); margin-left: .3rem; }
footer { margin-top: 3.5rem; padding-top: 1.25rem; padding-bottom: 3rem; font-size: .875rem; color: var(--soft); }
h1 { margin: .35rem 0 .5rem; font: 500 2.5rem/1.15 var(--serif); letter-spacing: -.01em; }

.bar-top { position: sticky; top: 0; z-index: 2; background: var(--ground); border-bottom: 1px solid var(--line); }
.field { position: relative; flex: 0 1 26rem; min-width: 0; }
input { width: 100%; height: 2.5rem; padding: 0 2.75rem 0 .875rem; border: 1px solid var(--soft); border-radius: .5rem; background: var(--sheet); color: inherit; font: inherit; }
input:focus-visible { outline-offset: -1px; border-radius: .5rem; }
input::placeholder { color: var(--soft); opacity: 1; }
input::-webkit-search-cancel-button { display: none; }
kbd { position: absolute; right: .625rem; top: .5625rem; width: 1.5rem; border: 1px solid var(--line); border-radius: 4px; font: .8125rem/1.3rem var(--mono); text-align: center; color: var(--soft); pointer-events: none; }

section { padding-top: 2.75rem; }
h2 { margin: 0 0 1.1rem; font: 500 1.5rem/1.25 var(--serif); }
h2 .count { margin-left: .35rem; font: .9375rem var(--sans); color: var(--soft); }
h3 { margin: 0 0 .75rem; font: 600 1.0625rem/1.35 var(--sans); }

table { width: 100%; border-collapse: collapse; }
th { font-weight: inherit; text-align: start; }
th, td { vertical-align: top; overflow: clip; }

.cards { columns: 19rem; column-gap: 1.25rem; margin: 0; padding: 0; list-style: none; }
.card { break-inside: avoid; min-width: 0; margin-bottom: 1.25rem; padding: 1.25rem 1.4rem 1.1rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--sheet); overflow: clip; }
.options th { padding: .3rem 1rem .3rem 0; }
.options td { padding: .3rem 0; width: 1%; text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }

@media (max-width: 56rem) {
  header, footer, main { padding-inline: 1.1rem; }
  header { padding-top: 2rem; padding-bottom: 1.25rem; }
  h1 { font-size: 2rem; }
  kbd { display: none; }
}
`;
