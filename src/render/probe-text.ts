import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { CredentialNames } from '../environment/model.ts';
import type { PointResult, ProbeHalt, ProbeReport } from '../probe/model.ts';
import type { Target } from '../state/model.ts';
import { pluralize } from '../text/pluralize.ts';
import { haltText, resolveSteps } from './apply-outcome.ts';
import type { HintContext } from './model.ts';
import { renderServiceError } from './service-error.ts';
import { columnWidth, renderJson, type Style, styleFor, wrap, wrapWords } from './terminal.ts';

const COLUMN = 32;

export interface ProbeSubject {
  readonly environment: string;
  readonly target: Target;
  readonly credentials: CredentialNames;
  /** What the file itself said before. */
  readonly profile: Partial<Profile>;
  readonly flags: string;
}

/** What a probe is going to do, before anybody is asked. `newRecords`: at most so many. */
export function renderProbeIntent(
  { environment, target }: ProbeSubject,
  points: readonly ProfilePoint[],
  newRecords: number,
): string {
  const effect =
    newRecords === 0
      ? 'It writes to the records of an earlier probe and to no others.'
      : `It makes at most ${pluralize(newRecords, 'new record')}, named "Trove probe ...", which stay in the service for ever, since there is no delete. No other record is touched.`;
  return [
    ...wrapWords(`Probe of ${environment}: ${target.baseUrl}, team ${target.teamId}`),
    ...wrapWords(effect, '', ''),
    '',
    'To find out:',
    ...points.map((point) => `  ${point}`),
    '',
    '',
  ].join('\n');
}

/** Every point with what is known of it, why the run ended if it ended early, and what stays in the service. */
export function renderProbeText(
  report: ProbeReport,
  subject: ProbeSubject,
  writtenTo: string | undefined,
  color: boolean,
  isSaved = true,
): string {
  const style = styleFor(color);
  const reached = report.points.some(({ kind }) => kind !== 'not-reached');
  const rows = report.points.flatMap((result) => pointLines(result, subject.profile, style));
  const halt = report.halt ? haltLines(report.halt, subject) : [];
  const written = writtenTo ? wrapWords(`Written to ${writtenTo}, with the evidence.`) : [];
  return [
    ...(reached ? [style('dim', `${'POINT'.padEnd(COLUMN)}VALUE`), ...rows, ''] : []),
    ...halt,
    ...pendingLines(report),
    ...written,
    ...leftLines(report, isSaved),
    '',
  ].join('\n');
}

function pointLines(result: PointResult, profile: Partial<Profile>, style: Style): readonly string[] {
  const lines = wrapWords(
    words(result, profile[result.point]),
    result.point.padEnd(COLUMN),
    ' '.repeat(COLUMN),
  );
  if (result.kind === 'found' || result.kind === 'known') return lines;
  return lines.map((line) => style(result.kind === 'could-not-tell' ? 'yellow' : 'dim', line));
}

function words(result: PointResult, before: string | undefined): string {
  switch (result.kind) {
    case 'found': {
      const otherwise = before !== undefined && before !== result.value;
      return otherwise ? `${result.value} (the file said ${before})` : result.value;
    }
    case 'known': {
      const otherwise = before !== undefined && before !== result.value;
      const since = `known since ${result.at.slice(0, 10)}`;
      return `${result.value} (${since}${otherwise ? `; the profile says ${before}` : ''})`;
    }
    case 'could-not-tell':
      return `could not tell: ${result.because}`;
    case 'not-tried':
      return `not tried: ${result.because}`;
    case 'not-reached':
      return 'not reached';
  }
}

function haltLines(halt: ProbeHalt, subject: ProbeSubject): readonly string[] {
  return probeHaltTexts(halt, subject).flatMap((text, index) =>
    wrap(index === 0 ? `Stopped: ${text}` : text, index === 0 ? '' : '  ', '  '),
  );
}

/** A create of a record that is known already: its update shows what became of it. */
function pendingLines({ pending, halt }: ProbeReport): readonly string[] {
  return pending
    .filter((address) => halt?.kind !== 'unknown' || halt.address !== address)
    .flatMap((address) =>
      wrapWords(
        `The outcome of a create of ${address} was not seen. The next probe looks at the record and settles it.`,
      ),
    );
}

function leftLines({ left }: ProbeReport, isSaved: boolean): readonly string[] {
  if (left.length === 0) return [];
  const widest = columnWidth(left.map(({ address }) => address));
  return [
    isSaved
      ? 'These records stay in the service; the state keeps their ids:'
      : 'These records stay in the service; keep their ids, for the state was not saved:',
    ...left.flatMap(({ address, id }) => wrapWords(id, `  ${address.padEnd(widest)}  id `, '    ')),
  ];
}

/** The report for programs. `written`: the file that has it now, or null. */
export function renderProbeJson(
  report: ProbeReport,
  { environment, target, profile }: ProbeSubject,
  writtenTo: string | undefined,
): string {
  const points = report.points.map((result) => ({ ...result, before: profile[result.point] ?? null }));
  const written = writtenTo ?? null;
  return renderJson({ formatVersion: 1, environment, target, ...report, points, written });
}

/** Why a probe ended early, and what to do about it. */
function probeHaltTexts(halt: ProbeHalt, { credentials, flags }: HintContext): readonly string[] {
  const said = 'error' in halt && halt.error ? renderServiceError(halt.error, credentials) : undefined;
  switch (halt.kind) {
    case 'interrupted':
      return ['interrupted. What was found out so far is kept.', `To go on: trove probe${flags}`];
    case 'unknown':
      return [
        said?.message ?? `the outcome of the create of ${halt.address} was not seen in an earlier run.`,
        ...resolveSteps(halt.address, flags),
      ];
    case 'no-records':
      return said ? [said.message, said.hint] : ['the probe classifier lacks options that were asked for.'];
    case 'service':
      return said ? [said.message, said.hint] : [];
    case 'wrong-team':
    case 'other-id':
    case 'state-lost':
      return [haltText(halt)];
    case 'foreign-record':
      return [`the service answered with record ${halt.id}, which is ${halt.address}.`];
    case 'journal':
      return [`the journal failed (${halt.message.replace(/\.$/, '')}).`];
  }
}
