import type { WireClassifier, WireItem } from '../../contract/wire.ts';
import type { HeldAttribute, HeldSpace } from '../store/holdings.ts';
import type { Store } from '../store/store.ts';
import { written } from '../store/written.ts';
import { matcher, type PageQuery } from './search.ts';

/** Items of one page. The largest catalog is a hundred pages then, and a page some 200 kB. */
const itemsPerPage = 100;

/** Records of each other list. Beyond that the page says how many there are, and a search finds them. */
const listed = 200;

/**
 * Everything that the page shows of one team, as it is stored at this moment: nothing is awaited in between, so
 * no write comes in either.
 */
export function takeInventory(store: Store, { teamId, userId, takenAt, query }: Asked): Inventory {
  const { holdings } = store;
  const matches = matcher(query.text);
  const classifiers = holdings.classifierTexts(teamId);
  const attributes = holdings.attributes(teamId);
  return {
    team: { id: teamId, name: holdings.teamName(teamId) },
    username: holdings.username(teamId, userId),
    takenAt,
    ...itemPage(store, teamId, query),
    classifiers: mapped(
      listing(classifiers, ({ texts }) => matches(texts)),
      ({ id }) => written(store.classifiers.find(teamId, id)),
    ),
    attributes: listing(attributes, ({ id, name }) => matches(`${name}\n${id}`)),
    spaces: listing(holdings.spaces(teamId), ({ id, name, users }) =>
      matches([name, id, ...users].join('\n')),
    ),
    classifierNames: new Map(classifiers.map(({ id, name }) => [id, name])),
    attributeNames: new Map(attributes.map(({ id, name }) => [id, name])),
  };
}

/** The page that was asked for, or the last one where there are fewer. */
function itemPage(
  { holdings, items }: Store,
  teamId: string,
  query: PageQuery,
): Pick<Inventory, 'items' | 'query' | 'pages'> {
  const matches = matcher(query.text);
  const found =
    query.text === '' ? undefined : holdings.itemTexts(teamId).filter(({ texts }) => matches(texts));
  const total = holdings.countItems(teamId);
  const count = found?.length ?? total;
  const pages = Math.max(1, Math.ceil(count / itemsPerPage));
  const page = Math.min(query.page, pages);
  const first = (page - 1) * itemsPerPage;
  const ids =
    found?.slice(first, first + itemsPerPage).map(({ id }) => id) ??
    holdings.itemIds(teamId, itemsPerPage, first);
  const rows = ids.map((id) => written(items.find(teamId, id)));
  return { items: { rows, found: count, total }, query: { ...query, page }, pages };
}

function listing<Row>(all: readonly Row[], matches: (row: Row) => boolean): Listing<Row> {
  const found = all.filter(matches);
  return { rows: found.slice(0, listed), found: found.length, total: all.length };
}

function mapped<From, To>({ rows, ...counts }: Listing<From>, to: (row: From) => To): Listing<To> {
  return { rows: rows.map(to), ...counts };
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
  readonly attributes: Listing<HeldAttribute>;
  readonly spaces: Listing<HeldSpace>;
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
