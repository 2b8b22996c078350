import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { addFindings, type Findings } from '../../environment/file-text.ts';
import { findEnvironment } from '../../environment/find.ts';
import { readEnvironment } from '../../environment/load.ts';
import type { Environment, ProbedPoint } from '../../environment/model.ts';
import type { PointResult } from '../../probe/model.ts';
import { atomicWrite, followLinks } from '../../state/file/atomic-write.ts';
import { ioFailure } from '../../state/file/io-failure.ts';
import { type Diagnostic, error, failure, type Result, success } from '../../text/diagnostic.ts';
import { readText } from '../../text/read-file.ts';
import { SourceText } from '../../text/source.ts';
import type { CommandContext } from '../invocation/context.ts';

/**
 * Writes what a probe found into the file of its environment, which may have been edited meanwhile, and gives its
 * path as people see it; undefined where there is nothing to write. The new text is read and checked as the file
 * will be before it takes its place.
 */
export async function keepFindings(
  points: readonly PointResult[],
  { name, service, document }: Environment,
  { io, catalogFolder }: CommandContext,
): Promise<Result<string | undefined>> {
  if (service.kind !== 'remote' || !document) return success(undefined);
  const { baseUrl } = service;
  const shown = document.source.path;
  const findings = findingsOf(points, baseUrl);
  if (Object.keys(findings.probed).length === 0) return success(undefined);
  const folder = resolve(io.cwd, catalogFolder);
  const found = await findEnvironment(name, folder);
  if (found.kind !== 'file') return failure(...(found.kind === 'problem' ? [found.problem] : []));
  const about = { name, folder, digest: '' };
  const before = await readText(found.path, shown);
  if (!before.ok) return failure(before.problem);
  const valid = await readEnvironment(before.source, about);
  if (!valid.ok) return notWritten(valid.diagnostics);
  const text = addFindings(before.source.text, findings);
  if (text === undefined) return notWritten([notEditable(shown)]);
  const after = await readEnvironment(new SourceText(shown, text), about);
  if (!after.ok) return notWritten(after.diagnostics);
  try {
    const target = await followLinks(found.path);
    const { mode } = await stat(target);
    await atomicWrite(target, text, randomUUID(), mode & 0o777);
    return success(shown);
  } catch (cause) {
    return failure(ioFailure('The findings could not be written into the environment', shown, cause));
  }
}

/** A point that could not be told leaves the profile as it is; that it was tried is evidence all the same. */
function findingsOf(points: readonly PointResult[], baseUrl: string): Findings {
  const profile: Record<string, string> = {};
  const probed: Record<string, ProbedPoint> = {};
  for (const result of points) {
    if (result.kind === 'found') {
      const { point, value, at, exchange } = result;
      profile[point] = value;
      probed[point] = { at, baseUrl, value, ...exchange };
    }
    if (result.kind === 'could-not-tell') {
      const { point, at, because, exchange } = result;
      probed[point] = { at, baseUrl, value: 'could-not-tell', because, ...exchange };
    }
  }
  return { profile, probed };
}

function notEditable(shown: string): Diagnostic {
  const hint = 'write `profile` and `probed` without anchors, one entry a line; then probe again';
  return error('not-editable', 'it can not be edited safely', { subject: shown, hint });
}

function notWritten(diagnostics: readonly Diagnostic[]): Result<never> {
  return failure(
    ...diagnostics.map((each) => ({
      ...each,
      message: `the findings were not written into the environment: ${each.message}`,
    })),
  );
}
