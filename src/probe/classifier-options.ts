import { pathOf } from '../contract/routes.ts';
import type { UpdateClassifierBody, WireClassifier, WireOption } from '../contract/wire.ts';
import { withoutAnswer } from './model.ts';
import { ASSIGNABLE, classifierName, currentClassifier, probeClassifier } from './records.ts';
import type { ProbeRun } from './run.ts';

type Option = Pick<WireOption, 'name' | 'dropRateMultiplier'>;

/**
 * `classifierUpdate.options`: one update that changes a multiplier, leaves an option out and adds one. All three
 * taken: replace. All but the one left out: merge-by-name. Nothing taken: unsupported.
 */
export async function probeClassifierOptions(run: ProbeRun): Promise<void> {
  const point = 'classifierUpdate.options';
  const { id, classifierOptions: before } = currentClassifier(run);
  const [changed, dropped] = before.filter(({ name }) => !name.startsWith(ASSIGNABLE));
  if (!changed || !dropped) return run.cannotTell(point, 'the probe classifier has too few options');
  const wanted = [...before.filter((option) => option !== dropped).map(changedFrom(changed)), added(before)];
  const body = { name: classifierName, classifierOptions: wanted } satisfies UpdateClassifierBody;
  const request = { method: 'PUT', path: pathOf('updateClassifier', id), body } as const;
  const reply = await run.update<WireClassifier>(probeClassifier, id, request);
  if (reply.kind === 'stopped') return;
  if (reply.kind === 'refused') return run.tell(point, 'unsupported', reply.exchange);
  if (reply.kind === 'unseen') return run.cannotTell(point, withoutAnswer(reply), reply.exchange);
  const { classifierOptions: after } = reply.answer;
  if (isSame(after, wanted, before)) run.tell(point, 'replace', reply.exchange);
  else if (isSame(after, [...wanted, dropped], before)) run.tell(point, 'merge-by-name', reply.exchange);
  else if (isSame(after, before, before)) run.tell(point, 'unsupported', reply.exchange);
  else run.cannotTell(point, 'the options became something else', reply.exchange);
}

function changedFrom({ name: changed }: Option): (option: Option) => Option {
  return ({ name, dropRateMultiplier }) => ({
    name,
    dropRateMultiplier: name === changed ? (dropRateMultiplier === 1 ? 2 : 1) : dropRateMultiplier,
  });
}

function added(before: readonly Option[]): Option {
  const names = new Set(before.map(({ name }) => name));
  let number = 1;
  while (names.has(`Add ${number}`)) number++;
  return { name: `Add ${number}`, dropRateMultiplier: 1 };
}

/** The same names with the same multipliers, in any order, and what was there before still under its id. */
function isSame(
  answered: readonly WireOption[],
  wanted: readonly Option[],
  before: readonly WireOption[],
): boolean {
  const found = new Map(answered.map((option) => [option.name, option]));
  const ids = new Map(before.map(({ name, id }) => [name, id]));
  return (
    answered.length === wanted.length &&
    wanted.every(({ name, dropRateMultiplier }) => {
      const option = found.get(name);
      const kept = option !== undefined && (ids.get(name) ?? option.id) === option.id;
      return kept && option.dropRateMultiplier === dropRateMultiplier;
    })
  );
}
