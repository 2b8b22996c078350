import type { Address } from '../catalog/model.ts';
import { recordedOptionId } from '../resources/recorded-option.ts';
import { resolveReferences } from '../resources/reference.ts';
import type { RecordedRequest } from '../state/model.ts';
import type { Recorder, Run } from './run.ts';

/** The request with every id that was promised; undefined where one of them never came. */
export function resolveRequest(planned: RecordedRequest, run: Run): RecordedRequest | undefined {
  let missing = false;
  const body = resolveReferences(planned.body, (address) => {
    const id = idOf(address, run.ports.recorder);
    missing ||= id === undefined;
    return id ?? '';
  });
  return missing ? undefined : { ...planned, body: body as RecordedRequest['body'] };
}

/** `classifier.rarity` gives its record's id, `classifier.rarity.rare` the id of that option. */
function idOf(address: string, recorder: Recorder): string | undefined {
  const [kind, key, option] = address.split('.');
  const record = recorder.get(`${kind}.${key}` as Address);
  return option === undefined ? record?.id : recordedOptionId(record, option);
}
