import type { ProfilePoint } from '../contract/profile.ts';
import { isUntouched } from '../state/model.ts';
import { probeAssignments } from './assignments.ts';
import {
  probeAttributeUpdate,
  probeClassifierOptions,
  probeClearThumbnail,
  probeExistingId,
  probeOmittedThumbnail,
  probeUnknownId,
} from './experiments.ts';
import { allPoints, dependent, type PointResult, type ProbeReport, settledPoints } from './model.ts';
import { isReserved, leftRecords, prepare } from './records.ts';
import { type ProbePorts, ProbeRun } from './run.ts';

/**
 * In this order each experiment finds the item as it needs it: updates are known to work before one is sent to an
 * unknown ID, and the create that may overwrite the item comes when nothing else is tried on it.
 */
const experiments: readonly (readonly [readonly ProfilePoint[], (run: ProbeRun) => Promise<void>])[] = [
  [['itemUpdate.omittedThumbnail'], probeOmittedThumbnail],
  [['update.unknownId'], probeUnknownId],
  [['itemUpdate.clearThumbnail'], probeClearThumbnail],
  [['itemUpdate.attributes'], probeAttributeUpdate],
  [['itemUpdate.classifierOptionIds', 'itemUpdate.assignments'], probeAssignments],
  [['itemCreate.clientId', 'itemCreate.existingId'], probeExistingId],
  [['classifierUpdate.options'], probeClassifierOptions],
];

/**
 * Finds the profile of a service by experiment. Its records are kept in the state like any others and are retired at
 * the end, since they can't be deleted. Resolves with a result for every point, however far it came.
 */
export async function probe(ports: ProbePorts): Promise<ProbeReport> {
  const run = new ProbeRun(ports);
  const settled = settledPoints(ports.environment, ports.again);
  /** What this run has found, what was known before it, what it left open. */
  const resultOf = (point: ProfilePoint): PointResult | undefined => {
    const found = run.results.get(point);
    return found?.kind === 'found' ? found : (settled.get(point) ?? found);
  };
  const pointless = (point: ProfilePoint) =>
    dependent(point, (other) => {
      const result = resultOf(other);
      return result && 'value' in result ? result.value : undefined;
    });
  if (settled.size < allPoints.length) {
    ports.emit({ type: 'trying', points: ['itemCreate.clientId'] });
    // A state that begins with probe records says nothing of what the team has.
    if (isUntouched(ports.recorder.current()))
      await run.writer.note({ type: 'partial', at: run.at(), by: 'probe' });
    if (!run.halted) await run.perform([], prepare);
    for (const [points, experiment] of experiments) {
      const open = points.filter((point) => !resultOf(point) && !pointless(point));
      if (run.halted || open.length === 0) continue;
      ports.emit({ type: 'trying', points: open });
      await run.perform(open, experiment);
    }
    // Nothing is sent: in the service they stay what they are.
    for (const { address } of [...ports.recorder.entries.all('live')])
      if (isReserved(address)) await run.writer.note({ type: 'retired', address, at: run.at() });
  }
  const { entries } = ports.recorder;
  const pending = entries.all('pending').map(({ address }) => address);
  return {
    points: allPoints.map((point) => resultOf(point) ?? pointless(point) ?? { point, kind: 'not-reached' }),
    left: leftRecords(entries),
    pending: pending.filter(isReserved),
    ...(run.halted && { halt: run.halted }),
  };
}
