import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ExplainedChange } from '../../src/render/messages/explain-plan.ts';
import type { Dialect } from '../../src/service/dialect.ts';
import { isRefereed } from '../rig/gateway.ts';
import { smallCatalog } from '../rig/small-catalog.ts';
import { createTeam, statePath, type Team } from '../rig/team.ts';

const path = 'catalog/game.yaml';

interface Situation {
  readonly what: string;
  /** The change that can't be made as it is. */
  readonly address: string;
  readonly dialect?: Partial<Dialect>;
  readonly profile?: string;
  /** Brings a fresh team there; what it applies first is the small catalog. */
  readonly prepare: (team: Team) => Promise<void>;
  /** The flags under which it is planned and seen. */
  readonly flags?: string;
  /** How many of the ways out are commands; at least one. */
  readonly commands: number;
}

const edit = (team: Team, from: string, to: string) => team.project.edit(path, from, to);
const torch = '  torch:\n    name: Torch\n    rollNumerator: 100\n';
const loseState = (team: Team) => rm(join(team.project.folder, statePath));

/** An apply whose create of this name reaches the service, and whose answer is lost. */
async function loseAnswer(team: Team, name: string): Promise<void> {
  team.gateway.decide = ({ body, method }) =>
    method === 'POST' && body.name === name ? 'cut-after' : 'pass';
  await team.run('apply --yes --new-environment');
  team.gateway.decide = () => 'pass';
}

async function applied(team: Team): Promise<void> {
  expect(await team.run('apply --yes --new-environment')).toMatchObject({ code: 0 });
}

const honoured = 'profile: { itemCreate.clientId: honoured, update.unknownId: rejected }\n';

const situations: readonly Situation[] = [
  {
    what: 'an option has another multiplier',
    address: 'classifier.rarity',
    dialect: { 'classifierUpdate.options': 'merged-by-name' },
    prepare: async (team) => {
      await applied(team);
      await edit(team, 'name: Rare, dropRateMultiplier: 0.25', 'name: Rare, dropRateMultiplier: 0.5');
    },
    commands: 2,
  },
  {
    what: 'an item is assigned otherwise',
    address: 'item.oak-bow',
    prepare: async (team) => {
      await applied(team);
      await edit(team, 'classifiers: { rarity: rare }', 'classifiers: { rarity: common }');
    },
    commands: 2,
  },
  {
    what: 'an item has no thumbnail any more',
    address: 'item.iron-sword',
    dialect: { 'itemUpdate.nullThumbnail': 'clears' },
    prepare: async (team) => {
      await applied(team);
      await edit(team, 'thumbnail: https://cdn.example/iron-sword.png', 'thumbnail: null');
    },
    commands: 2,
  },
  {
    what: 'an item is assigned to an option that its classifier was created without',
    address: 'item.torch',
    profile: 'profile: { itemUpdate.classifierOptionIds: by-classifier, itemUpdate.assignments: replace }\n',
    prepare: async (team) => {
      await applied(team);
      const epic = '      epic: { name: Epic, dropRateMultiplier: 0.01 }\n  slot:';
      await edit(team, '  slot:', epic);
      await edit(
        team,
        '    rollNumerator: 100\n',
        '    rollNumerator: 100\n    classifiers: { rarity: epic }\n',
      );
    },
    commands: 1,
  },
  {
    what: 'the answer to the create of a classifier was lost',
    address: 'classifier.slot',
    prepare: (team) => loseAnswer(team, 'Slot'),
    commands: 2,
  },
  {
    what: 'an item has another key',
    address: 'item.oak-bow',
    prepare: async (team) => {
      await applied(team);
      await edit(team, 'oak-bow:', 'elm-bow:');
    },
    commands: 1,
  },
  {
    what: 'a classifier is looked for after the state was lost',
    address: 'classifier.rarity',
    profile: honoured,
    prepare: async (team) => {
      await applied(team);
      await loseState(team);
    },
    flags: '--recover',
    commands: 2,
  },
  {
    what: 'an item that never was is looked for, and nobody knows whether ids are honoured',
    address: 'item.torch',
    prepare: async (team) => {
      await edit(team, torch, '');
      await applied(team);
      await loseState(team);
      await edit(team, 'rarity: rare }\n', `rarity: rare }\n${torch}`);
    },
    flags: '--recover',
    commands: 3,
  },
  {
    what: 'an id was imported for what is not declared any more',
    address: 'item.torch',
    prepare: async (team) => {
      await team.run('import item.torch some-id --new-environment');
      await edit(team, torch, '');
    },
    commands: 1,
  },
];

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

/** As a person types it who looked the id up, and who says yes where a terminal would ask. */
async function typed(team: Team, command: string, { address }: Situation): Promise<string> {
  const [kind, key] = address.split('.');
  const name = { slot: 'Slot', rarity: 'Rarity', torch: 'Torch' }[key ?? ''];
  const record = team.service.ledger().find((entry) => entry.kind === kind && entry.name === name);
  const asks = /^(?:apply|probe|state forget)\b/.test(command) ? ' --yes' : '';
  const isNew = /^(?:import|probe)\b/.test(command) && !existsSync(join(team.project.folder, statePath));
  return command.replace(/\bID\b/, record?.id ?? 'ID') + asks + (isNew ? ' --new-environment' : '');
}

// A probe, which is one of the ways, asks on purpose what is not documented.
describe.skipIf(isRefereed).each(situations.map((situation) => [situation.what, situation] as const))(
  '%s',
  (_, situation) => {
    const team = async () => {
      const created = await createTeam(smallCatalog, situation.profile ?? '', situation.dialect);
      await situation.prepare(created);
      return created;
    };

    test.each(Array.from({ length: situation.commands }, (_each, at) => at))(
      'way out %i leads out, typed as printed',
      async (at) => {
        await using there = await team();
        const commands = commandsIn(await changesAt(there, situation));
        expect(commands).toHaveLength(situation.commands);
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
