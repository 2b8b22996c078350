import type { ClassifierDeclaration, OptionDeclaration } from '../catalog/model.ts';
import type { CreateClassifierBody, WireClassifier, WireOption } from '../contract/api.ts';
import type { Profile } from '../contract/profile.ts';
import type { ResourceRecord } from '../state/model.ts';
import {
  type AnswerNames,
  type FieldDifference,
  type Fields,
  fields,
  groupOf,
  type Members,
  membersOf,
  type Obstacle,
  pathsOf,
  type ResourceKind,
} from './fields.ts';

/** A classifier with its options: sections 2.2, 4.3 and 4.4. */
export const classifier: ResourceKind<ClassifierDeclaration, WireClassifier> = {
  required: new Set(['name']),
  desired,
  answered,
  obstacle,
  createBody,
  updateBody,
};

function desired({ name, options }: ClassifierDeclaration): Fields {
  return fieldsOf(name, Object.entries(options));
}

/** Options are told apart by the ids recorded for their keys; one that no key has goes by its id. */
function answered(
  { name, classifierOptions }: WireClassifier,
  _names: AnswerNames,
  options: ResourceRecord['options'] = {},
): Fields {
  const keys = new Map(Object.entries(options).map(([key, id]) => [id, key]));
  return fieldsOf(
    name,
    classifierOptions.map((option) => [keys.get(option.id) ?? option.id, option]),
  );
}

function fieldsOf(name: string, options: Members<OptionDeclaration>): Fields {
  const plain = options.map(([key, option]) => [key, plainOption(option)] as const);
  return fields(['name', 'options'], [['name', name], ...pathsOf('options', plain)]);
}

/**
 * Option keys to the ids of answered options, matched by name: the interface promises no order (section 4.3).
 * A key whose name was not answered exactly once, with an id of its own, is left out, and nothing can refer to it.
 */
export function optionIdsByName(
  declared: Members<{ readonly name: string }>,
  answered: readonly WireOption[],
): Readonly<Record<string, string>> {
  const times = new Map<string, number>();
  for (const { id, name } of answered)
    for (const each of [`id ${id}`, `name ${name}`]) times.set(each, (times.get(each) ?? 0) + 1);
  const isOne = (each: string) => times.get(each) === 1;
  const clear = answered.filter(({ id, name }) => isOne(`id ${id}`) && isOne(`name ${name}`));
  const ids = new Map(clear.map(({ name, id }) => [name, id]));
  const matched = declared.map(([key, { name }]) => [key, ids.get(name)] as const);
  return Object.fromEntries(matched.filter((each): each is [string, string] => each[1] !== undefined));
}

/** The id recorded for an option key; keys such as `constructor` have no ID until they are recorded. */
export function recordedOptionId(
  record: Pick<ResourceRecord, 'options'> | undefined,
  option: string,
): string | undefined {
  const { options } = record ?? {};
  return options && Object.hasOwn(options, option) ? options[option] : undefined;
}

/** Merging by name adds options and changes multipliers; it neither renames nor removes. */
function obstacle({ path, before, after }: FieldDifference, profile: Profile): Obstacle | undefined {
  const setting = profile['classifierUpdate.options'];
  if (groupOf(path) !== 'options' || setting === 'replace') return undefined;
  const point = 'classifierUpdate.options';
  if (setting === 'unsupported') return { code: 'option-change', point };
  const [was, is] = [before, after] as readonly (OptionDeclaration | null)[];
  return was && was.name !== is?.name ? { code: 'option-merge', point } : undefined;
}

function createBody({ name, options }: ClassifierDeclaration) {
  return {
    name,
    classifierOptions: Object.values(options).map(plainOption),
  } satisfies CreateClassifierBody;
}

function updateBody(target: Fields, _managed: ReadonlySet<string>, profile: Profile) {
  const name = target.values.get('name');
  if (profile['classifierUpdate.options'] === 'unsupported') return { name };
  return { name, classifierOptions: membersOf(target, 'options').map(([, option]) => option) };
}

function plainOption({ name, dropRateMultiplier }: OptionDeclaration): OptionDeclaration {
  return { name, dropRateMultiplier };
}
