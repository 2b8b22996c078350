/**
 * The one script of the page, a constant like its style. It filters what is there and moves between changes; the
 * page is whole without it. Every word of the filter must be in the text of a change, in upper or lower case.
 */
export const reviewScript = `
'use strict';
{
  const [bar, box, kind, action, status, none] = ['bar', 'q', 'kind', 'action', 'status', 'none'].map((id) => document.getElementById(id));
  const folded = (text) => text.normalize('NFKC').toLowerCase();
  const grouped = (count) => String(count).replace(/\\B(?=(\\d{3})+$)/g, '\\u202f');
  const sections = [...document.querySelectorAll('[data-action]')].map((section) => ({
    section,
    action: section.dataset.action,
    count: section.querySelector('[data-count]'),
    groups: [...section.querySelectorAll('.group')].map((group) => ({
      group,
      cards: [...group.querySelectorAll('article')].map((card) => ({ card, kind: card.className, text: undefined })),
    })),
    total: section.querySelectorAll('article').length,
  }));
  // They are of the whole plan, so they only stand in the way of what is looked for.
  const pictures = document.querySelectorAll('.pictures');
  const total = sections.reduce((sum, each) => sum + each.total, 0);
  let shown = [];

  const textOf = (each) => (each.text ??= folded(each.card.textContent));
  const narrow = () => {
    const words = folded(box.value).split(/\\s+/).filter(Boolean);
    const fits = (each) => (kind.value === '' || each.kind === kind.value) && words.every((word) => textOf(each).includes(word));
    shown = [];
    for (const { section, action: own, count, groups, total } of sections) {
      const before = shown.length;
      const wanted = action.value === '' || action.value === own;
      for (const { group, cards } of groups) {
        const start = shown.length;
        for (const each of cards) {
          const found = wanted && fits(each);
          if (found) shown.push(each.card);
          if (each.card.hidden === found) each.card.hidden = !found;
        }
        group.hidden = shown.length === start;
      }
      const found = shown.length - before;
      count.textContent = found === total ? grouped(total) : grouped(found) + ' of ' + grouped(total);
      section.hidden = found === 0;
    }
    for (const each of pictures) each.hidden = shown.length < total;
    none.hidden = shown.length > 0 || total === 0;
    const all = grouped(total) + (total === 1 ? ' change' : ' changes');
    status.textContent = shown.length === total ? all : grouped(shown.length) + ' of ' + all;
  };
  const go = (step) => {
    const at = shown.indexOf(document.activeElement.closest('article'));
    const card = shown[at === -1 ? (step > 0 ? 0 : shown.length - 1) : at + step];
    if (!card) return;
    card.tabIndex = -1;
    card.focus({ preventScroll: true });
    card.scrollIntoView({ block: 'nearest' });
  };
  const empty = () => {
    if (box.value === '') box.blur();
    box.value = '';
    narrow();
  };
  const inBox = { Enter: () => go(1), Escape: empty };
  const elsewhere = { '/': () => box.select(), j: () => go(1), k: () => go(-1) };

  for (const each of [box, kind, action]) each.addEventListener('input', narrow);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('select')) return;
    const act = (event.target === box ? inBox : elsewhere)[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });
  bar.hidden = total === 0;
  narrow();
}
`;
