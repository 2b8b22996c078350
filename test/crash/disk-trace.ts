import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Told } from './answered.ts';

/** What a traced `trove serve` sent to its disk and its client, in this order. Files by name. */
export type DiskEvent =
  | { readonly kind: 'write'; readonly file: string; readonly offset: number; readonly data: Buffer }
  | { readonly kind: 'truncate'; readonly file: string; readonly size: number }
  | { readonly kind: 'sync'; readonly file: string }
  | { readonly kind: 'remove'; readonly file: string }
  | { readonly kind: 'answer'; readonly name: string; readonly told: Told };

/** A wrapper for `startServe` that writes down every such event in `file`, each byte in hexadecimal. */
export function traceTo(file: string): readonly string[] {
  const calls = 'trace=pwrite64,ftruncate,fsync,fdatasync,unlink,write,writev,sendto';
  const options = 'strace -f -I 4 -qq -y -xx -s 16777216 -e signal=none -e';
  return [...options.split(' '), calls, '-o', file];
}

export async function readTrace(file: string): Promise<readonly DiskEvent[]> {
  return (await readFile(file, 'latin1')).split('\n').flatMap(eventsOf);
}

function eventsOf(line: string): readonly DiskEvent[] {
  const [, call = '', rest = ''] = /^\d+ +(\w+)\((.*)/.exec(line) ?? [];
  const file = basename(textOf(/^(?:\d+<([^>]*)>|"([^"]*)")/.exec(rest)?.slice(1).join('') ?? ''));
  switch (call) {
    case 'pwrite64': {
      const [, data = '', offset] = /, "([^"]*)", \d+, (\d+)/.exec(rest) ?? [];
      return [{ kind: 'write', file, offset: Number(offset), data: bytesOf(data) }];
    }
    case 'ftruncate':
      return [{ kind: 'truncate', file, size: Number(/, (\d+)/.exec(rest)?.[1]) }];
    case 'fsync':
    case 'fdatasync':
      return [{ kind: 'sync', file }];
    case 'unlink':
      return [{ kind: 'remove', file }];
    default:
      return answersIn(rest);
  }
}

/** The items in what was written to a socket. */
function answersIn(rest: string): readonly DiskEvent[] {
  const sent = [...rest.matchAll(/"([^"]*)"/g)].map(([, text = '']) => textOf(text)).join('');
  const items = sent.matchAll(/"id":"([^"]+)","name":"([^"]+)".*?"rollNumerator":(\d+)/g);
  return [...items].map(([, id = '', name = '', number]) => ({
    kind: 'answer',
    name,
    told: { id, rollNumerator: Number(number) },
  }));
}

function bytesOf(escaped: string): Buffer {
  return Buffer.from(escaped.replaceAll('\\x', ''), 'hex');
}

function textOf(escaped: string): string {
  return bytesOf(escaped).toString('utf8');
}
