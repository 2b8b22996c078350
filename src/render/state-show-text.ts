import { isReservedKey, keyOf } from '../catalog/model.ts';
import type { SameIdAgain } from '../plan/client-id.ts';
import { standingOf } from '../state/entries.ts';
import type {
  ImportedId,
  PendingCreate,
  RecordedRequest,
  ResourceRecord,
  StateEntry,
} from '../state/model.ts';
import { columnWidth, escapeTerminal, type Style, styleFor, wrapWords } from './terminal.ts';
import { valueText } from './value-text.ts';

/** The fields of a recorded answer, in the terms of the catalog. */
export type FieldsOf = (record: ResourceRecord) => ReadonlyMap<string, unknown>;

type Line = readonly [label: string, text: string];

/** Everything recorded of one address: what is in use, then what was retired there. */
export function renderStateShow(
  entries: readonly StateEntry[],
  fieldsOf: FieldsOf,
  againOf: (create: PendingCreate) => SameIdAgain,
  { flags, color }: { readonly flags: string; readonly color: { readonly stdout: boolean } },
): string {
  const style = styleFor(color.stdout);
  return entries.map((entry) => renderEntry(entry, fieldsOf, againOf, flags, style)).join('\n');
}

function renderEntry(
  entry: StateEntry,
  fieldsOf: FieldsOf,
  againOf: (create: PendingCreate) => SameIdAgain,
  flags: string,
  style: Style,
): string {
  const { address } = entry;
  if (entry.status === 'pending') return renderPending([{ create: entry, again: againOf(entry) }], flags);
  if (entry.status === 'forgotten') return '';
  const lines = entry.status === 'imported' ? importedLines(entry) : recordLines(entry, fieldsOf);
  const retired: readonly Line[] = entry.status === 'retired' ? [['retired', entry.retiredAt]] : [];
  return [
    style('bold', `${escapeTerminal(address)}: ${standingOf(entry)}`),
    ...table([...retired, ...lines], 2),
    '',
  ].join('\n');
}

function importedLines({ id, at, options, unconfirmed }: ImportedId): readonly Line[] {
  return [
    ['id', id],
    ['imported', at],
    ...optionLines(options),
    ...(unconfirmed ? unconfirmedLines(unconfirmed) : []),
    ['next', 'the next apply writes it once to confirm it'],
  ];
}

function recordLines(record: ResourceRecord, fieldsOf: FieldsOf): readonly Line[] {
  const { id, at, answer, sent, options, diverged = {}, unconfirmed, protect, origin } = record;
  return [
    ['id', id],
    ['answered', at],
    ...[...fieldsOf(record)].map(([path, value]): Line => [`  ${path}`, valueText(value)]),
    ['  created', answer.createdAt],
    ['  updated', answer.updatedAt ?? 'never'],
    ...optionLines(options),
    ...requestLines('sent', sent),
    ...Object.entries(diverged).map(([path, wanted]): Line => ['not taken', `${path}: ${valueText(wanted)}`]),
    ...(unconfirmed ? unconfirmedLines(unconfirmed) : []),
    ...originLines(origin),
    ...(protect ? ([['protected', 'yes: it is not retired']] as const) : []),
  ];
}

function originLines(origin: ResourceRecord['origin']): readonly Line[] {
  if (!origin) return [];
  return [...(origin.commit ? ([['commit', origin.commit]] as const) : []), ['catalog', origin.catalog]];
}

function unconfirmedLines({
  request,
  at,
  reason,
}: NonNullable<ResourceRecord['unconfirmed']>): readonly Line[] {
  const seen = reason ?? 'nothing: the run ended before an answer came';
  return [...requestLines('unconfirmed', request), ['  since', at], ['  seen', seen]];
}

function requestLines(label: string, { method, path, body }: RecordedRequest): readonly Line[] {
  return [
    [label, `${method} ${path}`],
    ...Object.entries(body).flatMap(([name, value]) => valueLines(`  ${name}`, value)),
  ];
}

/** As JSON, with the members of a list or an object one below the other. */
function valueLines(label: string, value: unknown): readonly Line[] {
  if (typeof value !== 'object' || value === null) return [[label, JSON.stringify(value)]];
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  const members = Array.isArray(value)
    ? value.map(spacedJson)
    : Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}: ${spacedJson(member)}`);
  if (members.length === 0) return [[label, `${open}${close}`]];
  return members.map((member, at): Line => {
    const begin = at === 0 ? `${open} ` : '  ';
    const end = at === members.length - 1 ? ` ${close}` : ',';
    return [at === 0 ? label : '', `${begin}${member}${end}`];
  });
}

/** On one line, with blanks at which it can be broken. */
function spacedJson(value: unknown): string {
  return JSON.stringify(value, null, 1)
    .replaceAll(/(?<=[{[])\n */g, '')
    .replaceAll(/\n *(?=[}\]])/g, '')
    .replaceAll(/\n */g, ' ');
}

function optionLines(options: Readonly<Record<string, string>> = {}): readonly Line[] {
  const entries = Object.entries(options);
  if (entries.length === 0) return [];
  return [['option ids', ''], ...entries.map(([key, id]): Line => [`  ${key}`, id])];
}

function table(lines: readonly Line[], indent: number): readonly string[] {
  const widest = columnWidth(
    lines.map(([label]) => label),
    28,
  );
  const column = ' '.repeat(indent + widest + 2);
  return lines.flatMap(([label, text]) => {
    const first = `${' '.repeat(indent)}${escapeTerminal(label).padEnd(widest)}  `;
    return wrapWords(text, first, column).map((line) => line.trimEnd());
  });
}

/** A create whose outcome nobody saw, and whether it can be sent once more with its id. */
export interface ShownPending {
  readonly create: PendingCreate;
  readonly again: SameIdAgain;
}

/** Every create that waits for a person's word: what was sent, when, and what was seen. */
export function renderPending(pending: readonly ShownPending[], flags: string): string {
  if (pending.length === 0) return 'Nothing is pending: the outcome of every create was seen.\n';
  const command = (address: string) => escapeTerminal(`trove resolve ${address}${flags}`);
  return pending
    .map(({ create: { address, at, request, reason, answer }, again }) =>
      [
        `? ${escapeTerminal(address)}`,
        ...field('sent', `${at}  ${request.method} ${request.path}`),
        ...field('name', JSON.stringify(request.body.name ?? null)),
        ...field('seen', reason ?? 'nothing: the run ended before an answer came'),
        ...(answer ? field('answered', `record ${answer.id} of team ${answer.teamId}`) : []),
        ...waysOut(address, again, command(address), escapeTerminal(flags)),
        '',
      ].join('\n'),
    )
    .join('');
}

const conditions = {
  settles: 'which sends the same id again',
  perhaps: 'where the service honours ids',
} as const;

/** What settles by itself comes first; a person's word is for the rest. */
function waysOut(address: string, again: SameIdAgain, resolve: string, flags: string): readonly string[] {
  const steps = [
    ...(again === 'never' ? [] : [`${sender(address)}${flags}, ${conditions[again]}; else`]),
    `${resolve} --id ID`,
    `${resolve} --not-created`,
  ];
  return steps.map((step, at) => `    ${(at === 0 ? 'next' : '').padEnd(10)}${step}`);
}

/** The command that sends the same create again. */
function sender(address: string): string {
  return isReservedKey(keyOf(address)) ? 'trove probe' : 'trove apply';
}

function field(label: string, text: string): readonly string[] {
  return wrapWords(text, `    ${label.padEnd(10)}`, ' '.repeat(14));
}
