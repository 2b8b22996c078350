import Database from 'libsql';
import { expect, test } from 'vitest';
import { openTable } from '../../src/service/store/table.ts';

const axe = { teamId: 't', id: 'axe', rollNumerator: 0.5, isHidden: true, thumbnail: 'a', classifiers: [] };
const stored = { teamId: 't', id: 'axe', rollNumerator: 0.5, isHidden: true, thumbnail: 'a' };

function openTestTable() {
  const db = new Database(':memory:');
  db.exec(
    `CREATE TABLE items (team_id TEXT, id TEXT, roll_numerator REAL, is_hidden INTEGER, thumbnail TEXT,
       PRIMARY KEY (team_id, id)) STRICT, WITHOUT ROWID`,
  );
  const table = openTable(db, 'items');
  return { table, find: table.one('WHERE id = ?'), all: table.all('WHERE team_id = ? ORDER BY id') };
}

test('every column is a field, booleans among them, and nothing else is', () => {
  const { table, find, all } = openTestTable();
  table.put(axe);
  table.put({ teamId: 't', id: 'bow', rollNumerator: 1 });
  expect(find('axe')).toEqual(stored);
  const bow = { teamId: 't', id: 'bow', rollNumerator: 1, isHidden: false, thumbnail: null };
  expect(all('t')).toEqual([stored, bow]);
});

test('a row is updated by its whole key, and not inserted twice', () => {
  const { table, find, all } = openTestTable();
  table.put(axe);
  table.put({ ...axe, isHidden: false });
  expect(find('axe')).toEqual({ ...stored, isHidden: false });
  table.put(axe);
  expect(all('t')).toEqual([stored]);
});
