import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { terraformServer } from '../rig/state-servers.ts';
import { temporaryFolder } from './results.ts';

const hasTerraform = spawnSync('terraform', ['version']).status === 0;

describe.skipIf(!hasTerraform)('the server of the tests', () => {
  it.each([false, true])('is one for the real Terraform, with the rules of GitLab: %s', async (isGitLab) => {
    const server = await terraformServer({ isGitLab });
    onTestFinished(() => server[Symbol.asyncDispose]());
    const folder = await temporaryFolder();
    const address = `${server.url}/state`;
    const settings = ['address', 'lock_address', 'unlock_address'].map(
      (name) => `    ${name} = "${address}"`,
    );
    const config = (value: string) =>
      writeFileSync(
        join(folder, 'main.tf'),
        `terraform {\n  backend "http" {\n${settings.join('\n')}\n  }\n}\noutput "x" { value = "${value}" }\n`,
      );
    const run = (...args: readonly string[]) =>
      promisify(execFile)('terraform', [`-chdir=${folder}`, ...args], {
        env: { PATH: process.env.PATH, HOME: folder },
      });
    config('one');
    await run('init', '-input=false');
    await run('apply', '-auto-approve', '-input=false');
    config('two');
    await run('apply', '-auto-approve', '-input=false');
    expect(JSON.parse(server.stored.get('/state') ?? '')).toMatchObject({
      serial: 2,
      outputs: { x: { value: 'two' } },
    });
    expect(server.requests.map((each) => each.split(' ')[0])).toEqual(
      expect.arrayContaining(['LOCK', 'UNLOCK']),
    );
  });
});
