import type { Outcome } from '../api/outcome.ts';
import type { WireItem, WireOption } from '../contract/wire.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Exchange } from './model.ts';

const LONGEST = 300;

/**
 * An exchange as evidence. Of request and answer only what the points are about is kept, in the fields that the
 * interface documents: this goes into a file in git, and a service may repeat anything it was sent, credentials
 * included.
 */
export function evidenceOf({ method, path, body }: RecordedRequest, outcome: Outcome<AnyAnswer>): Exchange {
  const request = cut(`${method} ${path} ${JSON.stringify(sentEssence(body))}`);
  if (outcome.kind === 'answered')
    return { request, answer: cut(`${outcome.status} ${JSON.stringify(answeredEssence(outcome.body))}`) };
  const { status, words, reason } = outcome.error;
  return { request, answer: cut(status === undefined ? reason : `${status} ${words ?? ''}`.trim()) };
}

/** Without what is the same in every request. */
function sentEssence({ name: _, rollNumerator: __, ...body }: RecordedRequest['body']): object {
  const { classifierOptions } = body;
  if (!Array.isArray(classifierOptions)) return body;
  return { classifierOptions: optionTexts(classifierOptions) };
}

function answeredEssence(answer: AnyAnswer): object {
  if (!isItem(answer)) return { id: answer.id, classifierOptions: optionTexts(answer.classifierOptions) };
  const { id, thumbnail, classifiers, attributes } = answer;
  const assigned = classifiers.map(({ classifierOption }) => classifierOption.id);
  const ranges = attributes.map(({ attributeId, min, max }) => ({ attributeId, min, max }));
  return { id, thumbnail, classifiers: assigned, attributes: ranges };
}

/** Ten options in one line. */
function optionTexts(options: readonly Pick<WireOption, 'name' | 'dropRateMultiplier'>[]): readonly string[] {
  return options.map(({ name, dropRateMultiplier }) => `${name} x${dropRateMultiplier}`);
}

function isItem(answer: AnyAnswer): answer is WireItem {
  return 'attributes' in answer;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}
