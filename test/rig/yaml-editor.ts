import { execFileSync, spawn } from 'node:child_process';
import { pathToFileURL } from 'node:url';

/** The last one that runs on Node 20. */
const PACKAGE = 'yaml-language-server@1.25.0';

/** The program, fetched by npx; undefined where it can't be had. */
export function languageServer(): string | undefined {
  try {
    const args = ['--yes', '--prefer-offline', '-p', PACKAGE, '-c', 'command -v yaml-language-server'];
    return execFileSync('npx', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return undefined;
  }
}

/** An editor with the YAML language server, as VS Code has it: it reads the modeline of a file. */
export interface YamlEditor extends Disposable {
  open(path: string, text: string): void;
  /** Line and character count from 0. */
  ask(method: string, path: string, line: number, character: number): Promise<unknown>;
}

export async function createYamlEditor(server: string): Promise<YamlEditor> {
  const child = spawn(process.execPath, [server, '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (result: unknown) => void>();
  let received = Buffer.alloc(0);
  let last = 0;
  const send = (message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    child.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  const request = (method: string, params: object) => {
    last += 1;
    send({ id: last, method, params });
    return new Promise<unknown>((done) => waiting.set(last, done));
  };
  const take = ({ id, method, params, result }: Message) => {
    if (method === undefined && id !== undefined) waiting.get(id)?.(result);
    // It asks for its settings: none, one for each that it wants.
    else if (id !== undefined) send({ id, result: params?.items?.map(() => null) ?? null });
  };
  child.stdout.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    for (;;) {
      const [head, length] =
        /Content-Length: (\d+)\r\n(?:.*\r\n)*?\r\n/.exec(received.toString('latin1')) ?? [];
      if (head === undefined || received.length < head.length + Number(length)) return;
      take(JSON.parse(received.toString('utf8', head.length, head.length + Number(length))));
      received = received.subarray(head.length + Number(length));
    }
  });
  const workspace = { configuration: true };
  await request('initialize', { processId: process.pid, rootUri: null, capabilities: { workspace } });
  send({ method: 'initialized', params: {} });
  return {
    open(path, text) {
      const textDocument = { uri: pathToFileURL(path).href, languageId: 'yaml', version: 1, text };
      send({ method: 'textDocument/didOpen', params: { textDocument } });
    },
    ask(method, path, line, character) {
      const textDocument = { uri: pathToFileURL(path).href };
      return request(`textDocument/${method}`, { textDocument, position: { line, character } });
    },
    [Symbol.dispose]: () => void child.kill(),
  };
}

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly items?: readonly unknown[] };
  readonly result?: unknown;
}
