import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** Lets `write` open the file, which would wait for ever at a named pipe that nobody reads: that is thrown. */
export async function withReader(path: string, write: () => Promise<void>): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT | constants.O_NONBLOCK).catch(
    (cause) => {
      throw cause.code === 'ENXIO' ? new Error('it is a pipe or a socket, and nothing reads from it') : cause;
    },
  );
  try {
    await write();
  } finally {
    await file.close();
  }
}
