import type { Profile, ProfilePoint } from '../contract/profile.ts';
import type { CredentialNames } from '../environment/model.ts';
import type { PointResult, ProbeHalt, ProbeReport } from '../probe/model.ts';
import type { Target } from '../state/model.ts';
import { haltText, resolveSteps } from './apply-outcome.ts';
import { explainHalt } from './messages/explain-plan.ts';
import { becauseText } from './messages/seen-text.ts';
import { type Table, wordsFor } from './messages/sentences.ts';
import type { HintContext } from './model.ts';
import { renderServiceError } from './service-error.ts';
import { inColor, labeled, renderJson, styled, textOf, wrap, wrapWords } from './terminal.ts';
import { pluralize } from './words.ts';

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
      ? 'It writes only to the records of an earlier probe.'
      : `It creates at most ${pluralize(newRecords, 'new record')}, named "Trove probe ...", which can't be deleted afterwards. No other record is touched.`;
  return textOf(
    wrapWords(`Probe of ${environment}: ${target.baseUrl}, team ${target.teamId}`),
    wrapWords(effect, '', ''),
    '',
    'Settings to probe:',
    points.map((point) => `  ${point}`),
    '',
  );
}

export function askToProbe(flags: string) {
  return {
    question: 'Write these records?',
    otherwise: 'Nothing was sent.',
    hint: `see what it would leave behind: trove probe${flags}, then confirm: trove probe${flags} --yes`,
  };
}

export function tryingText(points: readonly string[]): string {
  return `Probing ${points.join(', ')}\n`;
}

export function nothingLeftText(flags: string): string {
  const text = `Nothing is left to probe; nothing was sent. To probe again: trove probe${flags} --again`;
  return textOf(wrap(text, '', '  '));
}

/** Every point with what is known of it, why the run ended if it ended early, and what stays in the service. */
export function renderProbeText(
  report: ProbeReport,
  subject: ProbeSubject,
  writtenTo: string | undefined,
  color: boolean,
  isSaved = true,
): string {
  const { points, pending, halt, left } = report;
  const rows = points.flatMap((result) => pointLines(result, subject.profile));
  const unseen = pending.filter((address) => halt?.kind !== 'unknown' || halt.address !== address);
  const keeper = isSaved ? 'the state keeps their IDs:' : 'note their IDs, because the state was not saved:';
  const text = textOf(
    points.some(({ kind }) => kind !== 'not-reached') && [
      styled('dim', `${'SETTING'.padEnd(COLUMN)}VALUE`),
      ...rows,
      '',
    ],
    halt &&
      haltTexts(halt, subject).flatMap((text, at) =>
        at === 0 ? wrap(`Stopped: ${text}`) : wrap(text, '  '),
      ),
    // Of a record that is known already: its update shows what became of it.
    unseen.flatMap((address) =>
      wrapWords(`The create of ${address} has an unknown outcome. The next probe settles it.`),
    ),
    writtenTo !== undefined && wrapWords(`Written to ${writtenTo}, with the evidence.`),
    left.length > 0 && [
      `These records stay in the service; ${keeper}`,
      ...labeled(
        left.map(({ address, id }) => [address, `id ${id}`] as const),
        '  ',
      ),
    ],
  );
  return inColor(color, text);
}

function pointLines(result: PointResult, profile: Partial<Profile>): readonly string[] {
  const before = profile[result.point];
  const other = 'value' in result && before !== result.value ? before : undefined;
  const text = wordsFor(kinds, result.kind, result, other);
  const lines = wrapWords(text, result.point.padEnd(COLUMN), ' '.repeat(COLUMN));
  if (result.kind === 'found' || result.kind === 'known') return lines;
  return lines.map((line) => styled(result.kind === 'could-not-tell' ? 'yellow' : 'dim', line));
}

/** `before`: what the file said, if that is another value. */
const kinds: Table<PointResult, 'kind', string, [before: string | undefined]> = {
  found: ({ value }, before) => `${value}${before === undefined ? '' : ` (the file had ${before})`}`,
  known: ({ value, at }, before) =>
    `${value} (known since ${at.slice(0, 10)}${before === undefined ? '' : `; the profile has ${before}`})`,
  'could-not-tell': ({ because }) => `inconclusive: ${becauseText(because)}`,
  'not-tried': ({ because }) => `not tried: ${becauseText(because)}`,
  'not-reached': () => 'not reached',
};

/** Why a probe ended early, and what to do about it. */
function haltTexts(halt: ProbeHalt, { credentials, flags }: HintContext): readonly string[] {
  const said = 'error' in halt && halt.error ? renderServiceError(halt.error, credentials) : undefined;
  switch (halt.kind) {
    case 'interrupted':
      return ['interrupted. Findings so far are kept.', `To continue: trove probe${flags}`];
    case 'unknown':
      return [
        said?.message ?? `the create of ${halt.address} has an unknown outcome.`,
        ...resolveSteps(halt.address, flags),
      ];
    case 'no-records':
    case 'service':
      return said ? [said.message, said.hint] : ['the probe classifier lacks options that were asked for.'];
    case 'foreign-record':
      return [`the service returned record ${halt.id}, which belongs to ${halt.address}.`];
    default:
      return [haltText(explainHalt(halt))];
  }
}

/** The report for programs. `written`: the file that has it now, or null. */
export function renderProbeJson(
  report: ProbeReport,
  { environment, target, profile }: ProbeSubject,
  writtenTo: string | undefined,
): string {
  const points = report.points.map((result) => ({
    ...result,
    ...('because' in result && { because: becauseText(result.because) }),
    before: profile[result.point] ?? null,
  }));
  const halt = report.halt && { halt: explainHalt(report.halt) };
  const written = writtenTo ?? null;
  return renderJson({ formatVersion: 1, environment, target, ...report, ...halt, points, written });
}
