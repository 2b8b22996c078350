import type { ResourceRecord } from '../state/model.ts';

/** The id recorded for an option key; keys such as `constructor` are nobody's until they are recorded. */
export function recordedOptionId(
  record: Pick<ResourceRecord, 'options'> | undefined,
  option: string,
): string | undefined {
  const { options } = record ?? {};
  return options && Object.hasOwn(options, option) ? options[option] : undefined;
}
