import type { Database } from 'libsql';
import type { WireClassifier } from '../../contract/wire.ts';
import { openClassifierOptions } from './classifier-options.ts';
import { written } from './written.ts';

/** The table of classifiers, with their options. Every statement is within one team. */
export function openClassifiers(db: Database): Classifiers {
  const options = openClassifierOptions(db);
  const select = db.prepare<[string, string]>(
    `SELECT name, created_at createdAt, updated_at updatedAt
     FROM classifiers WHERE team_id = ? AND id = ?`,
  );
  const insert = db.prepare<[string, string, string, string]>(
    'INSERT INTO classifiers (team_id, id, name, created_at) VALUES (?, ?, ?, ?)',
  );
  const update = db.prepare<[string, string, string, string]>(
    'UPDATE classifiers SET name = ?, updated_at = ? WHERE team_id = ? AND id = ?',
  );
  const find = (teamId: string, id: string): WireClassifier | undefined => {
    const row = select.get(teamId, id) as ClassifierColumns | undefined;
    if (row === undefined) return undefined;
    const { name, createdAt, updatedAt } = row;
    return { id, name, teamId, createdAt, updatedAt, classifierOptions: options.read(teamId, id) };
  };
  return {
    find,
    classifierOf: options.classifierOf,
    insert({ id, teamId, name, createdAt, classifierOptions }) {
      insert.run(teamId, id, name, createdAt);
      options.set(teamId, id, classifierOptions);
      return written(find(teamId, id));
    },
    update({ id, teamId, name, updatedAt, classifierOptions }) {
      update.run(name, updatedAt, teamId, id);
      if (classifierOptions !== undefined) options.set(teamId, id, classifierOptions);
      return written(find(teamId, id));
    },
  };
}

export interface Classifiers {
  find(teamId: string, id: string): WireClassifier | undefined;
  /** The id of the classifier that owns the option; undefined for an option the team does not have. */
  classifierOf(teamId: string, optionId: string): string | undefined;
  /** Gives the classifier as it is stored now, as does `update`. */
  insert(classifier: Omit<WireClassifier, 'updatedAt'>): WireClassifier;
  /** The classifier must exist. */
  update(classifier: ChangedClassifier): WireClassifier;
}

type ClassifierColumns = Pick<WireClassifier, 'name' | 'createdAt' | 'updatedAt'>;

export interface ChangedClassifier extends Pick<WireClassifier, 'id' | 'teamId' | 'name'> {
  readonly updatedAt: string;
  /** All options in their order; undefined leaves them as they are. */
  readonly classifierOptions: WireClassifier['classifierOptions'] | undefined;
}
