import type { Kind } from '../catalog/model.ts';
import type { RecordedRequest } from '../state/model.ts';

type Body = RecordedRequest['body'];

/** The update that asks for nothing but what a create has already asked for, in documented fields only. */
const updates: Record<Kind, (created: Body) => Body> = {
  classifier: ({ name }) => ({ name }),
  item: ({ name, rollNumerator, itemAttributes, thumbnail }) => ({
    name,
    rollNumerator,
    attributes: itemAttributes,
    ...(typeof thumbnail === 'string' && { thumbnail }),
  }),
};

export function updateFromCreate(kind: Kind, created: Body): Body {
  return updates[kind](created);
}
