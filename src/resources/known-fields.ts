import type { Kind } from '../catalog/model.ts';
import type { WireItem } from '../contract/wire.ts';
import type { ResourceRecord } from '../state/model.ts';
import type { Fields } from './fields.ts';
import type { Names } from './kind.ts';
import { kinds } from './registry.ts';

/**
 * What is known of a record: its last answer, without the assignments that a later answer has made untrue. An option
 * that its classifier no longer has is nobody's, and an update that repeats its id would be refused.
 */
export function knownFields(
  kind: Kind,
  { answer, at, options }: Pick<ResourceRecord, 'answer' | 'at' | 'options'>,
  names: Names,
): Fields {
  if (kind === 'classifier') return kinds.classifier.answered(answer, names, options);
  const item = answer as WireItem;
  const classifiers = item.classifiers.filter(
    ({ classifierId, classifierOption }) => !names.isGone(classifierId, classifierOption.id, at),
  );
  return kinds.item.answered({ ...item, classifiers }, names);
}
