import { run, startUntil } from './processes.mjs';
import { openSwitchboard } from './switchboard.mjs';

const PRISM = '@stoplight/prism-cli@5.14.2';
const DOCUMENT = 'schemas/item-service.openapi.yaml';
const LEAST_REQUESTS = 600;

/**
 * Runs test/scenarios and test/contract with Prism between the gateway of the rig and the service. The gateway
 * stays in front: what a scenario cuts, forges or answers by itself on purpose never reaches the referee, and all
 * that the client meant and the service said does. The scenarios on the built-in environment `local` have their
 * service inside the client's process, out of reach; test/contract applies their catalog to a team instead.
 */
export async function refereeScenarios() {
  const fetched = await run('npx', ['--yes', PRISM, '--version'], { seconds: 120 });
  if (fetched.code !== 0) return { verdict: 'left out', because: `${PRISM} can't be had by npx` };
  const switchboard = await openSwitchboard();
  const upstream = `http://127.0.0.1:${switchboard.port}`;
  const args = ['--yes', PRISM, 'proxy', DOCUMENT, upstream, '--errors', '--port', '0'];
  const prism = await startUntil(/Prism is listening on (http:\S+)/, 'npx', args, { seconds: 60 });
  try {
    return await judged(prism);
  } finally {
    await prism.stop();
    await switchboard.close();
  }
}

async function judged({ match: [, referee], output }) {
  const asleep = await objectionsMissed(referee);
  if (asleep.length > 0) return { verdict: 'failed', because: `it let pass ${asleep.join(' and ')}` };
  // What becomes of states on git is not the interface's.
  const files = ['test/scenarios', 'test/contract', '--exclude', 'test/scenarios/state-on-git.test.ts'];
  const args = ['vitest', 'run', '--mode', 'all', '--reporter=dot', ...files];
  const tests = await run('npx', args, { seconds: 1500, env: { TROVE_TEST_REFEREE: referee } });
  const requests = output().match(/Request received/g)?.length ?? 0;
  const objections = output().match(/Request terminated with error: .*/g) ?? [];
  const violations = objections.slice(falsehoods.length);
  if (violations.length > 0)
    return { verdict: 'failed', because: `${violations.join('\n')}\n${tests.output}` };
  if (tests.code !== 0) return { verdict: 'failed', because: `a scenario failed\n${tests.output}` };
  const because = `${requests} requests and their answers, no violation`;
  return { verdict: requests < LEAST_REQUESTS ? 'failed' : 'passed', because };
}

const basic = { authorization: 'Basic YTpi' };
const falsehoods = [
  { what: 'a body without its options', status: 422, body: { name: 'Rarity' }, headers: basic },
  {
    what: 'an answer without its fields',
    status: 500,
    body: { name: 'Rarity', classifierOptions: [] },
    headers: basic,
  },
  {
    what: 'a request without credentials',
    status: 401,
    body: { name: 'Rarity', classifierOptions: [] },
    headers: {},
  },
];

/** A referee that objects to nothing proves nothing: names what it should have refused and did not. */
async function objectionsMissed(referee) {
  const missed = [];
  for (const { what, status, body, headers } of falsehoods) {
    const answer = await fetch(`${referee}/classifiers`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-answer': '{"id":"c1"}', ...headers },
      body: JSON.stringify(body),
    });
    if (answer.status !== status) missed.push(what);
  }
  return missed;
}
