/** How a person names this environment on the command line, with a blank before it; nothing for the default. */
export function environmentFlag(name: string): string {
  return name === 'local' ? '' : ` -e ${name}`;
}
