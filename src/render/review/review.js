// The one script of the page. It filters what is there, moves between changes and lets a whole row open it; the page is
// whole without it. Every word of the filter must be in the text of a change, in upper or lower case.
{
  const [bar, box, status, none] = ['bar', 'q', 'status', 'none'].map((id) => document.getElementById(id));
  const selects = Object.fromEntries([...bar.querySelectorAll('select')].map((each) => [each.id, each]));
  const folded = (text) => text.normalize('NFKC').toLowerCase();
  const grouped = (count) => String(count).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const environments = [...document.querySelectorAll('.environment')];
  // They are of the whole plan, so they only stand in the way of what is looked for.
  const pictures = document.querySelectorAll('.pictures');
  const rows = [];
  const sections = [...document.querySelectorAll('[data-action]')].map((section) => {
    const groups = [];
    const environment = section.closest('.environment')?.id;
    for (const body of section.querySelectorAll('tbody')) {
      if (body.className === 'why') groups.push({ head: body, found: 0 });
      else {
        const values = { kind: body.className, action: section.dataset.action, environment };
        rows.push({ body, values, group: groups.at(-1), own: section, text: undefined });
      }
    }
    const link = document.querySelector(`nav [href="#${section.id}"]`);
    const counts = [section.querySelector('[data-count]'), link.nextElementSibling];
    const total = section.querySelectorAll('tbody:not(.why)').length;
    return { section, groups, item: link.parentElement, counts, total, found: 0 };
  });
  const sectionOf = new Map(sections.map((each) => [each.section, each]));
  let shown = [];

  const share = (found, total) => (found === total ? '' : `${grouped(found)} of `) + grouped(total);
  const fits = (row, words) => {
    for (const [name, { value }] of Object.entries(selects))
      if (value !== '' && value !== row.values[name]) return false;
    if (words.length === 0) return true;
    row.text ??= folded(row.body.textContent);
    return words.every((word) => row.text.includes(word));
  };
  const narrow = () => {
    const words = folded(box.value).split(/\s+/).filter(Boolean);
    for (const each of sections) {
      each.found = 0;
      for (const group of each.groups) group.found = 0;
    }
    shown = rows.filter((row) => fits(row, words));
    const wanted = new Set(shown);
    for (const row of rows) if (row.body.hidden === wanted.has(row)) row.body.hidden = !wanted.has(row);
    for (const { own, group } of shown) {
      sectionOf.get(own).found++;
      if (group) group.found++;
    }
    const isNarrowed = shown.length < rows.length;
    for (const { section, item, groups, counts, found, total } of sections) {
      section.hidden = item.hidden = found === 0;
      for (const group of groups) group.head.hidden = group.found === 0;
      for (const count of counts) count.textContent = share(found, total);
    }
    for (const each of environments)
      each.hidden = isNarrowed && !each.querySelector('[data-action]:not([hidden])');
    for (const each of pictures) each.hidden = isNarrowed;
    none.hidden = shown.length > 0 || rows.length === 0;
    status.textContent = share(shown.length, rows.length) + (rows.length === 1 ? ' change' : ' changes');
  };
  const go = (step) => {
    const body = document.activeElement.closest('tbody');
    const at = shown.findIndex((row) => row.body === body);
    const row = shown[at === -1 ? (step > 0 ? 0 : shown.length - 1) : at + step];
    if (!row) return;
    row.body.querySelector('summary').focus({ preventScroll: true });
    const toSight = () =>
      row.body.contains(document.activeElement) && row.body.scrollIntoView({ block: 'nearest' });
    toSight();
    // The heights around it are known some frames later, once they were on the screen.
    setTimeout(toSight, 100);
  };
  const empty = () => {
    if (box.value === '') box.blur();
    box.value = '';
    narrow();
  };
  const inBox = { Enter: () => go(1), Escape: empty };
  const elsewhere = { '/': () => box.select(), j: () => go(1), k: () => go(-1) };

  for (const each of [box, ...Object.values(selects)]) each.addEventListener('input', narrow);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('select')) return;
    const act = (event.target === box ? inBox : elsewhere)[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  });
  document.addEventListener('click', ({ target }) => {
    const opens = target.closest('.changes tbody')?.querySelector('details');
    if (!opens || target.closest('a, summary, .place') || !getSelection().isCollapsed) return;
    opens.open = !opens.open;
  });
  bar.hidden = rows.length === 0;
  // Not read from the bar: a selector with [hidden] before ~ makes the hiding of ten thousand rows slow.
  document.body.classList.toggle('has-filter', !bar.hidden);
  narrow();
}
