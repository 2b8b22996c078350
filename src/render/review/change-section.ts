import { type Address, keyOf, kindOf } from '../../catalog/model.ts';
import { grouped, html, leanText, Markup, shownText } from '../../markup/markup.ts';
import type { FieldChange } from '../../plan/model.ts';
import type { ExplainedChange, ExplainedPlan } from '../messages/explain-plan.ts';
import type { Group, Section, ViewAction } from '../plan-view.ts';
import { changeRows, columnsOf } from './change-table.ts';

/** Beside the sections of the changes, those of what apply only records: the summary counts both. */
export function pageSections(
  { moved, protections }: ExplainedPlan,
  sections: readonly Section[],
): readonly PageSection[] {
  const recorded = [
    ...moved.map(({ from, to }) => ['rename', to, 'address', from, to] as const),
    ...protections.map(
      ({ address, protect }) =>
        [protect ? 'protect' : 'unprotect', address, 'lifecycle.protect', !protect, protect] as const,
    ),
  ];
  const actions = ['rename', 'protect', 'unprotect'] as const;
  return [
    ...sections,
    ...actions.flatMap((action): readonly PageSection[] => {
      const changes = recorded
        .filter(([own]) => own === action)
        .map(([, address, path, before, after]) => recording(address, { path, before, after }));
      const title = action.charAt(0).toUpperCase() + action.slice(1);
      const groups = [{ reason: undefined, remedies: [], changes }];
      return changes.length === 0 ? [] : [{ action, title, part: 'applied', groups, count: changes.length }];
    }),
  ];
}

/** As a change of a record that is not sent. */
function recording(address: Address, field: FieldChange): ExplainedChange {
  const [kind, key] = [kindOf(address), keyOf(address)];
  return { address, kind, key, action: 'update', remoteId: '', fields: [field], requests: [], source: null };
}

const abouts: Readonly<Record<PageAction, string>> = {
  blocked:
    'Not possible as written, or waiting for your decision. These are skipped; everything else is applied.',
  unknown: 'Sent, but the outcome is unknown. These are not sent again until they are settled.',
  waiting: 'These depend on a blocked or unknown classifier and are sent once it is settled.',
  diverged:
    'The service stored something other than what was sent. It is not sent again until the catalog changes.',
  replace: 'A new record replaces the old one, which remains in the service and is retired.',
  adopt: 'Imported IDs. One update each confirms that they belong to these resources.',
  revive: 'Declared again: the retired record is updated, and no second one is created.',
  reassert:
    'Written again as declared, although the last response shows no difference, or the service did not store the value.',
  update: 'Existing records with new values.',
  retire: 'No longer declared. Nothing is sent (the API has no delete); Trove keeps the IDs.',
  create: "New records, which can't be deleted afterwards.",
  rename: 'New keys for existing records. Apply records them; nothing is sent.',
  protect: 'Apply records this; nothing is sent.',
  unprotect: 'Apply records this; nothing is sent.',
};

/** Beyond so many, rows that are not on the screen are not laid out: the page stays quick, but may jump. */
const LONG = 300;

/** A table of the changes of one kind, those with the same reason or from the same file below each other. */
export function section(
  { action, title: words, groups, count }: PageSection,
  level: number,
  prefix: string,
): Markup {
  const changes = groups.flatMap((group) => group.changes);
  return html`
<section id="${prefix}${action}" class="changes ${action}" data-action="${action}">
${title(level, words, html` <span class="count" data-count>${grouped(count)}</span>`)}
<p class="about">${abouts[action]}</p>
<table aria-label="${words}"${count > LONG && html` class="long"`}>${columnsOf(changes)}${groups.map(groupRows)}
</table></section>`;
}

function groupRows({ reason, remedies, file, changes }: Group): Markup {
  const why = reason !== undefined && html`<p class="reason">${prose(reason)}</p>`;
  const out = remedies.length > 0 && html`<p class="out">Next steps</p>${remedyList(remedies)}`;
  const common = file !== undefined ? html`<code>${leanText(file)}</code>` : (why || out) && [why, out];
  return html`
${common && html`<tbody class="why"><tr><th colspan="4" scope="rowgroup">${common}`}${changes.map(changeRows)}`;
}

export function title(level: number, words: string, count?: Markup): Markup {
  return html`<${heading(level)} class="title">${words}${count}</${heading(level)}>`;
}

/** The name of a heading element. */
export function heading(level: number): Markup {
  return new Markup(`h${level}`);
}

/** Whole, since it may hold a command to copy; what stands in backticks, and commands, as code. */
export function prose(text: string): Markup {
  const parts = text.split(/`([^`]*)`|((?<=^|: )trove .*$)/);
  return html`${parts.map((part, index) => {
    if (part === undefined || /^ *$/.test(part)) return part;
    const shown = shownText(part, Number.POSITIVE_INFINITY);
    return index % 3 === 0 ? shown : html`<code>${shown}</code>`;
  })}`;
}

export function remedyList(remedies: readonly string[]): Markup {
  return html`<ul class="remedies">${remedies.map((each) => html`<li>${prose(each)}`)}</ul>`;
}

export type PageSection = Pick<Section, 'title' | 'part' | 'groups' | 'count'> & {
  readonly action: PageAction;
};
type PageAction = ViewAction | 'rename' | 'protect' | 'unprotect';
