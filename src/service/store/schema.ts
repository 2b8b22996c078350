import type { Database } from 'libsql';
import { StartError } from '../start-error.ts';

/**
 * Numbers are REAL: the double that came in JSON goes out again. `position` keeps the order of lists. Items and
 * their lists are one tree each (WITHOUT ROWID): a new item touches three pages at random places, not six.
 * The id of an item or a classifier is unique within its team alone, so that no team can learn from an answer
 * which ids another one has.
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
  `ALTER TABLE classifiers RENAME TO old_classifiers;
   ALTER TABLE classifier_options RENAME TO old_classifier_options;
   ALTER TABLE items RENAME TO old_items;
   ALTER TABLE item_options RENAME TO old_item_options;
   ALTER TABLE item_attributes RENAME TO old_item_attributes;
   CREATE TABLE classifiers (
     team_id TEXT NOT NULL REFERENCES teams, id TEXT NOT NULL, name TEXT NOT NULL,
     created_at TEXT NOT NULL, updated_at TEXT, PRIMARY KEY (team_id, id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE classifier_options (
     id TEXT PRIMARY KEY, team_id TEXT NOT NULL, classifier_id TEXT NOT NULL, position INTEGER NOT NULL,
     name TEXT NOT NULL, drop_rate_multiplier REAL NOT NULL, UNIQUE (team_id, classifier_id, position),
     FOREIGN KEY (team_id, classifier_id) REFERENCES classifiers
   ) STRICT;
   CREATE TABLE items (
     team_id TEXT NOT NULL REFERENCES teams, id TEXT NOT NULL, name TEXT NOT NULL, thumbnail TEXT,
     roll_numerator REAL NOT NULL, created_at TEXT NOT NULL, updated_at TEXT, PRIMARY KEY (team_id, id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE item_options (
     team_id TEXT NOT NULL, item_id TEXT NOT NULL, position INTEGER NOT NULL,
     option_id TEXT NOT NULL REFERENCES classifier_options, PRIMARY KEY (team_id, item_id, position),
     FOREIGN KEY (team_id, item_id) REFERENCES items
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE item_attributes (
     team_id TEXT NOT NULL, item_id TEXT NOT NULL, position INTEGER NOT NULL, id TEXT NOT NULL,
     attribute_id TEXT NOT NULL, min REAL NOT NULL, max REAL NOT NULL, PRIMARY KEY (team_id, item_id, position),
     FOREIGN KEY (team_id, item_id) REFERENCES items
   ) STRICT, WITHOUT ROWID;
   INSERT INTO classifiers SELECT team_id, id, name, created_at, updated_at FROM old_classifiers;
   INSERT INTO classifier_options SELECT o.id, c.team_id, c.id, o.position, o.name, o.drop_rate_multiplier
     FROM old_classifier_options o JOIN old_classifiers c ON c.id = o.classifier_id;
   INSERT INTO items SELECT team_id, id, name, thumbnail, roll_numerator, created_at, updated_at FROM old_items;
   INSERT INTO item_options SELECT i.team_id, i.id, o.position, o.option_id
     FROM old_item_options o JOIN old_items i ON i.id = o.item_id;
   INSERT INTO item_attributes SELECT i.team_id, i.id, a.position, a.id, a.attribute_id, a.min, a.max
     FROM old_item_attributes a JOIN old_items i ON i.id = a.item_id;
   DROP TABLE old_item_options;
   DROP TABLE old_item_attributes;
   DROP TABLE old_items;
   DROP TABLE old_classifier_options;
   DROP TABLE old_classifiers;`,
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
