// The one script of the page. It narrows what is on the page while somebody types; the form does the same on the
// server, over everything, with Enter or without JavaScript. What counts as found is defined in inventory.ts; a
// record's texts are those in its `<bdi>` elements.
{
  const box = document.getElementById('q');
  const status = document.getElementById('status');
  const clear = document.getElementById('clear');
  const asked = box.defaultValue;
  const before = status.textContent;
  const folded = (text) => text.normalize('NFKC').toLowerCase();
  const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const textsOf = (row) =>
    [...row.querySelectorAll('bdi:not(.aside)')].map((each) => each.textContent).join('\n');
  const lists = [...document.querySelectorAll('[data-list]')].map((list) => {
    const count = list.querySelector('[data-count]');
    const rows = [...list.querySelectorAll('[data-row]')].map((row) => ({
      row,
      texts: folded(textsOf(row)),
    }));
    const [none, body] = ['[data-none]', '[data-body]'].map((selector) => list.querySelector(selector));
    return { name: list.id, count, before: count.textContent, rows, none, body };
  });
  const total = Number(status.dataset.total);

  const narrow = () => {
    const words = folded(box.value).split(/\s+/).filter(Boolean);
    const narrowed = folded(box.value.trim()) !== folded(asked);
    for (const { name, count, before, rows, none, body } of lists) {
      let found = 0;
      for (const { row, texts } of rows) {
        row.hidden = narrowed && !words.every((word) => texts.includes(word));
        if (!row.hidden) found += 1;
      }
      count.textContent =
        narrowed && words.length > 0 ? `${grouped(found)} of ${grouped(rows.length)}` : before;
      if (body) body.hidden = rows.length > 0 && found === 0;
      if (none) none.hidden = !body?.hidden;
      if (name === 'items') tell(narrowed, words.length > 0, found, rows.length);
    }
  };
  const tell = (narrowed, some, found, here) => {
    const everything = here === total;
    const counted = `${grouped(found)} of ${grouped(here)} items`;
    const elsewhere = ` on this page. Enter searches all ${grouped(total)}.`;
    const cleared = `Enter shows all ${grouped(total)} items.`;
    status.textContent = !narrowed
      ? before
      : !some && !everything
        ? cleared
        : counted + (everything ? '' : elsewhere);
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
