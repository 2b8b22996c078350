import Database from 'libsql';
import { expect, test } from 'vitest';
import { openTable } from '../../src/service/store/table.ts';

test('a table maps every column to a field, including booleans, and rows have whole keys', () => {
  const db = new Database(':memory:');
  db.exec(
    `CREATE TABLE items (team_id TEXT, id TEXT, roll_numerator REAL, is_hidden INTEGER, thumbnail TEXT,
       PRIMARY KEY (team_id, id)) STRICT, WITHOUT ROWID`,
  );
  const { put, one, all } = openTable(db, 'items');
  const axe = { teamId: 't', id: 'axe', rollNumerator: 0.5, isHidden: true, thumbnail: 'a' };
  const bow = { teamId: 't', id: 'bow', rollNumerator: 1 };
  put({ ...axe, classifiers: [] });
  put(bow);
  put({ ...axe, teamId: 'other', rollNumerator: 7 });
  expect(one('WHERE team_id = ? AND id = ?')('t', 'axe')).toEqual(axe);
  put({ ...axe, isHidden: false });
  const rows = [
    { ...axe, isHidden: false },
    { ...bow, isHidden: false, thumbnail: null },
  ];
  expect(all('WHERE team_id = ? ORDER BY id')('t')).toEqual(rows);
});
