import { stringify } from 'yaml';
import type { CopyNotes } from '../../environment/file-text.ts';
import type { CredentialNames, TeamSettings } from '../../environment/model.ts';

/** Beside the findings of a probe. */
export const PROBED_NOTE = 'written by trove probe';

/** Above what a copy of the environment `from` has of its team. */
export function copyNotes(from: string): CopyNotes {
  return {
    attributes: `Copied from ${from}: IDs of its team. Check each one.`,
    overrides: `Copied from ${from}: values of its team.`,
    only: `Copied from ${from}: the selection for its team.`,
    idNamespace: `A new one: with that of ${from}, items of both teams would get the same IDs.`,
  };
}

interface TemplateOptions {
  /** Path of the schema from the file's folder, for editors. */
  readonly schema?: string;
  /** Keys of the attributes that the catalog uses. */
  readonly attributes: readonly string[];
}

/** The text of a small environment file that explains itself. It makes nothing up. */
export function environmentTemplate(
  { service, teamId, userId }: TeamSettings,
  { schema: schemaPath, attributes }: TemplateOptions,
): string {
  const team = [
    service.kind === 'remote'
      ? line('baseUrl', service.baseUrl)
      : `${line('service', 'embedded')} # the service that ships with Trove`,
    teamId !== undefined && `${line('teamId', teamId)} # writes stop if the service reports another team`,
    userId !== undefined && `${line('userId', userId)} # this user's spaces are read before the first write`,
  ];
  const sections = [
    schemaPath !== undefined && `# yaml-language-server: $schema=${schemaPath}`,
    team.filter(Boolean).join('\n'),
    ...(service.kind === 'remote' ? remoteSections(service.credentials, attributes) : []),
  ];
  return `${sections.filter(Boolean).join('\n\n')}\n`;
}

function remoteSections({ usernameFrom, passwordFrom }: CredentialNames, attributes: readonly string[]) {
  // In comments: a placeholder would be sent as an id.
  const ids = attributes.map((key) => `#   ${key}: ID`).join('\n');
  return [
    `# Names of environment variables. Keep their values out of git.
credentials:
  ${line('usernameFrom', usernameFrom)}
  ${line('passwordFrom', passwordFrom)}`,
    ids &&
      `# The catalog uses these attributes. Each needs the ID of its definition in this service:
# attributes:
${ids}`,
    `# Item IDs are derived from the base URL and the team. To keep them if either changes, set a UUID unique to this team:
# idNamespace: UUID`,
    `# Trove refuses an apply that would write more than this:
# limits: { maxCreates: 500, maxUpdates: 500 }`,
  ];
}

function line(key: string, value: string): string {
  return stringify({ [key]: value }, { lineWidth: 0 }).trimEnd();
}
