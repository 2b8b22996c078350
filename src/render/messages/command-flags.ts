import { quotedForShell } from '../../text/quoted.ts';

/** The flags that select a catalog and an environment in a printed command, with a blank before each; none for a default. */
export function commandFlags(selected: {
  /** The folder as people name it. */
  readonly catalog: string;
  readonly environment: string;
}): string {
  const { catalog, environment } = selected;
  const folder = catalog === 'catalog' ? '' : ` --catalog ${quotedForShell(catalog)}`;
  return environment === 'local' ? folder : `${folder} -e ${quotedForShell(environment)}`;
}
