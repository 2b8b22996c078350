import { expect } from 'vitest';
import type { Finished } from '../rig/project.ts';
import type { Team } from '../rig/team.ts';

/** A team whose state several machines see, and other machines of it, which share nothing but the catalog. */
interface SharedPlace {
  readonly team: Team;
  readonly runner: (name: string) => (args: string) => Promise<Finished>;
}

/** How often the service carried out a create of each name. */
export function created({ gateway }: Team): readonly string[] {
  return gateway.exchanges
    .filter(({ method, status }) => method === 'POST' && status === 200)
    .map(({ body }) => String(body.name))
    .sort();
}

/** Of the small catalog. */
export const everything = ['Iron Sword', 'Oak Bow', 'Rarity', 'Slot', 'Torch'];

/** Two runners in turns, the first killed at its request of each number, create every record once. */
export async function inTurns(place: () => Promise<SharedPlace>): Promise<void> {
  for (const killAt of [0, 1, 2, 4]) {
    const { team, runner } = await place();
    await using _ = team;
    await team.endedAt(killAt, 'apply --yes --new-environment --parallel 1');
    const next = runner('next');
    // On this machine it sees that the process has ended, and takes over its lock.
    expect([0, 4]).toContain((await next('apply --yes --new-environment')).code);
    await settlePending(team, next);
    expect(await next('apply --yes --new-environment')).toMatchObject({ code: 0 });
    expect(created(team)).toEqual(everything);
    expect(await runner('third')('plan --detailed-exitcode')).toMatchObject({ code: 0 });
    expect(await team.run('plan --detailed-exitcode')).toMatchObject({ code: 0 });
  }
}

/** Tells what became of the creates of classifiers whose outcome nobody saw, as a person would who looked. */
async function settlePending(team: Team, run: ReturnType<SharedPlace['runner']>): Promise<void> {
  const listed: { address: string; status: string }[] = JSON.parse(
    (await run('state list --format json')).stdout,
  );
  for (const { address, status } of listed) {
    if (status !== 'pending' || !address.startsWith('classifier.')) continue;
    const name = address === 'classifier.rarity' ? 'Rarity' : 'Slot';
    const create = team.gateway.exchanges.find(({ body, answer }) => body.name === name && answer);
    const outcome = create?.answer ? `--id ${create.answer.id}` : '--not-created';
    expect(await run(`resolve ${address} ${outcome}`)).toMatchObject({ code: 0 });
  }
}
