import type { Database } from 'libsql';
import type { WireClassifier, WireOption } from '../../contract/wire.ts';
import { openTable } from './table.ts';

/** Classifiers with their options. Every statement is within one team. */
export function openClassifiers(db: Database) {
  const classifiers = openTable<ClassifierFields>(db, 'classifiers');
  const options = openTable<WireOption>(db, 'classifier_options');
  const findClassifier = classifiers.one('WHERE team_id = ? AND id = ?');
  const optionsOf = options.all('WHERE team_id = ? AND classifier_id = ? ORDER BY position');
  const selectOwner = db.prepare<[string, string]>(
    'SELECT classifier_id classifierId FROM classifier_options WHERE id = ? AND team_id = ?',
  );
  // Out of the way first: two options that change places would have one position for a moment.
  const clearPositions = db.prepare<[string, string]>(
    'UPDATE classifier_options SET position = -1 - position WHERE team_id = ? AND classifier_id = ?',
  );
  const unassign = db.prepare<[string]>('DELETE FROM item_options WHERE option_id = ?');
  const remove = db.prepare<[string]>('DELETE FROM classifier_options WHERE id = ?');

  const find = (teamId: string, id: string): WireClassifier | undefined => {
    const classifier = findClassifier(teamId, id);
    return classifier && { ...classifier, classifierOptions: optionsOf(teamId, id) };
  };
  const setOptions = (teamId: string, classifierId: string, wanted: readonly WireOption[]): void => {
    const present = new Set(optionsOf(teamId, classifierId).map(({ id }) => id));
    const kept = new Set(wanted.map(({ id }) => id));
    for (const id of present) {
      if (kept.has(id)) continue;
      unassign.run(id);
      remove.run(id);
    }
    clearPositions.run(teamId, classifierId);
    wanted.forEach((option, position) => {
      const write = present.has(option.id) ? options.update : options.insert;
      write({ ...option, teamId, position });
    });
  };
  return {
    find,
    /** The id of the classifier that owns the option; undefined for an option the team does not have. */
    classifierOf: (teamId: string, optionId: string): string | undefined =>
      (selectOwner.get(optionId, teamId) as { classifierId: string } | undefined)?.classifierId,
    /** Gives the classifier as it is stored now, as does `update`. */
    insert(classifier: WrittenClassifier): WireClassifier {
      classifiers.insert(classifier);
      setOptions(classifier.teamId, classifier.id, classifier.classifierOptions ?? []);
      return find(classifier.teamId, classifier.id) as WireClassifier;
    },
    /** The classifier must exist. */
    update(classifier: WrittenClassifier): WireClassifier {
      const { teamId, id, classifierOptions } = classifier;
      classifiers.update(classifier);
      if (classifierOptions !== undefined) setOptions(teamId, id, classifierOptions);
      return find(teamId, id) as WireClassifier;
    },
  };
}

export type Classifiers = ReturnType<typeof openClassifiers>;

type ClassifierFields = Omit<WireClassifier, 'classifierOptions'>;

export interface WrittenClassifier extends ClassifierFields {
  /**
   * All options in their order. Those that the classifier had besides go, and with them their assignments. undefined:
   * they stay as they are, and a new classifier has none.
   */
  readonly classifierOptions: readonly WireOption[] | undefined;
}
