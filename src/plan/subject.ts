import { addressOf, type Declared, type Kind } from '../catalog/model.ts';
import type { AnyDeclaration } from '../resources/registry.ts';
import type { Change } from './model.ts';

/** What a change is about: which resource, which record, and where it is declared. */
export type Subject = Pick<Change, 'address' | 'kind' | 'key' | 'name' | 'remoteId' | 'source'>;

export function subject(kind: Kind, declared: Declared<AnyDeclaration>, remoteId: string | null): Subject {
  const { source, start } = declared.document.locate(declared.path, 'key');
  const { line, column } = source.positionAt(start);
  return {
    address: addressOf(kind, declared.key),
    kind,
    key: declared.key,
    name: declared.declaration.name,
    remoteId,
    source: { file: source.path, line, column },
  };
}
