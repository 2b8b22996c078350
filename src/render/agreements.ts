import type { ExplainedChange, ExplainedPlan, Explanation } from './messages/explain-plan.ts';
import { list } from './messages/sentences.ts';
import { notesOf, recordingNotes } from './plan-summary.ts';
import { groupBy, guardsOf, idOf } from './plan-view.ts';
import { fewOf } from './words.ts';

/** What is shown of one plan, or of those of several environments in common. */
export interface Contents {
  readonly notes: readonly string[];
  readonly guards: readonly Explanation[];
  readonly changes: readonly ExplainedChange[];
}

/** What exactly these environments have in common. */
interface Agreement extends Contents {
  readonly environments: readonly string[];
}

/**
 * The contents of several plans, each piece once, beside the environments that have it; what most have comes first. In
 * a command that takes only one, ENVIRONMENT stands for the name.
 */
export function agreements(plans: readonly ExplainedPlan[]): readonly Agreement[] {
  const pieces = plans.flatMap((plan) =>
    piecesOf(plan).map((piece) => ({ piece, plan, common: anonymous(piece, plan.environment) })),
  );
  const alike = [...groupBy(pieces, ({ common }) => common)].map(([common, found]) => {
    const environments = found.map(({ plan }) => plan.environment).sort();
    const [only] = found;
    const piece = found.length === 1 ? only?.piece : (JSON.parse(withNames(common, environments)) as Piece);
    return { environments, piece };
  });
  return [...groupBy(alike, ({ environments }) => environments.join()).values()]
    .map((found) => ({
      environments: found[0]?.environments ?? [],
      notes: found.flatMap(({ piece }) => piece?.note ?? []),
      guards: found.flatMap(({ piece }) => piece?.guard ?? []),
      changes: found.flatMap(({ piece }) => piece?.change ?? []),
    }))
    .toSorted((one, other) => other.environments.length - one.environments.length);
}

interface Piece {
  readonly note?: string;
  readonly guard?: Explanation;
  readonly change?: ExplainedChange;
}

/** Without IDs that are not shown, which differ everywhere. */
function piecesOf(plan: ExplainedPlan): readonly Piece[] {
  return [
    ...[...notesOf(plan), ...recordingNotes(plan)].map((note) => ({ note })),
    ...guardsOf(plan).map((guard) => ({ guard })),
    ...plan.changes.map((change) => {
      const remoteId = change.remoteId && idOf(change);
      return { change: { ...change, remoteId, requests: [] } };
    }),
  ];
}

/** As JSON, with ENVIRONMENT for the name of the environment in sentences and commands; values stand as they are. */
function anonymous({ note, guard, change }: Piece, environment: string): string {
  const name = new RegExp(`(?<=(?:^| )(?:-e|environment) )${environment}(?![\\w-])`, 'g');
  const without = (text: string) => text.replace(name, 'ENVIRONMENT');
  const words = ({ reason, remedies }: Partial<Explanation>) => ({
    reason: reason && without(reason),
    remedies: remedies?.map(without),
  });
  return JSON.stringify({
    note: note && without(note),
    guard: guard && words(guard),
    change: change && { ...change, ...words(change) },
  });
}

/**
 * Sentences are about all of them. Plan and apply take several environments at once; so do their commands here, while
 * there are few.
 */
function withNames(anonymous: string, environments: readonly string[]): string {
  const all = `environments ${list(fewOf(environments, FEW))}`;
  const common = anonymous.replaceAll(/environment ENVIRONMENT( has\b)?/g, (_, has) =>
    has ? `${all} have` : all,
  );
  if (environments.length > FEW) return common;
  const names = environments.map((name) => ` -e ${name}`).join('');
  return common.replaceAll(/(trove (?:apply|plan)\b[^"]*?) -e ENVIRONMENT/g, `$1${names}`);
}

const FEW = 4;
