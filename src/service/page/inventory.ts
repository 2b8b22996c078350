import type { WireClassifier, WireItem } from '../../contract/wire.ts';
import type { NamedRecord, TeamSpace } from '../store/page-queries.ts';
import type { Store } from '../store/store.ts';

/** What the reader asked for in the address: `?q=TEXT&page=N`. */
export interface PageQuery {
  /** As typed, at most 200 characters; '' for everything. */
  readonly text: string;
  /** From 1. It may be beyond the last page. */
  readonly page: number;
}

const maxText = 200;

/** Reads the query of an address. What is not understood is left out: a page for people has no wrong address. */
export function readPageQuery(parameters: URLSearchParams): PageQuery {
  const text = [...(parameters.get('q') ?? '').trim()].slice(0, maxText).join('');
  const page = /^[1-9]\d{0,8}$/.exec(parameters.get('page') ?? '')?.[0] ?? '1';
  return { text, page: Number(page) };
}

/**
 * Gives whether a record's texts hold every word of `text`, whatever their case and wherever they stand. The
 * script in the page does the same with what is on the page (filter-script.ts).
 */
function matcher(text: string): (texts: string) => boolean {
  const words = folded(text).split(/\s+/).filter(Boolean);
  return (texts) => {
    const haystack = folded(texts);
    return words.every((word) => haystack.includes(word));
  };
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Items of one page. The largest catalog is a hundred pages then, and a page some 200 kB. */
const itemsPerPage = 100;

/** Records of each other list. Beyond that the page says how many there are, and a search finds them. */
const listed = 200;

/**
 * Everything that the page shows of one team, as it is stored at this moment: nothing is awaited in between, so
 * no write comes in either.
 */
export function takeInventory(store: Store, { teamId, userId, takenAt, query }: Asked): Inventory {
  const { pageQueries } = store;
  const matches = matcher(query.text);
  const classifiers = pageQueries.classifierTexts(teamId);
  const matching = listing(classifiers, ({ texts }) => matches(texts));
  const attributes = pageQueries.attributes(teamId);
  return {
    team: { id: teamId, name: pageQueries.teamName(teamId) },
    username: pageQueries.username(teamId, userId),
    takenAt,
    ...itemPage(store, teamId, query),
    classifiers: {
      ...matching,
      rows: matching.rows.flatMap(({ id }) => store.classifiers.find(teamId, id) ?? []),
    },
    attributes: listing(attributes, ({ id, name }) => matches(`${name}\n${id}`)),
    spaces: listing(pageQueries.spaces(teamId), ({ id, name, users }) =>
      matches([name, id, ...users].join('\n')),
    ),
    classifierNames: new Map(classifiers.map(({ id, name }) => [id, name])),
    attributeNames: new Map(attributes.map(({ id, name }) => [id, name])),
  };
}

/** The page that was asked for, or the last one where there are fewer. */
function itemPage(
  { pageQueries, items }: Store,
  teamId: string,
  query: PageQuery,
): Pick<Inventory, 'items' | 'query' | 'pages'> {
  const matches = matcher(query.text);
  const found =
    query.text === '' ? undefined : pageQueries.itemTexts(teamId).filter(({ texts }) => matches(texts));
  const total = pageQueries.countItems(teamId);
  const count = found?.length ?? total;
  const pages = Math.max(1, Math.ceil(count / itemsPerPage));
  const page = Math.min(query.page, pages);
  const first = (page - 1) * itemsPerPage;
  const ids =
    found?.slice(first, first + itemsPerPage).map(({ id }) => id) ??
    pageQueries.itemIds(teamId, itemsPerPage, first);
  const rows = ids.flatMap((id) => items.find(teamId, id) ?? []);
  return { items: { rows, found: count, total }, query: { ...query, page }, pages };
}

function listing<Row>(all: readonly Row[], matches: (row: Row) => boolean): Listing<Row> {
  const found = all.filter(matches);
  return { rows: found.slice(0, listed), found: found.length, total: all.length };
}

interface Asked {
  readonly teamId: string;
  readonly userId: string;
  readonly takenAt: string;
  readonly query: PageQuery;
}

/** What the page is made of. */
export interface Inventory {
  readonly team: { readonly id: string; readonly name: string };
  /** Who looks at it. */
  readonly username: string;
  /** Timestamp text. */
  readonly takenAt: string;
  /** With a page that exists. */
  readonly query: PageQuery;
  /** Pages of items, at least 1. */
  readonly pages: number;
  readonly items: Listing<WireItem>;
  readonly classifiers: Listing<WireClassifier>;
  readonly attributes: Listing<NamedRecord>;
  readonly spaces: Listing<TeamSpace>;
  /** Of all classifiers and attributes, also those that the search left out: items name them. */
  readonly classifierNames: ReadonlyMap<string, string>;
  readonly attributeNames: ReadonlyMap<string, string>;
}

/** The rows shown, of so many that match, of so many that there are. */
export interface Listing<Row> {
  readonly rows: readonly Row[];
  readonly found: number;
  readonly total: number;
}
