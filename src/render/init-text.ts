import { escapeTerminal } from './escape.ts';
import { alignColumns } from './table.ts';

export interface InitView {
  readonly written: readonly string[];
  /** Files that were there before, and still are. */
  readonly kept: readonly string[];
  /** What printed commands need to mean the new catalog and `local`. */
  readonly local: string;
  /** The same for the first environment beside it. */
  readonly environment: string | undefined;
}

/** What `trove init` has written, and what to type next. */
export function renderInit({ written, kept, local, environment }: InitView): string {
  const steps = [...embeddedSteps(local), ...(environment === undefined ? [] : remoteSteps(environment))];
  const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');
  const list = (paths: readonly string[]) =>
    indented(paths.map((path) => `${escapeTerminal(path)}\n`).join(''));
  return [
    `Written:\n${list(written)}`,
    ...(kept.length > 0 ? [`Kept as they were:\n${list(kept)}`] : []),
    `Next:\n${indented(alignColumns(steps.map(([what, command]) => [what, escapeTerminal(command)])))}`,
  ].join('\n');
}

type Step = readonly [what: string, command: string];

function embeddedSteps(flags: string): readonly Step[] {
  return [
    ['see what would be done', `trove plan${flags}`],
    ['do it, embedded', `trove apply${flags}`],
  ];
}

function remoteSteps(flags: string): readonly Step[] {
  return [['check the environment', `trove doctor${flags}`]];
}
