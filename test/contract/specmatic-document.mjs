import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';

/**
 * Writes `item-service.yaml` into `folder`: the published document, made readable for Specmatic, with what only
 * this one service can know.
 *
 * - Specmatic has no `2XX` and no untyped body: the status is our documented choice (200), an error is any object.
 * - The ids that exist: of a record in a path, of options in a create (`item-service_dictionary.yaml`). A made-up
 *   id is refused, and rightly so.
 */
export async function writeDocument(folder, { baseUrl, basic, userId }) {
  const document = parse(await readFile('schemas/item-service.openapi.yaml', 'utf8'));
  const { classifier, item } = await createRecords(baseUrl, basic);
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    const { '2XX': success, default: error } = operation.responses;
    operation.responses = { 200: success, default: error };
  }
  document.components.responses.Error.content = { 'application/json': { schema: { type: 'object' } } };
  const ids = {
    '/items/{id}': item.id,
    '/classifiers/{id}': classifier.id,
    '/users/{userId}/spaces': userId,
  };
  for (const [path, id] of Object.entries(ids)) {
    for (const { parameters } of Object.values(document.paths[path])) parameters[0].schema.enum = [id];
  }
  await writeFile(join(folder, 'item-service.yaml'), stringify(document));
  const [one, two] = classifier.classifierOptions.map(({ id }) => id);
  const dictionary = { CreateItem: { classifierOptionIds: [[one], [two], [one, two]] } };
  await writeFile(join(folder, 'item-service_dictionary.yaml'), stringify(dictionary));
}

async function createRecords(baseUrl, basic) {
  const create = async (path, body) => {
    const headers = { authorization: `Basic ${basic}`, 'content-type': 'application/json' };
    const answer = await fetch(baseUrl + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  const classifierOptions = ['Common', 'Rare'].map((name) => ({ name, dropRateMultiplier: 1 }));
  const item = { name: 'Torch', rollNumerator: 1, classifierOptionIds: [], itemAttributes: [] };
  return {
    classifier: await create('/classifiers', { name: 'Rarity', classifierOptions }),
    item: await create('/items', item),
  };
}
