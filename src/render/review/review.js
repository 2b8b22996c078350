// The one script of the page. It filters what is there and moves between changes; the page is whole without it. Every
// word of the filter must be in the text of a change, in upper or lower case.
{
  const [bar, box, kind, action, status, none] = ['bar', 'q', 'kind', 'action', 'status', 'none'].map((id) =>
    document.getElementById(id),
  );
  const folded = (text) => text.normalize('NFKC').toLowerCase();
  const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const sections = document.querySelectorAll('[data-action]');
  const groups = document.querySelectorAll('.group');
  // They are of the whole plan, so they only stand in the way of what is looked for.
  const pictures = document.querySelectorAll('.pictures');
  const cards = [...document.querySelectorAll('article')].map((card) => ({
    card,
    kind: card.className,
    action: card.closest('section').dataset.action,
    text: undefined,
  }));
  let shown = [];

  const textOf = (each) => (each.text ??= folded(each.card.textContent));
  const share = (found, total) => (found === total ? '' : `${grouped(found)} of `) + grouped(total);
  const found = (place) => place.querySelectorAll('article:not([hidden])').length;
  const narrow = () => {
    const words = folded(box.value).split(/\s+/).filter(Boolean);
    const fits = (each) =>
      (kind.value || each.kind) === each.kind &&
      (action.value || each.action) === each.action &&
      words.every((word) => textOf(each).includes(word));
    shown = cards.filter(fits).map(({ card }) => card);
    const wanted = new Set(shown);
    for (const { card } of cards) if (card.hidden === wanted.has(card)) card.hidden = !wanted.has(card);
    for (const group of groups) group.hidden = found(group) === 0;
    for (const section of sections) {
      section.hidden = found(section) === 0;
      section.querySelector('[data-count]').textContent = share(
        found(section),
        section.querySelectorAll('article').length,
      );
    }
    for (const each of pictures) each.hidden = shown.length < cards.length;
    none.hidden = shown.length > 0 || cards.length === 0;
    status.textContent = share(shown.length, cards.length) + (cards.length === 1 ? ' change' : ' changes');
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
  bar.hidden = cards.length === 0;
  narrow();
}
