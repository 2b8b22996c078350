-- A database of format 1, in which an id of an item or a classifier was taken for every team.
CREATE TABLE teams (id TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
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
) STRICT, WITHOUT ROWID;
INSERT INTO teams VALUES ('team_7', 'Armourers'), ('team_8', 'Alchemists');
INSERT INTO classifiers VALUES
  ('rarity', 'team_7', 'Rarity', '2026-01-01T00:00:00.000Z', NULL),
  ('potion', 'team_8', 'Potion', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z');
INSERT INTO classifier_options VALUES
  ('rare', 'rarity', 1, 'Rare', 0.25), ('common', 'rarity', 0, 'Common', 1), ('red', 'potion', 0, 'Red', 2);
INSERT INTO items VALUES
  ('sword', 'team_7', 'Sword', 'https://cdn.example/sword.png', 40, '2026-01-01T00:00:00.000Z', NULL),
  ('elixir', 'team_8', 'Elixir', NULL, 0.5, 'then', '2026-01-03T00:00:00.000Z');
INSERT INTO item_options VALUES ('sword', 0, 'rare'), ('sword', 1, 'common'), ('elixir', 0, 'red');
INSERT INTO item_attributes VALUES ('sword', 0, 'record_1', 'damage', 3, 7), ('sword', 1, 'record_2', 'speed', -1, 1);
PRAGMA user_version = 1;
