import type { ClassifierDeclaration, OptionDeclaration } from '../catalog/model.ts';
import type { Profile } from '../contract/profile.ts';
import type { CreateClassifierBody, WireClassifier, WireOption } from '../contract/wire.ts';
import type { ResourceRecord } from '../state/model.ts';
import { type FieldDifference, type Fields, fields, groupOf, membersOf } from './fields.ts';
import type { AnswerNames, Obstacle, ResourceKind } from './kind.ts';

/** A classifier with its options: sections 2.2, 4.3 and 4.4. */
export const classifier: ResourceKind<ClassifierDeclaration, WireClassifier> = {
  kind: 'classifier',
  required: new Set(['name']),
  desired,
  answered,
  obstacle,
  createBody,
  updateBody,
};

function desired(declaration: ClassifierDeclaration): Fields {
  return fields(
    ['name', 'options'],
    [
      ['name', declaration.name],
      ...Object.entries(declaration.options).map(
        ([key, option]) => [`options.${key}`, plainOption(option)] as const,
      ),
    ],
  );
}

/** Options are told apart by the ids recorded for their keys; one that no key has goes by its id. */
function answered(
  answer: WireClassifier,
  _names: AnswerNames,
  options: ResourceRecord['options'] = {},
): Fields {
  const keys = new Map(Object.entries(options).map(([key, id]) => [id, key]));
  return fields(
    ['name', 'options'],
    [
      ['name', answer.name],
      ...answer.classifierOptions.map(
        (option) => [`options.${keys.get(option.id) ?? option.id}`, plainOption(option)] as const,
      ),
    ],
  );
}

/**
 * Option keys to the ids of answered options, matched by name: the interface promises no order (section 4.3).
 * A key whose name was not answered exactly once, with an id of its own, is left out, and nothing can refer to it.
 */
export function optionIdsByName(
  options: Iterable<readonly [key: string, name: string]>,
  answered: readonly WireOption[],
): Readonly<Record<string, string>> {
  const timesById = new Map<string, number>();
  for (const { id } of answered) timesById.set(id, (timesById.get(id) ?? 0) + 1);
  const idsByName = new Map<string, string | undefined>();
  for (const { name, id } of answered) {
    const ambiguous = idsByName.has(name) || timesById.get(id) !== 1;
    idsByName.set(name, ambiguous ? undefined : id);
  }
  const matched: [string, string][] = [];
  for (const [key, name] of options) {
    const id = idsByName.get(name);
    if (id !== undefined) matched.push([key, id]);
  }
  return Object.fromEntries(matched);
}

/** The id recorded for an option key; keys such as `constructor` are nobody's until they are recorded. */
export function recordedOptionId(
  record: Pick<ResourceRecord, 'options'> | undefined,
  option: string,
): string | undefined {
  const { options } = record ?? {};
  return options && Object.hasOwn(options, option) ? options[option] : undefined;
}

function obstacle(difference: FieldDifference, profile: Profile): Obstacle | undefined {
  if (groupOf(difference.path) !== 'options') return undefined;
  const setting = profile['classifierUpdate.options'];
  if (setting === 'replace') return undefined;
  if (setting === 'merge-by-name') return mergeObstacle(difference);
  return { code: 'option-change', point: 'classifierUpdate.options' };
}

/** Merging by name adds options and changes multipliers; it neither renames nor removes. */
function mergeObstacle({ before, after }: FieldDifference): Obstacle | undefined {
  if (before === null) return undefined;
  if (after !== null && (after as OptionDeclaration).name === (before as OptionDeclaration).name)
    return undefined;
  return { code: 'option-merge', point: 'classifierUpdate.options' };
}

function createBody(declaration: ClassifierDeclaration) {
  const body = {
    name: declaration.name,
    classifierOptions: Object.values(declaration.options).map(plainOption),
  } satisfies CreateClassifierBody;
  return body;
}

function updateBody(target: Fields, _managed: ReadonlySet<string>, profile: Profile) {
  const name = target.values.get('name');
  if (profile['classifierUpdate.options'] === 'unsupported') return { name };
  return { name, classifierOptions: membersOf(target, 'options').map(([, option]) => option) };
}

function plainOption({ name, dropRateMultiplier }: OptionDeclaration): OptionDeclaration {
  return { name, dropRateMultiplier };
}
