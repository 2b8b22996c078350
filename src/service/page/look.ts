import { baseStyle } from '../../markup/base-style.ts';

/**
 * The whole style of the page. It is a constant, so that the page's policy can name it by its digest and allow
 * no other; that also rules out style attributes.
 */
export const style = `${baseStyle}
form { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; max-width: 84rem; margin: 0 auto; padding: .75rem 2rem; }
button { height: 2.5rem; padding: 0 1.1rem; border: 1px solid var(--accent); border-radius: .5rem; background: none; color: var(--accent); font: inherit; font-weight: 500; cursor: pointer; }
button:hover { background: var(--wash); }
form output { flex: 1 1 14rem; min-height: 1.5rem; color: var(--soft); font-variant-numeric: tabular-nums; }

.cards.level { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr)); gap: 1.25rem; margin: 0; }
.level .card { margin: 0; }
.card .when { margin-top: .9rem; font-size: .8125rem; }
details { margin-top: .25rem; font-size: .8125rem; }
summary { width: max-content; color: var(--soft); cursor: pointer; }
.ids { margin: .5rem 0 0; }
.ids dd { margin: 0 0 .5rem; }

.options td { white-space: pre; }
.bar { display: block; width: 100%; height: 3px; margin-top: .2rem; border-radius: 2px; }
.bar-all { fill: var(--hair); }
.bar-part { fill: var(--bar); }

.drawing { display: flex; align-items: center; height: 10.25rem; margin: .25rem 0 1rem; }
.grid { display: block; max-width: 100%; height: auto; }
.grid rect { fill: var(--wash); stroke: var(--bar); stroke-width: 1.5; }
.grid path { stroke: var(--bar); stroke-width: .75; opacity: .75; fill: none; }
.undrawn { justify-content: center; border: 1px dashed var(--line); border-radius: .5rem; color: var(--soft); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .2rem .9rem; margin: .6rem 0 0; font-size: .875rem; }
.facts dt { color: var(--soft); }
.facts dd { margin: 0; min-width: 0; }
.facts .id { line-height: 1.3125rem; }

.attributes, .items { background: var(--sheet); border: 1px solid var(--line); border-radius: .75rem; }
.attributes { columns: 19rem; column-gap: 2.8rem; margin: 0; padding: 1rem 1.4rem; }
.attributes div { display: flex; justify-content: space-between; gap: 1rem; break-inside: avoid; padding: .2rem 0; }
.attributes dt, .attributes dd { min-width: 0; margin: 0; }
.attributes dd { line-height: 1.5rem; text-align: end; }
.items { table-layout: fixed; border-collapse: separate; border-spacing: 0; }
.items th, .items td { padding: 1rem 1.1rem; border-top: 1px solid var(--hair); }
.items th:first-child { padding-inline-start: 1.4rem; }
.items thead th { padding-block: .7rem; border-top: 0; font-size: .8125rem; color: var(--soft); }
.items th:nth-child(1) { width: 28%; }
.items th:nth-child(2) { width: 5.5rem; }
.items th:nth-child(4) { width: 17.5rem; }
.items th:nth-child(5) { width: 10rem; }
.items .right { text-align: right; }
.items .name { display: block; font-weight: 600; }
.items th .id, .thumbnail { display: block; margin-top: .15rem; }
.thumbnail { font-size: .8125rem; line-height: 1.4; color: var(--soft); text-decoration-color: var(--line); }
.thumbnail:hover { color: var(--accent); text-decoration-color: currentcolor; }
.assigned { display: flex; flex-wrap: wrap; gap: 0 1.1rem; margin: 0; padding: 0; list-style: none; font-size: .875rem; line-height: 1.5rem; }
.assigned li { min-width: 0; }
.of, .times dt { color: var(--soft); }
.times { margin: 0; font-size: .8125rem; line-height: 1.5rem; }
.times div + div { margin-top: .35rem; }
.times dd { margin: 0; }
.ranges { margin: 0; padding: 0; list-style: none; font-size: .875rem; line-height: 1.5rem; }
.ranges li { display: flex; justify-content: space-between; gap: 1rem; }
.ranges li > .of { min-width: 0; }
.to { flex: none; max-width: 60%; text-align: right; }

.pager { display: flex; flex-wrap: wrap; justify-content: space-between; gap: .5rem 2rem; margin-top: 1.25rem; font-variant-numeric: tabular-nums; }
.pager ul { display: flex; flex-wrap: wrap; gap: .25rem .5rem; margin: 0; padding: 0; list-style: none; }
.pager li > * { display: inline-block; min-width: 2.25rem; padding: .3rem .6rem; text-align: center; }
.pager [aria-current] { border-radius: .5rem; background: var(--wash); color: var(--accent); font-weight: 600; }

@media (max-width: 56rem) {
  form { gap: .4rem .6rem; padding: .6rem 1.1rem; }
  .field { flex: 1 1 10rem; }
  form output { flex-basis: 100%; font-size: .875rem; }
  .items, .items tbody, .items tr, .items th, .items td { display: block; width: auto; }
  .items thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .items { overflow: clip; }
  .items tr { margin-top: -1px; padding: 1.1rem; border-top: 1px solid var(--line); }
  .items tbody th, .items tbody td, .items th:nth-child(n) { width: auto; padding: 0; border: 0; }
  .items td { display: grid; grid-template-columns: 6rem minmax(0, 1fr); margin-top: .6rem; }
  .items td::before { content: attr(data-label); font-size: .875rem; line-height: 1.5rem; color: var(--soft); }
  .items .right { text-align: start; }
  .assigned { display: block; }
  .times div { display: flex; gap: .5rem; }
  .times div + div { margin: 0; }
}
`;

