/** What this Trove makes, and the newest that it can read. */
export const SCHEMA_FORMAT = 1;

/** As an identifier of SQL. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/**
 * The tables in a schema: `states` has the version of each folder, `files` its files: the state, and while a run has
 * it its lock and journal. `entries` is for people, who may join it with what they have.
 */
export function schemaStatements(schema: string): readonly string[] {
  return [
    `CREATE TABLE ${schema}.format (version integer NOT NULL)`,
    `INSERT INTO ${schema}.format VALUES (${SCHEMA_FORMAT})`,
    `CREATE TABLE ${schema}.states (
       name text PRIMARY KEY, version text NOT NULL, changed timestamptz NOT NULL DEFAULT now())`,
    `CREATE TABLE ${schema}.files (
       state text NOT NULL REFERENCES ${schema}.states (name) ON DELETE CASCADE,
       path text NOT NULL, id text NOT NULL, content text NOT NULL, PRIMARY KEY (state, path))`,
    `CREATE VIEW ${schema}.entries AS
     SELECT f.state, e ->> 'address' AS address, e ->> 'status' AS status, e ->> 'id' AS id, e AS entry
       FROM ${schema}.files f, json_array_elements(f.content::json -> 'entries') e
      WHERE f.path = f.state || '.json'`,
  ];
}
