import { stringify } from 'yaml';
import type { TeamSettings } from './model.ts';

interface Surroundings {
  /** Path of the schema from the file's folder, for editors. */
  readonly schema?: string;
  /** Keys of the attributes that the catalog uses. */
  readonly attributes: readonly string[];
}

/** The text of a small environment file that explains itself. It makes nothing up. */
export function environmentTemplate(settings: TeamSettings, { schema, attributes }: Surroundings): string {
  const isRemote = settings.service.kind === 'remote';
  return [
    ...(schema === undefined ? [] : [`# yaml-language-server: $schema=${schema}`]),
    serviceAndTeam(settings),
    ...(isRemote && attributes.length > 0 ? [attributeList(attributes)] : []),
    ...(isRemote ? [namespace, limits] : []),
  ].join('\n\n');
}

const namespace = `# Item ids derive from base URL and team. A UUID that is this team's alone keeps them where one of these changes:
# idNamespace: UUID`;

const limits = `# An apply that would write more than this is refused:
# limits: { maxCreates: 500, maxUpdates: 500 }
`;

function serviceAndTeam({ service, teamId, userId }: TeamSettings): string {
  const team = [
    ...(teamId === undefined
      ? []
      : [`${line('teamId', teamId)} # nothing more is written when the service answers with another team`]),
    ...(userId === undefined
      ? []
      : [`${line('userId', userId)} # this user's spaces are read before the first write`]),
  ];
  if (service.kind === 'embedded')
    return [`${line('service', 'embedded')} # the service that Trove brings along`, ...team, ''].join('\n');
  const { usernameFrom, passwordFrom } = service.credentials;
  return `${[line('baseUrl', service.baseUrl), ...team].join('\n')}

# Names of variables. The values stay outside git.
credentials:
  ${line('usernameFrom', usernameFrom)}
  ${line('passwordFrom', passwordFrom)}`;
}

/** In comments: a placeholder would be sent as an id. */
function attributeList(keys: readonly string[]): string {
  return `# The catalog uses these attributes. Each needs the id of its definition in this service:
# attributes:
${keys.map((key) => `#   ${key}: ID`).join('\n')}`;
}

function line(key: string, value: string): string {
  return stringify({ [key]: value }, { lineWidth: 0 }).trimEnd();
}
