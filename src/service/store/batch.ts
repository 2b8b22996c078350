import type { Database } from 'libsql';

/**
 * Group commit: the work of requests that arrive together shares one transaction, and so one wait for the disk.
 * It begins when a turn of the event loop brings no more of it, or `mostPieces` are there. Each piece of work has
 * a savepoint of its own; an error, refusals included, undoes that piece alone. A promise settles only after the
 * commit, so what was answered is durable. When the commit itself fails, all pieces of the batch fail with its error.
 */
export function openBatch(db: Database) {
  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const savepoint = db.prepare('SAVEPOINT piece');
  const undo = db.prepare('ROLLBACK TO piece');
  const release = db.prepare('RELEASE piece');
  let waiting: Piece[] = [];

  const runPiece = ({ work, resolve, reject }: Piece): (() => void) => {
    savepoint.run();
    try {
      const value = work();
      return () => resolve(value);
    } catch (error) {
      undo.run();
      return () => reject(error);
    } finally {
      release.run();
    }
  };
  const flush = (): void => {
    const pieces = waiting;
    waiting = [];
    try {
      begin.run();
      const settle = pieces.map(runPiece);
      commit.run();
      for (const settleOne of settle) settleOne();
    } catch (error) {
      if (db.inTransaction) db.exec('ROLLBACK');
      for (const { reject } of pieces) reject(error);
    }
  };
  // Immediates run after the poll phase: what the operating system has for us by then joins the batch. Answers
  // of the batch before bring their clients' next requests turn by turn, so one turn alone makes small batches.
  const gather = (before: number): void => {
    if (waiting.length === before || waiting.length >= mostPieces) flush();
    else setImmediate(gather, waiting.length);
  };
  return <T>(work: () => T): Promise<T> =>
    new Promise((resolve, reject) => {
      if (waiting.length === 0) setImmediate(gather, 0);
      waiting.push({ work, resolve: resolve as Piece['resolve'], reject });
    });
}

/** A steady stream of requests must not keep the first of them waiting for ever. */
const mostPieces = 256;

interface Piece {
  readonly work: () => unknown;
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}
