import type { Environment } from './model.ts';

/**
 * The service's id of a catalog attribute. The embedded service takes any id where nobody lists attributes, so
 * there an attribute that the file does not name has its key for an id. Undefined: the environment names none.
 */
export function attributeId(environment: Environment, key: string): string | undefined {
  const named = environment.attributes.get(key);
  return named ?? (environment.service.kind === 'embedded' ? key : undefined);
}
