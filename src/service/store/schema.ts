import type { Database } from 'libsql';
import { StartError } from '../start-error.ts';

/**
 * Numbers are REAL: the double that came in JSON goes out again. `position` keeps the order of lists. Items and
 * their lists are one tree each (WITHOUT ROWID): a new item touches three pages at random places, not six.
 */
const migrations: readonly string[] = [
  `CREATE TABLE teams (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
   CREATE TABLE users (
     id TEXT PRIMARY KEY, username TEXT NOT NULL UNIQUE, password_hash TEXT NOT NULL,
     team_id TEXT NOT NULL REFERENCES teams
   ) STRICT;
   CREATE TABLE attributes (
     team_id TEXT NOT NULL REFERENCES teams, id TEXT NOT NULL, name TEXT NOT NULL, PRIMARY KEY (team_id, id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE spaces (
     id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES teams, name TEXT NOT NULL,
     cols REAL NOT NULL, rows REAL NOT NULL, created_at TEXT NOT NULL, updated_at TEXT NOT NULL
   ) STRICT;
   CREATE TABLE space_links (
     id TEXT PRIMARY KEY, user_id TEXT NOT NULL REFERENCES users, space_id TEXT NOT NULL REFERENCES spaces,
     created_at TEXT NOT NULL, UNIQUE (user_id, space_id)
   ) STRICT;
   CREATE TABLE classifiers (
     id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES teams, name TEXT NOT NULL,
     created_at TEXT NOT NULL, updated_at TEXT
   ) STRICT;
   CREATE TABLE classifier_options (
     id TEXT PRIMARY KEY, classifier_id TEXT NOT NULL REFERENCES classifiers, position INTEGER NOT NULL,
     name TEXT NOT NULL, drop_rate_multiplier REAL NOT NULL, UNIQUE (classifier_id, position)
   ) STRICT;
   CREATE TABLE items (
     id TEXT PRIMARY KEY, team_id TEXT NOT NULL REFERENCES teams, name TEXT NOT NULL, thumbnail TEXT,
     roll_numerator REAL NOT NULL, created_at TEXT NOT NULL, updated_at TEXT
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE item_options (
     item_id TEXT NOT NULL REFERENCES items, position INTEGER NOT NULL,
     option_id TEXT NOT NULL REFERENCES classifier_options, PRIMARY KEY (item_id, position)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE item_attributes (
     item_id TEXT NOT NULL REFERENCES items, position INTEGER NOT NULL, id TEXT NOT NULL,
     attribute_id TEXT NOT NULL, min REAL NOT NULL, max REAL NOT NULL, PRIMARY KEY (item_id, position)
   ) STRICT, WITHOUT ROWID;`,
];

/** Brings the database to this version's tables in one transaction; refuses one that a newer version wrote. */
export function migrate(db: Database): void {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > migrations.length) {
    throw new StartError(
      `the database has format ${version} and this version knows formats up to ${migrations.length}; use the newer version that wrote it`,
    );
  }
  // Also with nothing to do: the transaction takes the lock that keeps a second process out.
  db.exec('BEGIN EXCLUSIVE');
  for (const statements of migrations.slice(version)) db.exec(statements);
  db.exec(`PRAGMA user_version = ${migrations.length}`);
  db.exec('COMMIT');
}