/**
 * The one script of the page, a constant like its style. It narrows what is on the page while somebody types;
 * the form does the same on the server, over everything, with Enter or without JavaScript. What counts as found
 * is defined in inventory.ts; a record's texts are those in its `<bdi>` elements.
 */
export const filterScript = `
'use strict';
{
  const box = document.getElementById('q');
  const status = document.getElementById('status');
  const clear = document.getElementById('clear');
  const asked = box.defaultValue;
  const before = status.textContent;
  const folded = (text) => text.normalize('NFKC').toLowerCase();
  const grouped = (count) => String(count).replace(/\\B(?=(\\d{3})+$)/g, '\\u202f');
  const textsOf = (row) => [...row.querySelectorAll('bdi:not(.aside)')].map((each) => each.textContent).join('\\n');
  const lists = [...document.querySelectorAll('[data-list]')].map((list) => {
    const count = list.querySelector('[data-count]');
    const rows = [...list.querySelectorAll('[data-row]')].map((row) => ({ row, texts: folded(textsOf(row)) }));
    const [none, body] = ['[data-none]', '[data-body]'].map((selector) => list.querySelector(selector));
    return { name: list.id, count, before: count.textContent, rows, none, body };
  });
  const total = Number(status.dataset.total);

  const narrow = () => {
    const words = folded(box.value).split(/\\s+/).filter(Boolean);
    const narrowed = folded(box.value.trim()) !== folded(asked);
    for (const { name, count, before, rows, none, body } of lists) {
      let found = 0;
      for (const { row, texts } of rows) {
        row.hidden = narrowed && !words.every((word) => texts.includes(word));
        if (!row.hidden) found += 1;
      }
      count.textContent = narrowed && words.length > 0 ? grouped(found) + ' of ' + grouped(rows.length) : before;
      if (body) body.hidden = rows.length > 0 && found === 0;
      if (none) none.hidden = !body || !body.hidden;
      if (name === 'items') tell(narrowed, words.length > 0, found, rows.length);
    }
  };
  const tell = (narrowed, some, found, here) => {
    const everything = here === total;
    const counted = grouped(found) + ' of ' + grouped(here) + ' items';
    const elsewhere = ' on this page. Enter searches all ' + grouped(total) + '.';
    const cleared = 'Enter shows all ' + grouped(total) + ' items.';
    status.textContent = !narrowed ? before : !some && !everything ? cleared : counted + (everything ? '' : elsewhere);
  };
  const emptied = () => {
    if (box.value === '') box.blur();
    else if (clear) clear.click();
    else {
      box.value = '';
      narrow();
    }
  };

  box.addEventListener('input', narrow);
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    emptied();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.target === box || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    box.focus();
    box.select();
  });
  document.getElementById('hint').hidden = false;
  if (box.value !== asked) narrow();
}
`;
