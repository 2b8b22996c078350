import type { Outcome } from '../api/outcome.ts';
import type { WireItem } from '../contract/wire.ts';
import type { AnyAnswer } from '../resources/registry.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Exchange } from './model.ts';

const LONGEST = 300;

/**
 * An exchange as evidence. Of an answer only what the points are about is kept, in the fields that the interface
 * documents: this goes into a file in git, and a service may repeat anything it was sent, credentials included.
 */
export function evidenceOf({ method, path, body }: RecordedRequest, outcome: Outcome<AnyAnswer>): Exchange {
  const request = cut(`${method} ${path} ${JSON.stringify(body)}`);
  if (outcome.kind === 'answered')
    return { request, answer: cut(`${outcome.status} ${JSON.stringify(essence(outcome.body))}`) };
  const { status, words, reason } = outcome.error;
  return { request, answer: cut(status === undefined ? reason : `${status} ${words ?? ''}`.trim()) };
}

function essence(answer: AnyAnswer): object {
  if (isItem(answer)) {
    const { id, name, thumbnail, classifiers, attributes } = answer;
    const assigned = classifiers.map(({ classifierOption }) => classifierOption.id);
    const ranges = attributes.map(({ attributeId, min, max }) => ({ attributeId, min, max }));
    return { id, name, thumbnail, classifiers: assigned, attributes: ranges };
  }
  const { id, name, classifierOptions } = answer;
  const options = classifierOptions.map((option) => ({
    id: option.id,
    name: option.name,
    dropRateMultiplier: option.dropRateMultiplier,
  }));
  return { id, name, classifierOptions: options };
}

function isItem(answer: AnyAnswer): answer is WireItem {
  return 'attributes' in answer;
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length <= LONGEST ? text : `${characters.slice(0, LONGEST - 1).join('')}…`;
}
