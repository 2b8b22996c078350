import { renderCrash } from '../../render/diagnostics.ts';
import type { DoctorCheck } from '../../render/model.ts';
import type { CommandContext } from '../invocation/context.ts';
import { failed, type Looked, skipped } from './finding.ts';

/**
 * Looks, and turns what nobody foresaw into a finding of the first of `checks`, which `look` stands for: it must not
 * hide what other checks find.
 */
export async function guarded<T>(
  { debug, note }: Pick<CommandContext, 'debug' | 'note'>,
  checks: readonly [DoctorCheck, ...DoctorCheck[]],
  look: () => Promise<Looked<T>>,
): Promise<Looked<T>> {
  try {
    return await look();
  } catch (cause) {
    if (debug) note(renderCrash(cause, debug));
    const [first, ...rest] = checks;
    const message = `this could not be checked: ${(cause as Error).message}`;
    const others = rest.map((check) => skipped(check, 'the check before it failed'));
    return { findings: [failed(first, message, 'run it again with --debug and report it'), ...others] };
  }
}
