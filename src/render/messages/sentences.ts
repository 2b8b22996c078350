import environmentSchema from '../../../schemas/environment.schema.json' with { type: 'json' };
import worldSchema from '../../../schemas/world.schema.json' with { type: 'json' };
import type { PlanOptions, Selection } from '../../plan/options.ts';
import type { Names, Problems, Rule, SystemCause } from '../../text/diagnostic.ts';
import { nearest } from '../../text/nearest.ts';
import { fewOf, quoted, quotedForShell } from '../words.ts';

/** What is wrong and what is true now, in one sentence; then what to do or type next. */
export type Sentence = readonly [message: string, hint?: string | undefined];

/** The members of a union that may have this name under its tag. */
export type Tagged<Union, Tag extends PropertyKey, Name> = Union extends { readonly [T in Tag]: infer Names }
  ? Name extends Names
    ? Union
    : never
  : never;

/** Words for each member of a union, by its tag (`code`, `kind`, `why`), of which `context` is what they need beside. */
export type Table<Union, Tag extends keyof Union, Text, Context extends readonly unknown[] = []> = {
  readonly [Name in Union[Tag] & string]: (values: Tagged<Union, Tag, Name>, ...context: Context) => Text;
};

/** The words of a table for one value. */
export function wordsFor<Text, Context extends readonly unknown[]>(
  table: { readonly [name: string]: (values: never, ...context: Context) => Text },
  name: string,
  values: object,
  ...context: Context
): Text {
  return (table[name] as (values: object, ...context: Context) => Text)(values, ...context);
}

type Explain<Values> = (values: Values, flags: string) => Sentence;

/** What is true now, then what to do about it, one step each, commands as typed. */
export type Words = readonly [message: string, ...remedies: readonly string[]];

/** A rule with several sentences has one for each `why`. */
export type Sentences<Rules extends Rule> = {
  readonly [R in Rules]:
    | Explain<Problems[R]>
    | (Problems[R] extends { readonly why: string }
        ? Table<Problems[R], 'why', Sentence, [flags: string]>
        : never);
};

/** A hint with the nearest candidate; undefined if nothing is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string | undefined {
  const meant = nearest(name, candidates);
  return meant === undefined ? undefined : `did you mean ${quoted(meant)}?`;
}

/** What to say about a name that is not declared: the nearest that is, or all that are. */
export function declaredHint(name: string, declared: Names): string {
  const known = namesIn(declared);
  if (known.length === 0) return 'none are declared yet';
  return didYouMean(name, known) ?? `declared: ${fewOf(known.map(quoted), 10).join(', ')}`;
}

export function namesIn(names: Names): readonly string[] {
  if (Array.isArray(names)) return names;
  return names instanceof Map || names instanceof Set ? [...names.keys()] : Object.keys(names);
}

/** Names as they are read aloud: a, b and c. */
export function list(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names);
}

/** a, b or c. */
export function alternatives(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names);
}

/** Of a state; the serial of the newest version that this machine had. */
export function olderThanNewest(serial: number, newest: number): string {
  return serial >= newest
    ? `the state lacks version ${newest}, which this machine had: records that only that one has would be created twice`
    : `the state is outdated (serial ${serial}; this machine had ${newest}), so records created since then would be created twice`;
}

const UNTRUSTED = 'its certificate comes from an authority that is not trusted here';

/** What a code of the system, or of a connection, means; rare ones are missing. */
export const explanations: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EAGAIN: 'it is not a regular file',
  EDQUOT: 'the disk quota is used up',
  EEXIST: 'a file or folder with this name exists',
  EIO: 'the disk reported an error',
  EISDIR: 'it is a folder',
  ELOOP: 'its links form a loop',
  ENOENT: 'it does not exist',
  ENOSPC: 'no space is left on the disk',
  ENOTDIR: 'a part of the path is not a folder',
  ENXIO: 'it is a socket or a device',
  EPERM: 'the operation is not permitted',
  EROFS: 'the disk is read-only',
  ECONNREFUSED: 'the connection was refused',
  ENOTFOUND: 'the host name does not resolve',
  EAI_AGAIN: "the host name can't be resolved at the moment",
  EHOSTUNREACH: 'there is no route to the host',
  ENETUNREACH: 'there is no route to the network',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out',
  UND_ERR_ABORTED: 'the proxy did not open a connection',
  ECONNRESET: 'the connection was reset',
  UND_ERR_SOCKET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'its length is not the announced one',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: UNTRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNTRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNTRUSTED,
};

