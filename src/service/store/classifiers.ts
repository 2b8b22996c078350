import type { Database } from 'libsql';
import type { WireClassifier, WireOption } from '../../contract/wire.ts';
import { written } from './written.ts';

/** The tables of classifiers and their options. Every read is within one team. */
export function openClassifiers(db: Database): Classifiers {
  const select = db.prepare<[string, string]>(
    `SELECT name, created_at createdAt, updated_at updatedAt
     FROM classifiers WHERE id = ? AND team_id = ?`,
  );
  const selectOptions = db.prepare<[string]>(
    `SELECT id, name, drop_rate_multiplier dropRateMultiplier, classifier_id classifierId
     FROM classifier_options WHERE classifier_id = ? ORDER BY position`,
  );
  const selectOption = db.prepare<[string, string]>(
    `SELECT o.classifier_id classifierId FROM classifier_options o JOIN classifiers c ON c.id = o.classifier_id
     WHERE o.id = ? AND c.team_id = ?`,
  );
  const insert = db.prepare<[string, string, string, string]>(
    'INSERT INTO classifiers (id, team_id, name, created_at) VALUES (?, ?, ?, ?)',
  );
  const insertOption = db.prepare<[string, string, number, string, number]>(
    'INSERT INTO classifier_options (id, classifier_id, position, name, drop_rate_multiplier) VALUES (?, ?, ?, ?, ?)',
  );
  const rename = db.prepare<[string, string, string, string]>(
    'UPDATE classifiers SET name = ?, updated_at = ? WHERE id = ? AND team_id = ?',
  );
  const find = (teamId: string, id: string): WireClassifier | undefined => {
    const row = select.get(id, teamId) as ClassifierColumns | undefined;
    if (row === undefined) return undefined;
    const { name, createdAt, updatedAt } = row;
    return {
      id,
      name,
      teamId,
      createdAt,
      updatedAt,
      classifierOptions: selectOptions.all(id) as WireOption[],
    };
  };
  return {
    find,
    classifierOf(teamId, optionId) {
      return (selectOption.get(optionId, teamId) as { classifierId: string } | undefined)?.classifierId;
    },
    insert({ id, teamId, name, createdAt, classifierOptions }) {
      insert.run(id, teamId, name, createdAt);
      classifierOptions.forEach((option, position) => {
        insertOption.run(option.id, id, position, option.name, option.dropRateMultiplier);
      });
      return written(find(teamId, id));
    },
    rename(teamId, id, name, at) {
      rename.run(name, at, id, teamId);
      return written(find(teamId, id));
    },
  };
}

export interface Classifiers {
  find(teamId: string, id: string): WireClassifier | undefined;
  /** The id of the classifier that owns the option; undefined for an option the team does not have. */
  classifierOf(teamId: string, optionId: string): string | undefined;
  /** Gives the classifier as it is stored now, as does `rename`. */
  insert(classifier: WireClassifier): WireClassifier;
  /** `at` becomes `updatedAt`. The classifier must exist. */
  rename(teamId: string, id: string, name: string, at: string): WireClassifier;
}

type ClassifierColumns = Pick<WireClassifier, 'name' | 'createdAt' | 'updatedAt'>;
