import { quotedForShell } from '../text/quoted.ts';

/**
 * The flags that make a printed command mean this catalog and this environment, with a blank before each;
 * nothing for what is the default anyway. `catalog` is the folder as people name it.
 */
export function commandFlags({
  catalog,
  environment,
}: {
  readonly catalog: string;
  readonly environment: string;
}): string {
  const folder = catalog === 'catalog' ? '' : ` --catalog ${quotedForShell(catalog)}`;
  return environment === 'local' ? folder : `${folder} -e ${quotedForShell(environment)}`;
}
