import { error } from '../text/diagnostic.ts';
import { renderDiagnostics } from './diagnostics.ts';

/** Said at the end where standard output took not all of it (a full disk, say). */
export function renderLostOutput({ message }: Error): string {
  const hint = 'what was done is done and recorded; only what is told of it is incomplete';
  const problem = error('lost-output', `standard output could not be written whole: ${message}`, { hint });
  return renderDiagnostics([problem], { color: false });
}
