/**
 * Where the interface says "not shown", and what a service may do there (docs/dialects.md says
 * what each value means). The first value of each point is the default. Points that the profile of an
 * environment has too go by its names.
 */
export const dialectPoints = {
  'itemUpdate.classifierOptionIds': ['by-classifier', 'by-option', 'by-index', 'ignored'],
  'itemUpdate.assignments': ['replace', 'merge'],
  'itemUpdate.attributes': ['replace', 'merge'],
  'itemUpdate.omittedThumbnail': ['kept', 'cleared'],
  'itemUpdate.nullThumbnail': ['rejected', 'clears'],
  'itemUpdate.emptyThumbnail': ['stored', 'clears'],
  'itemCreate.clientId': ['honoured', 'ignored'],
  'itemCreate.existingId': [409, 500, 'overwritten'],
  'update.unknownId': [404, 400, 'created'],
  'classifierUpdate.options': ['ignored', 'replaced', 'merged-by-name', 'rejected'],
  unknownFields: ['ignored', 'rejected'],
  successStatus: [200, '201-on-create'],
  errorBody: ['json', 'text', 'empty', 'html'],
  timestamps: ['iso', 'sql'],
  arrayOrder: ['stored', 'shuffled'],
  numbers: ['exact', 'two-decimals'],
} as const;

export type DialectPoint = keyof typeof dialectPoints;

/** One value for every point: how a running service behaves where the interface is silent. */
export type Dialect = { readonly [Point in DialectPoint]: (typeof dialectPoints)[Point][number] };

/** The first value of every point: the service as it is without `--dialect`. */
export const defaultDialect = Object.fromEntries(
  Object.entries(dialectPoints).map(([point, [first]]) => [point, first]),
) as Dialect;
