import { join, relative, sep } from 'node:path';
import catalogSchema from '../../schemas/catalog.schema.json' with { type: 'json' };
import environmentSchema from '../../schemas/environment.schema.json' with { type: 'json' };
import { credentialNames } from '../environment/credentials.ts';
import { environmentTemplate } from '../environment/file-text.ts';
import attributes from './templates/attributes.yaml?raw';
import classifiers from './templates/classifiers.yaml?raw';
import emptyCatalog from './templates/empty.yaml?raw';
import gitignore from './templates/gitignore?raw';
import items from './templates/items.yaml?raw';

export interface FirstEnvironment {
  readonly name: string;
  readonly baseUrl: string;
  readonly teamId: string;
}

export interface FirstFile {
  /** As the catalog folder is given: relative to the working directory, or absolute. */
  readonly path: string;
  readonly text: string;
}

interface Wanted {
  readonly catalogFolder: string;
  readonly example: boolean;
  readonly environment: FirstEnvironment | undefined;
}

/**
 * The files of a catalog that is valid as it is, what declares something last: a catalog counts as begun once it has
 * such a file, so that a run that was cut short can be repeated.
 */
export function firstFiles({ catalogFolder, example, environment }: Wanted): readonly FirstFile[] {
  // Beside the catalog; where the project itself is the catalog, in it, under a name that is no part of a catalog.
  const schemas = catalogFolder === '.' ? '.schemas' : join(catalogFolder, '..', 'schemas');
  const schemaFrom = (folder: string, schema: string) =>
    relative(folder, join(schemas, schema)).split(sep).join('/');
  const modeline = `# yaml-language-server: $schema=${schemaFrom(catalogFolder, 'catalog.schema.json')}\n\n`;
  const declared = example ? exampleFiles(environment === undefined) : { 'items.yaml': emptyCatalog };
  const environments = join(catalogFolder, 'environments');
  return [
    { path: join(schemas, 'catalog.schema.json'), text: json(catalogSchema) },
    { path: join(schemas, 'environment.schema.json'), text: json(environmentSchema) },
    { path: join(catalogFolder, '.gitignore'), text: gitignore },
    ...(environment
      ? [
          {
            path: environmentPath(catalogFolder, environment.name),
            text: environmentText(environment, schemaFrom(environments, 'environment.schema.json')),
          },
        ]
      : []),
    ...Object.entries(declared).map(([name, text]) => ({
      path: join(catalogFolder, name),
      text: modeline + text,
    })),
  ];
}

export function environmentPath(catalogFolder: string, name: string): string {
  return join(catalogFolder, 'environments', `${name}.yaml`);
}

function environmentText({ name, baseUrl, teamId }: FirstEnvironment, schema: string): string {
  const service = { kind: 'remote', baseUrl, credentials: credentialNames(name) } as const;
  return environmentTemplate({ name, service, teamId }, { schema, attributes: [] });
}

function json(schema: unknown): string {
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

/** Attributes need ids that only the owner of a service knows, so they are for the embedded one alone. */
function exampleFiles(withAttributes: boolean): Readonly<Record<string, string>> {
  return {
    ...(withAttributes && { 'attributes.yaml': attributes }),
    'classifiers.yaml': classifiers,
    'items.yaml': withAttributes ? items : items.replaceAll(/\n *attributes: .*/g, ''),
  };
}
