/** Which addresses make sense in a place. */
export type AddressSet =
  /** All that a plan may have. */
  | 'known'
  /** Declared, with a record in use. */
  | 'applied'
  /** Declared, with none. */
  | 'new'
  /** Whatever the state has, also what is retired or pending. */
  | 'recorded'
  | 'pending';

/** What stands in a place, where it is none of a few words. */
export type Place =
  | { readonly kind: 'addresses'; readonly which: AddressSet }
  | { readonly kind: 'environments' }
  | { readonly kind: 'files' }
  | { readonly kind: 'folders' };

const environments = { kind: 'environments' } as const;
const files = { kind: 'files' } as const;
const folders = { kind: 'folders' } as const;
const addresses = (which: AddressSet) => ({ kind: 'addresses', which }) as const;

/** By option, as commander names its value, or by command and argument. What is not here is a text of one's own. */
export const places: ReadonlyMap<string, Place> = new Map<string, Place>([
  ['catalog', folders],
  ['env', environments],
  ['from', environments],
  ['target', addresses('known')],
  ['replace', addresses('applied')],
  ['reassert', addresses('applied')],
  ['confirmNew', addresses('new')],
  ...['out', 'file', 'db', 'world', 'faults', 'dialect'].map((option) => [option, files] as const),
  ['trove init folder', folders],
  ['trove fmt files', files],
  ['trove show file', files],
  ['trove apply plan-file', files],
  ['trove state push file', files],
  ['trove import address', addresses('new')],
  ['trove resolve address', addresses('pending')],
  ['trove state show address', addresses('recorded')],
  ['trove state forget address', addresses('recorded')],
  ['trove state mv from', addresses('recorded')],
  ['trove state mv to', addresses('new')],
  ['trove env diff one', environments],
  ['trove env diff other', environments],
]);
