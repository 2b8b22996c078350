import { isReservedKey, keyOf } from '../catalog/model.ts';
import { standingOf } from '../state/entry.ts';
import type { PendingCreate, RecordedRequest, ResourceRecord, StateEntry } from '../state/model.ts';
import { namedIn, namesAny } from './messages/seen-text.ts';
import { dismissAll, type OtherIds, otherIdSteps } from './messages/sentences.ts';
import { escapeTerminal, inColor, labeled, paragraphs, styled, textOf, wrapWords } from './terminal.ts';
import { senderOf, valueText } from './words.ts';

/** The fields of a recorded answer, in the terms of the catalog. */
export type FieldsOf = (record: ResourceRecord) => ReadonlyMap<string, unknown>;

type Row = readonly [label: string, text: string];

/** Everything recorded of one address: what is in use, then what was retired there. */
export function renderStateShow(
  entries: readonly StateEntry[],
  fieldsOf: FieldsOf,
  isSettledNext: (create: PendingCreate) => boolean,
  { flags, color }: { readonly flags: string; readonly color: { readonly stdout: boolean } },
): string {
  const texts = entries.map((entry) => {
    if (entry.status === 'pending')
      return renderPending([{ create: entry, isSettledNext: isSettledNext(entry) }], flags);
    const title = `${escapeTerminal(entry.address)}: ${standingOf(entry)}`;
    return textOf(styled('bold', title), labeled(rowsOf(entry, fieldsOf), '  ', 28));
  });
  return inColor(color.stdout, texts.join('\n'));
}

function rowsOf(entry: Exclude<StateEntry, PendingCreate>, fieldsOf: FieldsOf): readonly Row[] {
  switch (entry.status) {
    case 'forgotten':
      return [];
    case 'imported':
      return [
        ['id', entry.id],
        ['imported', entry.at],
        ...optionRows(entry.options),
        ...unconfirmedRows(entry),
        ['next', 'the next apply writes it once to confirm it'],
      ];
    case 'retired':
      return [['retired', entry.retiredAt], ...recordRows(entry, fieldsOf)];
    case 'live':
      return recordRows(entry, fieldsOf);
  }
}

function recordRows(record: ResourceRecord, fieldsOf: FieldsOf): readonly Row[] {
  const { id, at, answer, sent, options, diverged = {}, protect, origin } = record;
  const rows: (Row | false | undefined)[] = [
    ['id', id],
    ['answered', at],
    ...[...fieldsOf(record)].map(([path, value]): Row => [`  ${path}`, valueText(value)]),
    ['  created', answer.createdAt],
    ['  updated', answer.updatedAt ?? 'never'],
    ...optionRows(options),
    ...requestRows('sent', sent),
    ...Object.entries(diverged).map(([path, wanted]): Row => ['not stored', `${path}: ${valueText(wanted)}`]),
    ...unconfirmedRows(record),
    origin?.commit !== undefined && ['commit', origin.commit],
    origin && ['catalog', origin.catalog],
    protect && ['protected', 'yes: it is not retired'],
  ];
  return rows.filter((row) => row !== undefined && row !== false);
}

const NOTHING_SEEN = 'no response is recorded';

function unconfirmedRows({
  unconfirmed,
  otherIds = [],
}: Pick<ResourceRecord, 'unconfirmed' | 'otherIds'>): readonly Row[] {
  const others = otherIds.map((id): Row => ['other ID', `${id}, in the response to an earlier request`]);
  if (!unconfirmed) return others;
  const { request, at, reason = NOTHING_SEEN } = unconfirmed;
  return [...requestRows('unconfirmed', request), ['  since', at], ['  response', reason], ...others];
}

function requestRows(label: string, { method, path, body }: RecordedRequest): readonly Row[] {
  return [
    [label, `${method} ${path}`],
    ...Object.entries(body).map(([name, value]): Row => [`  ${name}`, spacedJson(value)]),
  ];
}

/** On one line, with blanks at which it can be broken. */
function spacedJson(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n */g, ' ');
}

function optionRows(options: Readonly<Record<string, string>> = {}): readonly Row[] {
  const rows = Object.entries(options).map(([key, id]): Row => [`  ${key}`, id]);
  return rows.length === 0 ? [] : [['option IDs', ''], ...rows];
}

/** A create with an unknown outcome, and whether the next run settles it with the same ID. */
export interface ShownPending {
  readonly create: PendingCreate;
  readonly isSettledNext: boolean;
}

