// Stands for the world and for everything below src/service/store in the service that bench/service.mjs compares with:
// nothing is kept, and every answer has the shape of a real one. What is left is HTTP, credentials, parsing,
// validation and JSON.
import { hashPassword } from '../src/service/credentials.ts';

const users = new Map();

export function openDatabase() {
  return undefined;
}

export function closeDatabase() {}

export function checkWorld() {}

export async function applyWorld(_db, world) {
  for (const { id, username, password, teamId } of world.users) {
    users.set(username, { id, teamId, passwordHash: await hashPassword(password) });
  }
}

export function openStore() {
  return {
    transact: async (work) => work(),
    takesAttribute: () => true,
    classifiers: { find: () => undefined, ownerOf: () => 'classifier', put: (classifier) => classifier },
    items: { find: () => undefined, put: answerOf },
    ledger: { count() {} },
    findUser: (username) => users.get(username),
  };
}

function answerOf({ optionIds, attributes, ...item }) {
  const option = { name: 'Common', dropRateMultiplier: 1, classifierId: 'classifier' };
  return {
    ...item,
    classifiers: optionIds.map((id) => ({ classifierId: 'classifier', classifierOption: { id, ...option } })),
    attributes: attributes.map((range) => ({ ...range, itemId: item.id })),
  };
}
