import type { ProfilePoint } from '../contract/profile.ts';
import { probeAssignments } from './assignments.ts';
import {
  probeAttributeUpdate,
  probeClassifierOptions,
  probeClearThumbnail,
  probeExistingId,
  probeOmittedThumbnail,
  probeUnknownId,
} from './experiments.ts';
import type { PointResult, ProbeReport } from './model.ts';
import { allPoints, dependent, settledPoints } from './points.ts';
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
 * the end, since they exist for ever. Resolves with a result for every point, however far it came.
 */
export async function probe(ports: ProbePorts): Promise<ProbeReport> {
  const run = new ProbeRun(ports);
  const settled = settledPoints(ports.environment, ports.again);
  /** What this run has found, what was known before it, what it left open. */
  const resultOf = (point: ProfilePoint): PointResult | undefined => {
    const found = run.resultOf(point);
    return found?.kind === 'found' ? found : (settled.get(point) ?? found);
  };
  const pointless = (point: ProfilePoint) =>
    dependent(point, (other) => {
      const result = resultOf(other);
      return result && 'value' in result ? result.value : undefined;
    });
  if (settled.size < allPoints.length) {
    ports.emit({ type: 'trying', points: ['itemCreate.clientId'] });
    await run.begin();
    if (!run.halted) await run.perform([], prepare);
    for (const [points, experiment] of experiments) {
      const open = points.filter((point) => !resultOf(point) && !pointless(point));
      if (run.halted || open.length === 0) continue;
      ports.emit({ type: 'trying', points: open });
      await run.perform(open, experiment);
    }
    await retireRecords(run);
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

/** Nothing is sent: in the service they stay what they are. */
async function retireRecords(run: ProbeRun): Promise<void> {
  const { recorder, now } = run.ports;
  const addresses = recorder.entries.all('live').map(({ address }) => address);
  for (const address of addresses.filter(isReserved))
    await run.writer.note({ type: 'retired', address, at: now().toISOString() });
}
