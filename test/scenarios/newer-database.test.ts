import { join } from 'node:path';
import Database from 'libsql';
import { expect, test } from 'vitest';
import { createProject } from '../rig/project.ts';
import { smallCatalog } from '../rig/small-catalog.ts';

test.each([
  ['serve --port 0 --db items.db', 'items.db'],
  ['apply --yes', 'catalog/.trove/service.db'],
])('%s refuses the database of a newer version, says so, and leaves what is in it', async (args, path) => {
  await using project = await createProject(smallCatalog);
  await project.write(path, '');
  const file = join(project.folder, path);
  inDatabase(file, (db) => db.exec('PRAGMA user_version = 99; CREATE TABLE later (x)'));
  const { code, stderr } = await project.run(args);
  expect(code).toBe(1);
  const said = stderr.replace(/\s+/g, ' ');
  expect(said).toContain('the database has format 99');
  expect(said).toContain('use the newer version that wrote it');
  expect(said).not.toMatch(/\bat \S+:\d+/);
  const version = inDatabase(file, (db) => db.prepare('PRAGMA user_version').raw().get());
  const tables = inDatabase(file, (db) => db.prepare('SELECT name FROM sqlite_schema').raw().all());
  expect([version, tables]).toEqual([[99], [['later']]]);
});

function inDatabase<Result>(file: string, work: (db: Database.Database) => Result): Result {
  const db = new Database(file);
  try {
    return work(db);
  } finally {
    db.close();
  }
}
