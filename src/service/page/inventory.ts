import type { WireClassifier, WireItem } from '../../contract/api.ts';
import type { Caller } from '../credentials.ts';
import type { ListedItem, NamedRecord, Store } from '../store/store.ts';

/** Items of one page. The largest catalog is a hundred pages then, and a page some 200 kB. */
const itemsPerPage = 100;

/** Records of each other list. Beyond that the page shows how many there are, and a search finds them. */
const listed = 200;

const maxText = 200;

/** What items are sorted by: the first, unless asked otherwise, is the order in which they are listed. */
const sortKeys = {
  name: undefined,
  roll: ({ rollNumerator }: ListedItem) => rollNumerator,
  written: ({ createdAt, updatedAt }: ListedItem) => updatedAt ?? createdAt,
};
export type SortedBy = keyof typeof sortKeys;

export interface Sort {
  readonly by: SortedBy;
  readonly isDown: boolean;
}

/** As an address has it; undefined: as items are listed. */
export function sortText({ by, isDown }: Sort): string | undefined {
  return by === 'name' && !isDown ? undefined : `${isDown ? '-' : ''}${by}`;
}

/** The address of the page with these items. */
export function pageAddress({ text, sort, page }: Asked): string {
  const order = sortText(sort);
  const query = new URLSearchParams({
    ...(text !== '' && { q: text }),
    ...(order !== undefined && { sort: order }),
    ...(page !== undefined && { page: String(page) }),
  });
  return query.size > 0 ? `/?${query}#items` : '/';
}

interface Asked {
  readonly text: string;
  readonly sort: Sort;
  /** Undefined: the first. */
  readonly page?: number;
}

/** What the page is made of. */
export type Inventory = ReturnType<typeof takeInventory>;

/** By id. */
export type Names = Pick<Inventory, 'classifierNames' | 'attributeNames'>;

/** The rows shown, of so many that match, of so many that there are; and which page (from 1) of how many it is. */
export interface Listing<Row> {
  readonly rows: readonly Row[];
  readonly found: number;
  readonly total: number;
  readonly page: number;
  readonly pages: number;
}

/**
 * Everything that the page shows of one team, as it is stored at this moment: nothing is awaited in between, so
 * no write comes in either. The query is that of the address, `?q=TEXT&sort=-roll&page=N`; what is not understood is left
 * out, since a page for people has no wrong address.
 */
export function takeInventory(
  { classifiers, items, lists }: Store,
  { teamId, userId }: Caller,
  query: URLSearchParams,
  takenAt: string,
) {
  const text = [...(query.get('q') ?? '').trim()].slice(0, maxText).join('');
  const asked = Number(/^[1-9]\d{0,8}$/.exec(query.get('page') ?? '')?.[0] ?? '1');
  const sort = sortOf(query.get('sort') ?? '');
  const search = searcher(text);
  const allClassifiers = lists.classifiers(teamId);
  const allAttributes = lists.attributes(teamId);
  const spaces = lists
    .spaces(teamId)
    .map((space) => ({ ...space, users: lists.usersOf(space.id).map(({ username }) => username) }));
  // Of all classifiers and attributes, also those that the search leaves out: items name them.
  const [classifierNames, attributeNames] = [namesOf(allClassifiers), namesOf(allAttributes)];
  const itemTexts = ({ name, id, thumbnail, classifiers: assigned, attributes }: WireItem) => [
    ...[name, id, thumbnail ?? ''],
    ...assigned.flatMap((each) => [classifierNames.get(each.classifierId) ?? '', each.classifierOption.name]),
    ...attributes.map(({ attributeId }) => attributeNames.get(attributeId) ?? attributeId),
  ];
  const itself = <Row>(row: Row) => row;
  return {
    ...{ text, sort, takenAt, classifierNames, attributeNames },
    team: lists.team(teamId) ?? { id: teamId, name: teamId },
    /** Who looks at it. */
    username: lists.user(teamId, userId)?.username ?? userId,
    items: search(
      sorted(lists.items(teamId), sort),
      ({ id }) => items.find(teamId, id) as WireItem,
      itemTexts,
      {
        size: itemsPerPage,
        asked,
      },
    ),
    classifiers: search(
      allClassifiers,
      ({ id }) => classifiers.find(teamId, id) as WireClassifier,
      ({ name, id, classifierOptions }) => [name, id, ...classifierOptions.map((option) => option.name)],
    ),
    attributes: search(allAttributes, itself, ({ name, id }) => [name, id]),
    spaces: search(spaces, itself, ({ name, id, users }) => [name, id, ...users]),
  };
}

/** `roll`, or `-roll` from the highest down. */
function sortOf(asked: string): Sort {
  const by = asked.replace(/^-/, '');
  const isKnown = Object.hasOwn(sortKeys, by);
  return { by: isKnown ? (by as SortedBy) : 'name', isDown: isKnown && by !== asked };
}

function sorted(items: readonly ListedItem[], { by, isDown }: Sort): readonly ListedItem[] {
  const keyOf = sortKeys[by];
  const up = keyOf
    ? items.toSorted((one, other) => {
        const [a, b] = [keyOf(one), keyOf(other)];
        return a < b ? -1 : Number(a > b);
      })
    : items;
  return isDown ? up.toReversed() : up;
}

function namesOf(records: readonly NamedRecord[]): ReadonlyMap<string, string> {
  return new Map(records.map(({ id, name }) => [id, name]));
}

/**
 * Gives a function that finds the records whose texts have every word of `text`, whatever their case and wherever they
 * stand, and cuts out the page that was asked for, or the last one. Of `all`, only what is looked at is loaded. The
 * script in the page does the same with what is on the page (filter.js).
 */
function searcher(text: string) {
  const words = folded(text).split(/\s+/).filter(Boolean);
  return <Listed, Row>(
    all: readonly Listed[],
    load: (listed: Listed) => Row,
    textsOf: (row: Row) => readonly string[],
    { size = listed, asked = 1 } = {},
  ): Listing<Row> => {
    const matches = (each: Listed): boolean => {
      // A line each, so that no word is found across two of them.
      const texts = folded(textsOf(load(each)).join('\n'));
      return words.every((word) => texts.includes(word));
    };
    const found = words.length === 0 ? all : all.filter(matches);
    const pages = Math.max(1, Math.ceil(found.length / size));
    const page = Math.min(asked, pages);
    const rows = found.slice((page - 1) * size, page * size).map(load);
    return { rows, found: found.length, total: all.length, page, pages };
  };
}

function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}
