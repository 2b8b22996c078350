import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import Database from 'libsql';
import { StartError } from '../world.ts';

const reasons: Readonly<Record<string, string>> = {
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
 * process has it, a version with another format wrote it, or it can't be opened.
 */
export function openDatabase(file: string): Database.Database {
  try {
    return open(file === ':memory:' ? file : createdFile(resolve(file)));
  } catch (error) {
    const { code = '', message } = error as { code?: string; message: string };
    const reason = reasons[code] ?? message;
    throw new StartError(`The database ${file} can't be opened: ${reason}.`, { cause: error });
  }
}

function open(path: string): Database.Database {
  const db = new Database(path);
  try {
    // In this order: exclusive before the first use of the log, so that no second process can share it.
    db.pragma('locking_mode = EXCLUSIVE');
    db.pragma('journal_mode = WAL');
    db.pragma('synchronous = FULL');
    // Pages: with many writes, copy the log into the tables every 16 MB and not every 4.
    db.pragma('wal_autocheckpoint = 4000');
    db.pragma('foreign_keys = ON');
    prepare(db);
    return db;
  } catch (error) {
    closeDatabase(db);
    throw error;
  }
}

function createdFile(path: string): string {
  // Without NONBLOCK a named pipe would block the open forever.
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NONBLOCK;
  const file = openSync(path, flags, 0o600);
  try {
    if (!fstatSync(file).isFile()) throw Object.assign(new Error(), { code: 'ENXIO' });
    refuseStrangeLogs(realpathSync(path));
    return path;
  } finally {
    closeSync(file);
  }
}

/** SQLite opens these beside the file, and would wait forever at a named pipe. */
function refuseStrangeLogs(path: string): void {
  for (const ending of ['-journal', '-wal', '-shm']) {
    const found = lstatSync(`${path}${ending}`, { throwIfNoEntry: false });
    if (found?.isFile() === false) throw new Error(`its ${ending} file is not a regular file`);
  }
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

/** The format of the database, which `PRAGMA user_version` has. No other is read. */
const format = 2;

/**
 * Columns are named as the fields of the interface are, and stand in their order. Numbers are REAL: the double that
 * came in JSON goes out again. INTEGER is for booleans, and for `position`, which keeps the order of lists. Items and
 * their lists are one tree each (WITHOUT ROWID): a new item touches three pages at random places, not six. The id of an item or a classifier is unique within its team alone, so that no team can
 * learn from an answer which ids another one has.
 */
const tables = `
  CREATE TABLE teams (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
  CREATE TABLE users (
    id TEXT PRIMARY KEY, username TEXT NOT NULL UNIQUE, password_hash TEXT NOT NULL,
    team_id TEXT NOT NULL REFERENCES teams
  ) STRICT;
  CREATE TABLE attributes (
    id TEXT NOT NULL, name TEXT NOT NULL, team_id TEXT NOT NULL REFERENCES teams, PRIMARY KEY (team_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE spaces (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, cols REAL NOT NULL, rows REAL NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT NOT NULL, team_id TEXT NOT NULL REFERENCES teams
  ) STRICT;
  CREATE TABLE space_links (
    id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users, space_id TEXT NOT NULL REFERENCES spaces,
    created_at TEXT NOT NULL, UNIQUE (user_id, space_id)
  ) STRICT;
  CREATE TABLE classifiers (
    id TEXT NOT NULL, name TEXT NOT NULL, created_at TEXT NOT NULL, updated_at TEXT,
    team_id TEXT NOT NULL REFERENCES teams, PRIMARY KEY (team_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE classifier_options (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, drop_rate_multiplier REAL NOT NULL, classifier_id TEXT NOT NULL,
    team_id TEXT NOT NULL, position INTEGER NOT NULL, UNIQUE (team_id, classifier_id, position),
    FOREIGN KEY (team_id, classifier_id) REFERENCES classifiers
  ) STRICT;
  CREATE TABLE items (
    id TEXT NOT NULL, name TEXT NOT NULL, thumbnail TEXT, roll_numerator REAL NOT NULL,
    created_at TEXT NOT NULL, updated_at TEXT, team_id TEXT NOT NULL REFERENCES teams, PRIMARY KEY (team_id, id)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE item_options (
    team_id TEXT NOT NULL, item_id TEXT NOT NULL, position INTEGER NOT NULL,
    option_id TEXT NOT NULL REFERENCES classifier_options, PRIMARY KEY (team_id, item_id, position),
    FOREIGN KEY (team_id, item_id) REFERENCES items
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE item_attributes (
    id TEXT NOT NULL, item_id TEXT NOT NULL, attribute_id TEXT NOT NULL, min REAL NOT NULL, max REAL NOT NULL,
    team_id TEXT NOT NULL, position INTEGER NOT NULL, PRIMARY KEY (team_id, item_id, position),
    FOREIGN KEY (team_id, item_id) REFERENCES items
  ) STRICT, WITHOUT ROWID;
`;

/** Makes the tables of a new database in one transaction; refuses one of another format. */
function prepare(db: Database.Database): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version !== 0 && version !== format) {
    const writer = version > format ? 'newer' : 'older';
    throw new Error(
      `the database has format ${version} and this version reads format ${format}; use the ${writer} version that wrote it`,
    );
  }
  // Also with nothing to do: the transaction takes the lock that keeps a second process out.
  db.exec('BEGIN EXCLUSIVE');
  if (version === 0) db.exec(`${tables} PRAGMA user_version = ${format}`);
  db.exec('COMMIT');
}
