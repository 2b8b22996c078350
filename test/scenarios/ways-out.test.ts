import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ExplainedChange } from '../../src/render/messages/explain-plan.ts';
import type { Dialect } from '../../src/service/dialect.ts';
import { isRefereed } from '../rig/gateway.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';

type Edit = readonly [from: string, to: string];

interface Situation {
  readonly what: string;
  /** The change that can't be made as it is. */
  readonly address: string;
  readonly dialect?: Partial<Dialect>;
  readonly profile?: string;
  /** What is run first, with the small catalog; the default is an apply of it. */
  readonly first?: string;
  /** The name whose create reaches the service, while its response is lost. */
  readonly lostAnswer?: string;
  /** Whether the state is lost after it. */
  readonly lostState?: true;
  /** Edits of the catalog before it and after it. */
  readonly before?: readonly Edit[];
  readonly edits?: readonly Edit[];
  /** The flags under which it is planned and seen. */
  readonly flags?: string;
  /** How many of the ways out are commands; at least one. */
  readonly commands: number;
  /** Those whose condition does not hold here. */
  readonly inapplicable?: readonly number[];
}

const torch = '  torch:\n    name: Torch\n    rollNumerator: 100\n';

const situations: readonly Situation[] = [
  {
    what: 'a multiplier changes',
    address: 'classifier.rarity',
    dialect: { 'classifierUpdate.options': 'merged-by-name' },
    edits: [['name: Rare, dropRateMultiplier: 0.25', 'name: Rare, dropRateMultiplier: 0.5']],
    commands: 2,
  },
  {
    what: 'the options of an item change',
    address: 'item.oak-bow',
    edits: [['classifiers: { rarity: rare }', 'classifiers: { rarity: common }']],
    commands: 2,
  },
  {
    what: 'the thumbnail of an item is removed',
    address: 'item.iron-sword',
    dialect: { 'itemUpdate.nullThumbnail': 'clears' },
    edits: [['thumbnail: https://cdn.example/iron-sword.png', 'thumbnail: null']],
    commands: 2,
  },
  {
    what: 'an item uses an option that its classifier was created without',
    address: 'item.torch',
    profile: 'profile: { itemUpdate.classifierOptionIds: by-classifier, itemUpdate.assignments: replace }\n',
    edits: [
      ['  slot:', '      epic: { name: Epic, dropRateMultiplier: 0.01 }\n  slot:'],
      [torch, `${torch}    classifiers: { rarity: epic }\n`],
    ],
    commands: 2,
    inapplicable: [0],
  },
  {
    what: 'the response to a classifier create is lost',
    address: 'classifier.slot',
    lostAnswer: 'Slot',
    commands: 2,
  },
  {
    what: 'the key of an item changes',
    address: 'item.oak-bow',
    edits: [['oak-bow:', 'elm-bow:']],
    commands: 1,
  },
  {
    what: 'a classifier is searched for after the state was lost',
    address: 'classifier.rarity',
    profile: 'profile: { itemCreate.clientId: honoured, update.unknownId: rejected }\n',
    lostState: true,
    flags: '--recover',
    commands: 2,
  },
  {
    what: 'an item that never existed is searched for without a profile',
    address: 'item.torch',
    before: [[torch, '']],
    lostState: true,
    edits: [['rarity: rare }\n', `rarity: rare }\n${torch}`]],
    flags: '--recover',
    commands: 3,
  },
  {
    what: 'an ID was imported for a resource no longer declared',
    address: 'item.torch',
    first: 'import item.torch some-id --new-environment',
    edits: [[torch, '']],
    commands: 1,
  },
];

/** A fresh team in this situation. */
async function teamIn(situation: Situation): Promise<Team> {
  const { profile = '', dialect, before = [], first, lostAnswer, lostState, edits = [] } = situation;
  const team = await createTeam(smallCatalog, profile, dialect);
  const edit = ([from, to]: Edit) => team.project.edit('catalog/game.yaml', from, to);
  for (const each of before) await edit(each);
  if (lostAnswer) team.onCreate(lostAnswer, 'cut-after');
  const { code } = await team.run(first ?? 'apply --yes --new-environment');
  expect(code).toBe(lostAnswer ? 4 : 0);
  team.gateway.decide = () => 'pass';
  if (lostState) await rm(join(team.project.folder, statePath));
  for (const each of edits) await edit(each);
  return team;
}

async function changesAt(
  team: Team,
  { address, flags = '' }: Situation,
): Promise<readonly ExplainedChange[]> {
  const { stdout, stderr } = await team.run(`plan --format json ${flags}`.trim());
  if (stdout === '') throw new Error(stderr);
  const { changes } = JSON.parse(stdout) as { changes: readonly ExplainedChange[] };
  return changes.filter(
    (change) => change.address === address && ['blocked', 'unknown'].includes(change.action),
  );
}

const commandsIn = (changes: readonly ExplainedChange[]) =>
  changes.flatMap(({ remedies = [] }) =>
    remedies.flatMap((remedy) => /\btrove (.*)$/.exec(remedy)?.[1] ?? []),
  );

/** As a user types it who found the ID in the service, and confirms with --yes. */
async function typed(team: Team, command: string, { address }: Situation): Promise<string> {
  const [kind, key] = address.split('.');
  const name = { slot: 'Slot', rarity: 'Rarity', torch: 'Torch' }[key ?? ''];
  const record = team.service.ledger().find((entry) => entry.kind === kind && entry.name === name);
  const asks = /^(?:apply|probe|state forget)\b/.test(command) ? ' --yes' : '';
  const isNew = /^(?:import|probe)\b/.test(command) && !existsSync(join(team.project.folder, statePath));
  return command.replace(/\bID\b/, record?.id ?? 'none') + asks + (isNew ? ' --new-environment' : '');
}

// A probe, which is one of the ways, asks on purpose what is not documented.
describe.skipIf(isRefereed).each(situations.map((situation) => [situation.what, situation] as const))(
  'if %s,',
  (_, situation) => {
    const { commands: count, inapplicable = [] } = situation;
    test.each(Array.from({ length: count }, (_each, at) => at).filter((at) => !inapplicable.includes(at)))(
      'printed command %i resolves it',
      async (at) => {
        await using there = await teamIn(situation);
        const all = commandsIn(await changesAt(there, situation));
        // Before a recovery has begun, that is the first step of each way.
        const [begin, ...commands] = situation.lostState ? all : [undefined, ...all];
        expect(commands).toHaveLength(count);
        if (begin !== undefined) await there.run(`${begin} --yes`);
        const command = commands[at] ?? '';
        const line = await typed(there, command, situation);
        const done = await there.run(line);
        expect([0, 3], `${line}: ${done.code}\n${done.stdout}${done.stderr}`).toContain(done.code);
        expect(await changesAt(there, situation)).toEqual([]);
        const created = there.service.ledger().map(({ createdTimes }) => createdTimes);
        expect(Math.max(...created, 0)).toBeLessThanOrEqual(2);
      },
    );
  },
);
