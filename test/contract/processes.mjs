import { spawn } from 'node:child_process';

const running = new Set();
// Groups of their own outlive this process unless it ends them, also when it is told to stop.
process.on('exit', () => {
  for (const child of running) stop(child);
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

/**
 * Runs a command to its end and gives `{code, output}`, both streams together. After `seconds` it is killed with
 * all that it started, and its code is null. A command that can't be started has the code 127.
 */
export async function run(command, args, { seconds, cwd, env } = {}) {
  const { child, output, ended } = start(command, args, { cwd, env });
  const timer = setTimeout(() => stop(child), seconds * 1000);
  const code = await ended;
  clearTimeout(timer);
  return { code, output: output() };
}

/** Starts a command that runs until `stop`, and resolves once a line of its output matches `isReady`. */
export async function startUntil(isReady, command, args, { seconds, cwd, env } = {}) {
  const begun = start(command, args, { cwd, env });
  const { child, output, ended } = begun;
  const ready = new Promise((resolve, reject) => {
    const look = () => {
      const found = isReady.exec(output());
      if (found) resolve(found);
    };
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', look);
    ended.then(() => reject(new Error(`${command} ended early: ${output()}`)));
    setTimeout(() => reject(new Error(`${command} was not ready: ${output()}`)), seconds * 1000).unref();
  });
  try {
    return { match: await ready, output, stop: () => stopped(begun) };
  } catch (error) {
    await stopped(begun);
    throw error;
  }
}

function start(command, args, { cwd, env = {} }) {
  // A process group of its own: npx starts the program that is meant as its child.
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: true });
  child.stdin?.end();
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
  }
  running.add(child);
  const ended = new Promise((resolve) => {
    child.on('error', () => resolve(127));
    child.on('close', resolve);
  });
  ended.then(() => running.delete(child));
  return { child, output: () => text, ended };
}

async function stopped({ child, ended }) {
  stop(child);
  await ended;
}

function stop({ pid }) {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
