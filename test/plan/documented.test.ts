import { expect, test } from 'vitest';
import { CreateClassifier, CreateItem, UpdateClassifier, UpdateItem } from '../../generated/wire.js';
import { documentedFields } from '../../generated/wire-fields.js';
import schema from '../../schemas/catalog.schema.json' with { type: 'json' };
import type { Address } from '../../src/catalog/model.ts';
import { type Profile, profilePoints, unknownProfile } from '../../src/contract/profile.ts';
import type { Plan } from '../../src/plan/model.ts';
import type { PlanOptions } from '../../src/plan/options.ts';
import { resolveReferences } from '../../src/resources/fields.ts';
import type { RecordedRequest } from '../../src/state/model.ts';
import { Desk, now } from '../rig/desk.ts';
import { type GeneratedCatalog, generatedCatalog, toYaml } from '../rig/generated-catalog.ts';
import { unseen } from '../rig/memory-service.ts';
import fc from '../rig/property.ts';

const schemaOf = ({ method, path }: RecordedRequest) =>
  `${method === 'POST' ? 'Create' : 'Update'}${path.startsWith('/items') ? 'Item' : 'Classifier'}` as const;

const validators = { CreateClassifier, CreateItem, UpdateClassifier, UpdateItem };

const anyProfile = fc.record(
  Object.fromEntries(
    Object.entries(profilePoints).map(([point, values]) => [point, fc.constantFrom(...values)]),
  ),
) as fc.Arbitrary<Profile>;

const planOptions: Partial<PlanOptions>[] = [
  {},
  { recover: true },
  { reassert: 'all' },
  { confirmNew: 'all' },
];
const onlyCreated = ['id', 'createdAt', 'updatedAt', 'lifecycle'];
const groups = Object.keys(schema.$defs.item.properties).filter((name) => !onlyCreated.includes(name));
const lifecycle = fc.record({
  ignoreChanges: fc.subarray(groups, { minLength: 1 }),
  onBlocked: fc.constant('replace'),
});

/** Generated catalogs whose items have lifecycles of their own, or none. */
const withLifecycles = fc
  .tuple(generatedCatalog, fc.infiniteStream(fc.option(lifecycle, { nil: undefined })))
  .map(([catalog, lifecycles]): GeneratedCatalog => {
    const items = Object.entries(catalog.items).map(([key, item]) => {
      return [key, { ...item, lifecycle: lifecycles.next().value }];
    });
    return { ...catalog, items: Object.fromEntries(items) };
  });

/** What the API documents for every request, and what a profile may add to it. */
function expectDocumented({ changes }: Plan, profile: Profile): void {
  for (const request of changes.flatMap(({ requests }) => requests)) {
    const name = schemaOf(request);
    const body = resolveReferences(request.body, () => 'an-id') as RecordedRequest['body'];
    const { thumbnail, ...rest } = body;
    const isCleared = name === 'UpdateItem' && thumbnail === null;
    if (isCleared) expect(profile['itemUpdate.clearThumbnail']).toBe('null');
    const validate = validators[name];
    expect(validate(isCleared ? rest : body), JSON.stringify([name, body, validate.errors])).toBe(true);
    const documented = Object.keys(documentedFields[name]);
    const added = profile['classifierUpdate.options'] === 'unsupported' ? [] : ['classifierOptions'];
    expect(Object.keys(body).filter((field) => ![...documented, ...added].includes(field))).toEqual([]);
    const shaped = profile['itemUpdate.classifierOptionIds'] !== 'unsupported';
    if (name === 'UpdateItem' && !shaped) expect(body).not.toHaveProperty('classifierOptionIds');
  }
}

test('every planned request is one that the API documents', async () => {
  await fc.assert(
    fc.asyncProperty(
      withLifecycles,
      withLifecycles,
      fc.oneof(fc.constant(unknownProfile), anyProfile),
      fc.constantFrom('kept', 'lost', 'imported', 'unseen'),
      fc.constantFrom(...planOptions),
      async (first, second, profile, fate, chosen) => {
        const desk = new Desk({ profile });
        if (fate === 'unseen') desk.service.react = unseen;
        await desk.apply(toYaml(first));
        const ids = Object.entries(desk.recorded.live).map(([address, { id }]) => ({ address, id }));
        if (fate === 'lost' || fate === 'imported') desk.state = undefined;
        if (fate === 'imported')
          for (const { address, id } of ids)
            desk.record({ type: 'imported', address: address as Address, id, at: now });
        expectDocumented(await desk.plan(toYaml(second), {}, chosen), profile);
      },
    ),
    { numRuns: 400 },
  );
});

test('the update of an imported item contains all required fields, even ignored ones', async () => {
  const desk = new Desk();
  const item = 'name: Sword, rollNumerator: 40, attributes: { damage: { min: 1, max: 2 } }';
  const text = `attributes: { damage: {} }\nitems: { sword: { ${item}, lifecycle: { ignoreChanges: [name, rollNumerator] } } }`;
  desk.record({ type: 'imported', address: 'item.sword', id: 'its-id', at: now });
  const attributes = [{ attributeId: 'attr_01', min: 1, max: 2 }];
  expect(await desk.change('item.sword', text)).toMatchObject({
    action: 'adopt',
    reason: expect.stringContaining(
      'an update must contain name and rollNumerator, so they are sent as declared',
    ),
    fields: expect.arrayContaining(
      ['name', 'rollNumerator', 'attributes.damage'].map((path) => expect.objectContaining({ path })),
    ),
    requests: [{ path: '/items/its-id', body: { name: 'Sword', rollNumerator: 40, attributes } }],
  });
});