const NOTHING_PENDING = 'Nothing is pending: every create has a known outcome.\n';

/** An ID that no record has, in a response to an update of this address. */
export interface StrayId {
  readonly address: string;
  readonly id: string;
}

/** Every pending create: what was sent, when, its response, and what to do. `strays`: IDs that they may have. */
export function renderPending(
  pending: readonly ShownPending[],
  flags: string,
  strays: readonly StrayId[] = [],
): string {
  if (pending.length === 0) return NOTHING_PENDING;
  const silent = pending.filter(({ create }) => !namesAny(create)).length;
  const which = silent === pending.length ? 'them' : 'those whose responses name no record';
  const all = silent > 1 ? `\nIf the service has none of ${which}: ${dismissAll(flags)}\n` : '';
  const others = textOf(
    strays.length > 0 && ['', 'One of them may have an ID that was in the response to an update:'],
    strays.map(({ address, id }) => escapeTerminal(`    ${id}  (${address})`)),
  );
  return (
    pending.map((each) => textOf(pendingLines(each.create), nextLines(each, flags))).join('') + others + all
  );
}

/** The same before `silent` are settled at once; the others stay. */
export function renderPendingOnly(
  silent: readonly PendingCreate[],
  others: readonly PendingCreate[],
  flags: string,
): string {
  if (silent.length + others.length === 0) return NOTHING_PENDING;
  const next = others.map(({ address }) =>
    escapeTerminal(`    trove resolve ${address}${flags} --not-created`),
  );
  return textOf(
    silent.flatMap(pendingLines),
    silent.length > 0 && others.length > 0 && '',
    others.length > 0 && [
      ...wrapWords('These stay pending, since their responses name a record that may exist:'),
      ...others.flatMap(pendingLines),
      ...wrapWords('For each of them: if the service has the record, give its ID with --id; if not, run:'),
      ...next,
    ],
  );
}

function pendingLines({ address, at, request, reason, answer }: PendingCreate): readonly string[] {
  const rows: readonly Row[] = [
    ['sent', `${at}  ${request.method} ${request.path}`],
    ['name', JSON.stringify(request.body.name ?? null)],
    ['response', reason ?? NOTHING_SEEN],
    ...(answer ? [['answered', `record ${answer.id} of team ${answer.teamId}`] as const] : []),
  ];
  return [`? ${escapeTerminal(address)}`, ...labeled(rows, '    ')];
}

function nextLines({ create: { address }, isSettledNext }: ShownPending, flags: string): readonly string[] {
  const resolve = `trove resolve ${address}${flags}`;
  // First what settles without a person, then the rest.
  const steps = [
    ...(isSettledNext ? [`to send the same ID again: ${senderOf(address)}${flags}`] : []),
    `${resolve} --id ID`,
    `${resolve} --not-created`,
  ];
  // Whole, since people copy them.
  return steps.map((step, index) => `    ${(index === 0 ? 'next' : '').padEnd(10)}${escapeTerminal(step)}`);
}

export interface Dismissed {
  readonly create: PendingCreate;
  /** Its record, which the create was to replace. */
  readonly inUse: string | undefined;
  readonly isDeclared: boolean;
  readonly others: OtherIds;
}

/** Of a create that has made nothing, and what follows. */
export function renderDismissed({ create, inUse, isDeclared, others }: Dismissed, flags: string): string {
  const { address } = create;
  const creates = isDeclared ? 'the next apply creates it' : 'it is not declared, so nothing creates it';
  const next = isReservedKey(keyOf(address)) ? 'the next probe creates it' : creates;
  const kept = `its record ${inUse} stays in use.\nTo replace it anyway: trove apply${flags} --replace ${address}`;
  const ways = paragraphs(inUse === undefined && otherIdSteps(others, isDeclared, flags));
  return `${address} is no longer pending; ${inUse === undefined ? next : kept}.\n${droppedText(create)}${ways}`;
}

export function renderResolved(create: PendingCreate, id: string): string {
  return `${create.address} is recorded as ${id}.\n${droppedText(create)}`;
}

/** What answers to the create named may stand nowhere else. */
function droppedText({ reason = '' }: PendingCreate): string {
  if (namedIn(reason) === '') return '';
  return textOf(wrapWords(`The recorded response was removed from the state: ${reason}.`));
}
