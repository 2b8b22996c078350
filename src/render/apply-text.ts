import { namesRecord } from '../api/outcome.ts';
import { type ResultKind, resultKinds } from '../apply/model.ts';
import type { FieldChange, Plan } from '../plan/model.ts';
import type { PlanOptions } from '../plan/options.ts';
import type { State } from '../state/model.ts';
import { countOf } from '../text/problem-list.ts';
import { applySummary, haltText, nextSteps, outcomeOf, remainingOptions } from './apply-outcome.ts';
import { problemJson } from './diagnostic-reports.ts';
import type { ExplainedReport, ExplainedResult } from './messages/explain-plan.ts';
import { explainReason } from './messages/plan-reasons.ts';
import { namedIn } from './messages/seen-text.ts';
import { catalogFlags, dismissAll, list, planFlags } from './messages/sentences.ts';
import type { AppliedEnvironment, HintContext } from './model.ts';
import { describeTarget, sortRows } from './plan-summary.ts';
import { renderServiceError } from './service-error.ts';
import {
  alignColumns,
  escapeTerminal,
  harmless,
  inColor,
  linesOf,
  lineWidth,
  renderJson,
  shortened,
  styled,
  textOf,
  wrap,
  wrapWords,
} from './terminal.ts';
import { pluralize, valueText } from './words.ts';

/** In this order; what is only counted is not among them. */
const shown = {
  failed: 'red',
  unrecorded: 'red',
  unknown: 'magenta',
  waiting: 'magenta',
  blocked: 'yellow',
  diverged: 'yellow',
  'not-started': 'yellow',
} as const;

const LISTED = 20;
/** Differences of one result, and characters of each: an answer may have thousands of options. */
const MOST_DIFFERENCES = 100;
const LONGEST_DIFFERENCE = 400;

/** What did not go as planned, as lines; none where all did. */
function renderApplyDetails(report: ExplainedReport, reader: HintContext): readonly string[] {
  const { flags, askedFor = {} } = reader;
  const command = remainingOptions(report, askedFor, flags);
  return linesOf(
    (Object.keys(shown) as (keyof typeof shown)[]).flatMap((kind) => kindLines(kind, report, reader)),
    report.halt && wrap(`Stopped: ${haltText(report.halt)}`),
    dismissText(report, flags),
    command !== undefined && wrap(`To apply the remaining requested changes: ${command}`),
  );
}

/** Of creates that nothing but a person can settle, those whose responses name no record can be settled at once. */
function dismissText({ results }: ExplainedReport, flags: string): readonly string[] {
  const left = results.filter(
    ({ result, action, settles }) =>
      result === 'unknown' && ['create', 'replace', 'unknown'].includes(action) && !settles,
  );
  const silent = left.filter(isSilent).length;
  const which = silent === left.length ? 'what is pending' : 'those whose responses name no record';
  return silent > 1 ? wrap(`If the service has none of ${which}: ${dismissAll(flags)}`) : [];
}

function isSilent({ error, reasons = [] }: ExplainedResult): boolean {
  if (error) return !namesRecord(error);
  return reasons.some((each) => each.code === 'create-unseen' && namedIn(each.cause ?? '') === '');
}

function kindLines(kind: keyof typeof shown, { results }: ExplainedReport, reader: HintContext) {
  // What the plan above says already, and what was not started for the reason of the whole run, is only counted.
  const found = results.filter(
    ({ result, action, reason }) =>
      result === kind &&
      action !== 'unknown' &&
      (!['waiting', 'blocked', 'not-started'].includes(kind) || reason !== undefined),
  );
  const listed = found.filter((result, at) => at < LISTED || hasOnlyPlace(result));
  const rest = found.length - listed.length;
  return linesOf(
    listed.flatMap((result) => resultLines(result, styled(shown[kind], kind.padEnd(10)), reader)),
    rest > 0 && `  ... and ${rest} more; --format json lists them all`,
  );
}

/** An ID that was answered and may be recorded nowhere: whoever reads this has to keep it. */
function hasOnlyPlace({ result, action, remoteId, error }: ExplainedResult): boolean {
  if (result === 'unrecorded') return true;
  return result === 'unknown' && remoteId !== null && (action === 'create' || error === undefined);
}

function resultLines(result: ExplainedResult, label: string, { credentials, flags, askedFor }: HintContext) {
  const { address, remoteId, error, reason, reasons = [], fields = [] } = result;
  const head = escapeTerminal(address);
  const id = remoteId === null ? '' : `  id ${escapeTerminal(remoteId)}`;
  const said = error && renderServiceError(error, credentials);
  const fits = 11 + head.length + id.length <= lineWidth();
  const sentences = linesOf(
    said?.message,
    reason,
    reasons.flatMap((each) => explainReason(each, { address, flags })[0] ?? []),
    differenceTexts(fields),
    // What to do about an unknown outcome is said below, and better.
    result.result !== 'unknown' && said?.hint,
    nextSteps(result, flags, askedFor),
  );
  return linesOf(
    `${label} ${head}${fits ? styled('dim', id) : ''}`,
    !fits && styled('dim', id),
    sentences.flatMap((text) => wrap(text, '  ', '  ')),
  );
}

