import {
  boolCoreTag,
  constructFromEvents,
  defineMappingTag,
  defineScalarTag,
  defineSequenceTag,
  type Event,
  mapTag,
  mergeTag,
  NOT_RESOLVED,
  nullCoreTag,
  type ScalarTagDefinition,
  Schema,
  seqTag,
  strTag,
  type TagDefinition,
} from 'js-yaml';
import { type RejectedNumber, readNumber } from './exact-number.ts';

export type Scalar = string | number | boolean | null;

const CORE = 'tag:yaml.org,2002:';
/** An alias or a merge key may give a file this many values more than it has characters. */
const MIN_EXPANSION_LIMIT = 100_000;

/** How many values the aliases of a text may stand for. */
export function expansionLimit(text: string): number {
  return Math.max(MIN_EXPANSION_LIMIT, text.length);
}

/**
 * The plain values of all documents. `doubt` is called for everything that may be wrong, and something harmless
 * takes its place; a key that overrides a merged one causes doubt, too. Throws a `YAMLException` if an alias or a
 * merge key refers to nothing usable.
 */
export function construct(text: string, events: Event[], doubt: () => void): readonly unknown[] {
  const schema = new Schema([seqTag, mergeTag, ...doubtingTags(doubt)]);
  const maxTotalMergeKeys = expansionLimit(text);
  // With `json` js-yaml leaves keys that exist already to the tag.
  return constructFromEvents(events, { source: text, schema, maxTotalMergeKeys, json: true });
}

function doubtingTags(doubt: () => void): readonly TagDefinition[] {
  const doubted = <T>(value: T): T => {
    doubt();
    return value;
  };
  const addPair = (mapping: Record<string, unknown>, key: unknown, value: unknown): string => {
    if (typeof key !== 'string' || key === '__proto__') doubt();
    else {
      // Quicker than `Object.hasOwn`; what objects inherit is only looked at twice.
      if (mapping[key] !== undefined) doubt();
      mapping[key] = value;
    }
    return '';
  };
  const unknown = { matchByTagPrefix: true, identify: () => false } as const;
  return [
    strTag,
    ...typedTags.map((tag) => ({
      ...tag,
      resolve: (text: string, isExplicit: boolean, name: string): Scalar | typeof NOT_RESOLVED => {
        const value = tag.resolve(text, isExplicit, name);
        if (value === NOT_RESOLVED) return isExplicit ? doubted(text) : value;
        return isRejected(value) ? doubted(value.value) : value;
      },
    })),
    { ...mapTag, addPair },
    defineMappingTag('', { ...mapTag, ...unknown, create: () => doubted({}), addPair }),
    defineSequenceTag('', { ...seqTag, ...unknown, create: () => doubted<unknown[]>([]) }),
    defineScalarTag('', { ...unknown, resolve: doubted }),
  ];
}

/** What a tag makes of a text; of a number that JSON can't carry it is the reason. */
const typedTags: readonly ScalarTagDefinition<Scalar | RejectedNumber>[] = [
  nullCoreTag,
  boolCoreTag,
  defineScalarTag<number | RejectedNumber>(`${CORE}float`, {
    implicit: true,
    implicitFirstChars: [...'0123456789-+.'],
    resolve: (text) => readNumber(text) ?? NOT_RESOLVED,
    identify: () => false,
  }),
  defineScalarTag<number | RejectedNumber>(`${CORE}int`, {
    resolve: (text) => (text.includes('.') ? undefined : readNumber(text)) ?? NOT_RESOLVED,
    identify: () => false,
  }),
];

export const scalarTags: ReadonlyMap<string, ScalarTagDefinition<Scalar | RejectedNumber>> = new Map(
  [strTag, ...typedTags].map((tag) => [tag.tagName, tag]),
);

/** The value of a plain scalar without a tag: `yes`, `on` and dates are text. */
export function resolvePlain(text: string): Scalar | RejectedNumber {
  for (const tag of typedTags) {
    const value = tag.implicit ? tag.resolve(text, false, tag.tagName) : NOT_RESOLVED;
    if (value !== NOT_RESOLVED) return value;
  }
  return text;
}

export function isRejected(value: Scalar | RejectedNumber): value is RejectedNumber {
  return typeof value === 'object' && value !== null;
}
