import type { Plan } from '../plan/model.ts';
import { bookkept } from './apply-summary.ts';
import { viewAction } from './view-action.ts';

const words = [
  ['create', 'to create'],
  ['replace', 'to replace'],
  ['adopt', 'to adopt'],
  ['revive', 'to revive'],
  ['reassert', 'to write again'],
  ['update', 'to update'],
  ['retire', 'to retire'],
  ['blocked', 'blocked'],
  ['unknown', 'unknown'],
  ['waiting', 'waiting'],
] as const;

/** One sentence that can be read aloud. Its numbers are those of the sections. */
export function summaryOf({ summary, changes, moved, protections }: Plan): string {
  const told = changes.filter((change) => viewAction(change) === 'diverged').length;
  // Of the others something else is sent: they have their place in another section.
  const partly = summary.diverged - told;
  const noted = bookkept(moved, protections, ['to rename', 'to protect', 'to unprotect']);
  const counted = words.flatMap(([action, word]) =>
    summary[action] > 0 ? [`${summary[action]} ${word}`] : [],
  );
  const diverged = [
    ...(told > 0 ? [`${told} diverged`] : []),
    ...(partly > 0 ? [`${partly} diverged in part`] : []),
  ];
  const untouched = summary.unchanged - told;
  const unchanged = `${untouched} unchanged`;
  const parts = [...counted, ...diverged, ...noted];
  if (parts.length === 0) return `Nothing to change: ${unchanged}.`;
  return `Plan: ${parts.join(', ')}${untouched > 0 ? `; ${unchanged}` : ''}.`;
}
