import { closeSync, constants, fstatSync, openSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'libsql';
import { StartError } from '../start-error.ts';
import { migrate } from './schema.ts';

const sayings: Readonly<Record<string, string>> = {
  SQLITE_BUSY: 'it is in use by another process',
  SQLITE_NOTADB: 'it is not a database of this service',
  SQLITE_READONLY: "it can't be written",
  EISDIR: 'it is a folder',
  ENXIO: 'it is not a regular file',
  EACCES: 'you may not write it',
};

/**
 * Opens (or creates, readable by its owner only) the database in `file`, or one in memory for `:memory:`,
 * and keeps it for this process alone. A commit is on disk when it returns. Throws StartError where another
 * process has it, a newer version wrote it, or it can't be opened.
 */
export function openDatabase(file: string): Database.Database {
  try {
    return open(file);
  } catch (error) {
    throw explained(file, error);
  }
}

function open(file: string): Database.Database {
  const path = file === ':memory:' ? file : createdFile(resolve(file));
  const db = new Database(path);
  try {
    // In this order: exclusive before the first use of the log, so that no second process can share it.
    for (const pragma of [
      'locking_mode = EXCLUSIVE',
      'journal_mode = WAL',
      'synchronous = FULL',
      // Pages: with many writes, copy the log into the tables every 16 MB and not every 4.
      'wal_autocheckpoint = 4000',
      'foreign_keys = ON',
    ]) {
      db.pragma(pragma);
    }
    migrate(db);
    return db;
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

function createdFile(path: string): string {
  // Without NONBLOCK a named pipe would hold the open for ever.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
  const file = openSync(path, flags, 0o600);
  try {
    if (fstatSync(file).isFile()) return path;
    throw Object.assign(new Error('it is not a regular file'), { code: 'ENXIO' });
  } finally {
    closeSync(file);
  }
}

function explained(file: string, error: unknown): StartError {
  const { code = '', message } = error as { code?: string; message: string };
  const reason = sayings[code] ?? message;
  return new StartError(`The database ${file} can't be opened: ${reason}.`, { cause: error });
}

/**
 * Folds the log into the one file and lets go of the lock. Closing alone would not: the connection outlives
 * `close` until its prepared statements are collected.
 */
export function closeDatabase(db: Database.Database): void {
  try {
    db.pragma('journal_mode = DELETE');
    db.pragma('locking_mode = NORMAL');
    db.exec('SELECT count(*) FROM sqlite_schema');
  } catch {
    // The disk is full, or another process has the lock. All that was committed is on disk, in the log beside the
    // file if not in it, and the next opening finds it there.
  }
  db.close();
}
