import type { Database } from 'libsql';
import type { WireOption } from '../../contract/wire.ts';

/** The table of classifier options. Every statement is within one team. */
export function openClassifierOptions(db: Database): ClassifierOptions {
  const select = db.prepare<[string, string]>(
    `SELECT id, name, drop_rate_multiplier dropRateMultiplier, classifier_id classifierId
     FROM classifier_options WHERE team_id = ? AND classifier_id = ? ORDER BY position`,
  );
  const selectOwner = db.prepare<[string, string]>(
    'SELECT classifier_id classifierId FROM classifier_options WHERE id = ? AND team_id = ?',
  );
  const upsert = db.prepare<[string, string, string, number, string, number]>(
    `INSERT INTO classifier_options (id, team_id, classifier_id, position, name, drop_rate_multiplier)
     VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
       position = excluded.position, name = excluded.name, drop_rate_multiplier = excluded.drop_rate_multiplier`,
  );
  // Out of the way first: two options that change places would have one position for a moment.
  const clearPositions = db.prepare<[string, string]>(
    'UPDATE classifier_options SET position = -1 - position WHERE team_id = ? AND classifier_id = ?',
  );
  const unassign = db.prepare<[string]>('DELETE FROM item_options WHERE option_id = ?');
  const remove = db.prepare<[string]>('DELETE FROM classifier_options WHERE id = ?');
  const read = (teamId: string, classifierId: string): WireOption[] =>
    select.all(teamId, classifierId) as WireOption[];

  return {
    read,
    classifierOf(teamId, optionId) {
      return (selectOwner.get(optionId, teamId) as { classifierId: string } | undefined)?.classifierId;
    },
    set(teamId, classifierId, options) {
      const kept = new Set(options.map(({ id }) => id));
      for (const { id } of read(teamId, classifierId)) {
        if (kept.has(id)) continue;
        unassign.run(id);
        remove.run(id);
      }
      clearPositions.run(teamId, classifierId);
      options.forEach(({ id, name, dropRateMultiplier }, position) => {
        upsert.run(id, teamId, classifierId, position, name, dropRateMultiplier);
      });
    },
  };
}

export interface ClassifierOptions {
  /** In their order. */
  read(teamId: string, classifierId: string): WireOption[];
  /** The id of the classifier that owns the option; undefined for an option the team does not have. */
  classifierOf(teamId: string, optionId: string): string | undefined;
  /** Makes these the classifier's options. Those that it had besides go, and with them their assignments. */
  set(teamId: string, classifierId: string, options: readonly WireOption[]): void;
}
