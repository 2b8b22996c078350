import type { ServerResponse } from 'node:http';
import type { Connection } from './strike.ts';

/** The connection under an answer that Node is about to send. */
export function connectionOf(outgoing: ServerResponse): Connection {
  return {
    reset: () => void outgoing.socket?.resetAndDestroy(),
    async sendHalf(response) {
      const body = Buffer.from(await response.arrayBuffer());
      const headers = { ...Object.fromEntries(response.headers), 'content-length': body.byteLength };
      outgoing.writeHead(response.status, headers);
      const half = body.subarray(0, Math.floor(body.byteLength / 2));
      // A reset throws away what was not sent yet, so it has to wait.
      await new Promise<void>((sent) => outgoing.write(half, () => sent()));
    },
  };
}
