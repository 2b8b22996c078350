import type { Plan } from '../plan/model.ts';

/** For readers of a plan who have no README at hand; none where no reason names a section. */
export function interfaceNote({ changes }: Plan): readonly string[] {
  const isNamed = changes.some(({ reason }) => reason !== undefined && /\(section \d/.test(reason));
  return isNamed ? ["Sections in brackets are those of the service's interface document."] : [];
}