function differenceTexts(fields: readonly FieldChange[]): readonly string[] {
  const listed = fields
    .slice(0, MOST_DIFFERENCES)
    .map(({ path, before, after }) => `${path}: sent ${valueText(after)}, answered ${valueText(before)}`);
  return linesOf(
    listed.map((text) => shortened(text, LONGEST_DIFFERENCE)),
    fields.length > listed.length &&
      `... of ${pluralize(fields.length, 'difference')}; --format json lists all`,
  );
}

/**
 * The end of an apply: what did not go as planned with its place and next step, then one sentence. Of an unfinished
 * one it is no more than what is known so far.
 */
export function renderApplyText(
  report: ExplainedReport,
  color: boolean,
  reader: HintContext,
  isUnfinished = false,
): string {
  const summary = wrapWords(applySummary(report, isUnfinished)).map((line) => styled('bold', line));
  const details = renderApplyDetails(report, reader);
  return inColor(color, textOf(details, details.length > 0 && '', summary));
}

/**
 * What is asked before the plans of these environments are carried out, of which `sent` have something to send. `flags`
 * select a single one; `begin` is the flag that begins a state, if it was given.
 */
export function askToApply(
  environments: readonly string[],
  sent: readonly Plan[],
  { catalog, flags }: { readonly catalog: string; readonly flags: string },
  options: PlanOptions,
  begin: string,
) {
  const everywhere = catalogFlags(catalog);
  const named = environments.map((name) => ` -e ${name}`).join('');
  const asked = `${environments.length === 1 ? flags : everywhere + named}${planFlags(options)}`;
  return {
    question: `Apply to ${list(sent.map((plan) => `${plan.environment} (${escapeTerminal(describeTarget(plan))})`))}?`,
    otherwise: 'Nothing was sent.',
    hint: `to apply now: trove apply${asked}${begin} --yes; to review a plan first: trove plan${asked} --out FILE, then trove apply FILE${everywhere}${begin}`,
  };
}

/** What a next plan sends and blocks that this one could not know of. */
export function followingText(sent: number, blocked: number, flags: string): string {
  const changes = (count: number) => pluralize(count, 'more change');
  const what = linesOf(
    sent > 0 && `${changes(sent)} can be planned now`,
    blocked > 0 && `${changes(blocked)} ${blocked === 1 ? 'is' : 'are'} now blocked`,
  );
  return what.map((each) => `${each}: trove plan${flags}\n`).join('');
}

/** One of several environments has ended. */
export function endedText(environment: string, isDone: boolean): string {
  return `${escapeTerminal(environment)}: ${isDone ? 'done' : 'not everything was applied, see below'}\n`;
}

/** The report for programs, in the words of `ApplyReport`; `state` is null where it could not be saved. */
export function renderApplyJson(report: ExplainedReport, saved: State | undefined): string {
  const count = (kind: ResultKind) => report.results.filter(({ result }) => result === kind).length;
  const summary = Object.fromEntries(resultKinds.map((kind) => [kind, count(kind)]));
  const state = saved ? { lineage: saved.lineage, serial: saved.serial } : null;
  return renderJson({ formatVersion: 1, ...report, summary, state });
}

/** What became of each, and below it what did not go as planned. */
export function renderAppliedText(all: readonly AppliedEnvironment[], color: boolean): string {
  const results = sortRows(all.map((each) => [each.environment, resultWords(each)] as const));
  const details = all.flatMap(({ environment, report, reader }) => {
    const lines = report && reader ? renderApplyDetails(report, reader) : [];
    return lines.length > 0
      ? ['', styled('bold', `${harmless(escapeTerminal(environment))}:`), ...lines]
      : [];
  });
  const table = alignColumns([['ENVIRONMENT', 'RESULT'], ...results]);
  return inColor(color, table + textOf(details, '', styled('bold', conclusion(all))));
}

export function renderAppliedJson(all: readonly AppliedEnvironment[]): string {
  const environments = all.map(({ environment, exitCode, report, problems }) => ({
    environment,
    exitCode,
    report: report ?? null,
    problems: problems.map(problemJson),
  }));
  return renderJson({ formatVersion: 1, environments });
}

function resultWords({ report, problems, exitCode, isUnfinished }: AppliedEnvironment): string {
  const words = report ? outcomeOf(report).words : '';
  if (isUnfinished) return `${words || 'no outcome'} so far, not finished`;
  if (report === undefined && problems.length > 0)
    return `nothing was sent: ${pluralize(countOf(problems), 'problem')}, see below`;
  if (report === undefined && exitCode !== 0) return 'not started';
  return words || 'nothing to change';
}

function conclusion(all: readonly AppliedEnvironment[]): string {
  const left = all.filter(({ exitCode }) => exitCode !== 0);
  const total = pluralize(all.length, 'environment');
  if (left.length === 0)
    return all.some(({ report }) => report && outcomeOf(report).words !== '')
      ? `${total} applied.`
      : `Nothing to change in ${total}.`;
  const inPart = left.filter(({ report }) => report && outcomeOf(report).isAnyDone).length;
  const partly = inPart > 0 ? `, ${inPart} partially` : '';
  const names = left
    .map(({ environment }) => escapeTerminal(environment))
    .sort()
    .join(', ');
  return `${all.length - left.length} of ${total} applied${partly}; check ${names}.`;
}
