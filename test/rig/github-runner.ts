import { spawn } from 'node:child_process';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { finished } from './project.ts';
import { gitEnv, strictTools } from './repository.ts';

const root = resolve(import.meta.dirname, '../..');

interface CompositeStep {
  readonly id?: string;
  readonly name: string;
  readonly if?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: { readonly steps: readonly CompositeStep[] };
}

export interface Job {
  readonly checkout: string;
  readonly inputs: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  /** Waited for before each step that is run. */
  readonly before?: (id: string) => Promise<void>;
  /** Called with the process of each step as it begins. */
  readonly started?: (id: string, pid: number) => void;
}

export interface JobResult {
  readonly outcomes: Readonly<Record<string, 'success' | 'failure' | 'skipped'>>;
  readonly failed: boolean;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  readonly log: string;
  /** Actions that would have been used, which are not here to run. */
  readonly used: readonly string[];
}

/** Does what GitHub's runner does with the steps of `action.yml`, after a checkout that is there already. */
export async function runAction({ checkout, inputs, env = {}, before, started }: Job): Promise<JobResult> {
  const action = load(await readFile(join(root, 'action.yml'), 'utf8')) as Action;
  const temporary = await mkdtemp(join(dirname(checkout), 'runner-'));
  const file = (name: string) => join(temporary, name);
  for (const name of ['output', 'summary', 'path']) await writeFile(file(name), '');
  const tools = await strictTools(temporary);
  const values = new Map<string, string>([
    ...Object.entries(action.inputs).map(([name, input]) => [`inputs.${name}`, input.default] as const),
    ...Object.entries(inputs).map(([name, value]) => [`inputs.${name}`, value] as const),
  ]);
  const outcomes: Record<string, 'success' | 'failure' | 'skipped'> = {};
  const used: string[] = [];
  let log = '';
  let failed = false;
  for (const step of action.runs.steps) {
    const id = step.id ?? step.name;
    if (!holds(step.if, failed, values)) {
      outcomes[id] = 'skipped';
    } else if (step.run === undefined) {
      used.push(step.uses ?? '');
    } else {
      await before?.(id);
      const own = Object.entries(step.env ?? {}).map(([name, text]) => [name, filled(text, values)]);
      const added = (await readFile(file('path'), 'utf8')).trim();
      // As the runner does: the shell reads a file, so what that calls is a process below the one that gets signals.
      const script = file(`${id}.sh`);
      await writeFile(script, step.run);
      const child = spawn('bash', ['--noprofile', '--norc', '-eo', 'pipefail', script], {
        cwd: checkout,
        env: {
          ...gitEnv,
          HOME: temporary,
          PATH: [added, tools, process.env.PATH].filter(Boolean).join(':'),
          CI: 'true',
          GITHUB_ACTIONS: 'true',
          GITHUB_ACTION_PATH: root,
          GITHUB_SERVER_URL: 'https://git.example',
          GITHUB_REPOSITORY: 'game/catalog',
          GITHUB_RUN_ID: '17',
          GITHUB_OUTPUT: file('output'),
          GITHUB_STEP_SUMMARY: file('summary'),
          GITHUB_PATH: file('path'),
          RUNNER_TEMP: temporary,
          ...env,
          ...Object.fromEntries(own),
        },
      });
      if (child.pid !== undefined) started?.(id, child.pid);
      const { code, stdout, stderr } = await finished(child);
      log += stdout + stderr;
      outcomes[id] = code === 0 ? 'success' : 'failure';
      failed ||= code !== 0;
    }
    values.set(`steps.${id}.outcome`, outcomes[id] ?? '');
  }
  const outputs = outputsIn(await readFile(file('output'), 'utf8'));
  return { outcomes, failed, outputs, summary: await readFile(file('summary'), 'utf8'), log, used };
}

/** `name=value`, or `name<<END`, lines and `END`. */
function outputsIn(text: string): Record<string, string> {
  const several = [...text.matchAll(/^([\w-]+)<<(.+)\n([\s\S]*?)^\2$/gm)];
  const one = [...text.matchAll(/^([\w-]+)=(.*)$/gm)];
  return Object.fromEntries([
    ...one.map(([, name, value]) => [name, value]),
    ...several.map(([, name, , value = '']) => [name, value.trimEnd()]),
  ]);
}

/** Conditions of the form `always() && name == 'text'`, also `!=`; without `always()` a step wants all before it to be well. */
function holds(condition = '', failed: boolean, values: ReadonlyMap<string, string>): boolean {
  const parts = condition.split(' && ').filter(Boolean);
  const always = parts.includes('always()');
  const compared = parts.filter((part) => part !== 'always()');
  return (always || !failed) && compared.every((part) => isEqual(part, values));
}

function isEqual(comparison: string, values: ReadonlyMap<string, string>): boolean {
  const [, name = '', operator, text] = /^(\S+) ([!=]=) '([^']*)'$/.exec(comparison) ?? [];
  if (text === undefined) throw new Error(`The runner of the tests does not understand: ${comparison}`);
  return (values.get(name) === text) === (operator === '==');
}

function filled(text: string, values: ReadonlyMap<string, string>): string {
  const once = (template: string) =>
    template.replaceAll(/\$\{\{ (\S+) \}\}/g, (_all, name: string) => {
      const value = values.get(name);
      if (value === undefined) throw new Error(`The runner of the tests does not know ${name}.`);
      return value;
    });
  // The default of an input can be an expression itself.
  return once(once(text));
}