/** In plain words, with the code: `no space is left on the disk (ENOSPC)`. */
export function systemReason({ code = '', said }: SystemCause): string {
  const { [code]: explanation } = explanations;
  return explanation === undefined ? said : `${explanation} (${code})`;
}

/** The flags that select a catalog alone. */
export function catalogFlags(catalog: string): string {
  return commandFlags({ catalog, environment: 'local' });
}

/** An ID may begin with a hyphen, as a flag does. */
export function importCommand(address: string, id: string, flags: string): string {
  return `trove import${flags} ${id.startsWith('-') ? '-- ' : ''}${address} ${quotedForShell(id)}`;
}

/** IDs in responses to requests of an address, which the state has no more. */
export interface OtherIds {
  readonly address: string;
  readonly ids: readonly string[];
  /** A create of the kind is pending, which may have made their records. */
  readonly isUnsettled: boolean;
}

/** What to do about each of them. */
export function otherIdSteps(
  { address, ids, isUnsettled }: OtherIds,
  isDeclared: boolean | undefined,
  flags: string,
): readonly string[] {
  return ids.map((id) =>
    isUnsettled
      ? `A pending create may have made ${id}: trove resolve${flags}`
      : `If ${id} is its record${onceDeclared(isDeclared)}: ${importCommand(address, id, flags)}`,
  );
}

/** An import needs the declaration. */
export function onceDeclared(isDeclared: boolean | undefined): string {
  return isDeclared ? '' : ', once the catalog declares it';
}

/** The command that settles everything pending at once. */
export function dismissAll(flags: string): string {
  return `trove resolve${flags} --all --not-created`;
}

/** The flags that select a catalog and an environment in a printed command, with a blank before each; none for a default. */
export function commandFlags(selected: {
  /** The folder as people name it. */
  readonly catalog: string;
  readonly environment: string;
}): string {
  const { catalog, environment } = selected;
  const folder = catalog === 'catalog' ? '' : ` --catalog ${quotedForShell(catalog)}`;
  return environment === 'local' ? folder : `${folder} -e ${quotedForShell(environment)}`;
}

/** The flags that ask for a plan, as they are typed, with a blank before each. What stands for all comes last. */
export function planFlags({
  targets = [],
  replace = [],
  reassert = [],
  confirmNew = [],
  recover = false,
}: Partial<PlanOptions>): string {
  const one = (flag: string, addresses: Selection) =>
    addresses === 'all' ? [] : addresses.map((address) => ` ${flag} ${address}`);
  return [
    ...one('--target', targets),
    ...one('--replace', replace),
    ...one('--reassert', reassert),
    ...one('--confirm-new', confirmNew),
    ...(recover ? [' --recover'] : []),
    ...(reassert === 'all' ? [' --reassert'] : []),
    ...(confirmNew === 'all' ? [' --confirm-new'] : []),
  ].join('');
}

/** `trove apply` with what was asked for, which a printed command must not widen, and with what it is to be tried with. */
export function applyCommandFor(
  flags: string,
  asked: Partial<PlanOptions> = {},
  more: Partial<PlanOptions> = {},
): string {
  const { confirmNew = [] } = asked;
  const isAll = confirmNew === 'all' || more.confirmNew === 'all';
  const options = planFlags({
    ...asked,
    ...more,
    confirmNew: isAll ? 'all' : [...new Set([...confirmNew, ...(more.confirmNew ?? [])])],
  });
  return `trove apply${flags}${options}`;
}

/** All that a message may quote of a file with problems: the words of its schema, and those written for them. */
const quotable = new Set(['username', 'password', 'api', 'true']);
JSON.stringify([environmentSchema, worldSchema], (key, value) => {
  const names: readonly string[] = key === 'properties' ? Object.keys(value) : key === 'enum' ? value : [];
  for (const name of names) quotable.add(name);
  return value;
});

/** A sentence without what it quotes, but for the words of the schema. */
export function concealWords(text: string): string {
  return text.replace(/`([^`]*)`/g, (whole, quoted: string) => (isQuotable(quoted) ? whole : '`…`'));
}

/** Also a word with one slip of the keyboard; and a single character, such as a missing bracket, is no secret. */
function isQuotable(quoted: string): boolean {
  const words = quoted.replace(/\[\d+\]$/, '').split(/\.|: /);
  return (
    quoted.length < 2 || nearest(quoted, quotable) !== undefined || words.every((word) => quotable.has(word))
  );
}
