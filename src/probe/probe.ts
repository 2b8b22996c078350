import type { ProfilePoint } from '../contract/profile.ts';
import { probeAssignments, probeAttributeUpdate } from './assignments.ts';
import { probeClassifierOptions } from './classifier-options.ts';
import { probeExistingId, probeUnknownId } from './existing-id.ts';
import type { PointResult, ProbeReport } from './model.ts';
import { allPoints, dependent, settledPoints } from './open-points.ts';
import { prepare } from './prepare.ts';
import { isReserved, leftRecords } from './records.ts';
import { type ProbePorts, ProbeRun } from './run.ts';
import { probeClearThumbnail, probeOmittedThumbnail } from './thumbnail.ts';

interface Experiment {
  readonly points: readonly ProfilePoint[];
  readonly perform: (run: ProbeRun) => Promise<void>;
}

/**
 * In this order each experiment finds the item as it needs it: updates are known to work before one is sent to an
 * unknown id, and the create that may overwrite the item comes when nothing else is tried on it.
 */
const experiments: readonly Experiment[] = [
  { points: ['itemUpdate.omittedThumbnail'], perform: probeOmittedThumbnail },
  { points: ['update.unknownId'], perform: probeUnknownId },
  { points: ['itemUpdate.clearThumbnail'], perform: probeClearThumbnail },
  { points: ['itemUpdate.attributes'], perform: probeAttributeUpdate },
  { points: ['itemUpdate.classifierOptionIds', 'itemUpdate.assignments'], perform: probeAssignments },
  { points: ['itemCreate.clientId', 'itemCreate.existingId'], perform: probeExistingId },
  { points: ['classifierUpdate.options'], perform: probeClassifierOptions },
];

/**
 * Finds the profile of a service out by experiment. Its records are kept in the state like any
 * others and are retired at the end, since they exist for ever. Resolves with a result for every point, however far
 * it came.
 */
export async function probe(ports: ProbePorts): Promise<ProbeReport> {
  const run = new ProbeRun(ports);
  const settled = settledPoints(ports.environment, ports.again);
  if (settled.size < allPoints.length) {
    ports.emit({ type: 'trying', points: ['itemCreate.clientId'] });
    await run.begin();
    if (!run.halted) await prepare(run);
    await performAll(run, settled);
    await retireRecords(run);
  }
  const { entries } = ports.recorder;
  return {
    points: allPoints.map((point) => resultOf(point, run, settled)),
    left: leftRecords(entries),
    pending: entries
      .all('pending')
      .map(({ address }) => address)
      .filter(isReserved),
    ...(run.halted && { halt: run.halted }),
  };
}

async function performAll(run: ProbeRun, settled: ReadonlyMap<ProfilePoint, PointResult>): Promise<void> {
  for (const { points, perform } of experiments) {
    const open = points.filter(
      (point) =>
        !settled.has(point) &&
        !isFound(run.resultOf(point)) &&
        !dependent(point, (other) => valueIn(run.resultOf(other) ?? settled.get(other))),
    );
    if (run.halted || open.length === 0) continue;
    run.ports.emit({ type: 'trying', points: open });
    await perform(run);
  }
}

/** Nothing is sent: in the service they stay what they are. */
async function retireRecords(run: ProbeRun): Promise<void> {
  const { recorder, now } = run.ports;
  const addresses = recorder.entries.all('live').map(({ address }) => address);
  for (const address of addresses.filter(isReserved))
    await run.writer.note({ type: 'retired', address, at: now().toISOString() });
}

function resultOf(
  point: ProfilePoint,
  run: ProbeRun,
  settled: ReadonlyMap<ProfilePoint, PointResult>,
): PointResult {
  const found = run.resultOf(point);
  if (found && (isFound(found) || !settled.has(point))) return found;
  const before = settled.get(point);
  const told = (other: ProfilePoint) => valueIn(run.resultOf(other) ?? settled.get(other));
  return before ?? dependent(point, told) ?? { point, kind: 'not-reached' };
}

function isFound(result: PointResult | undefined): boolean {
  return result?.kind === 'found';
}

function valueIn(result: PointResult | undefined): string | undefined {
  return result && 'value' in result ? result.value : undefined;
}
