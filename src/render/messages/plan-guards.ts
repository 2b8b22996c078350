import type { GuardReason } from '../../plan/reason.ts';
import { pluralize } from '../../text/pluralize.ts';

/** What is true now, and what to do about it, one step each, commands as typed. */
export interface Explanation {
  readonly reason: string;
  readonly remedies: readonly string[];
}

/** Why apply refuses a plan as a whole, in words. `begin` is the command that begins a state, by default that of apply. */
export function explainGuard(
  guard: GuardReason,
  environment: string,
  flags: string,
  begin = `trove apply${flags} --new-environment`,
): Explanation {
  const recover = (when: string) => `${when}: trove apply${flags} --recover`;
  switch (guard.code) {
    case 'no-state':
      return {
        reason: `environment ${environment} has no state, so every record would be created anew`,
        remedies: [
          'if it was applied before, put its state back first',
          recover('if the state is lost for good'),
          `if this environment is really new: ${begin}`,
        ],
      };
    case 'shared-team':
      return { reason: guard.message, remedies: [guard.hint] };
    case 'database-gone':
      return {
        reason: 'the database of the embedded service is gone, and the state still has its records',
        remedies: ['put it back', `to begin again with an empty service, remove ${guard.statePath}`],
      };
    case 'state-gone':
      return {
        reason:
          'the state is gone, and the embedded service may have its records, which would be created twice',
        remedies: [
          'put it back',
          recover('to find its records again'),
          `to begin again with an empty service, remove ${guard.dataFolder}`,
        ],
      };
    case 'older-state':
      return {
        reason: `the state is an older version: its serial is ${guard.serial}, and this machine had ${guard.newest}, so what came after would be created a second time`,
        remedies: [
          'put the newer version back: from git, or from a copy that trove state pull made',
          recover('if it is lost for good'),
          `if this one is right all the same: trove state push${flags} --force FILE`,
        ],
      };
    case 'partial-state': {
      const more = guard.others > 0 ? ` and ${guard.others} more` : '';
      const begun = guard.begunBy === 'import' ? 'an import' : 'a probe';
      return {
        reason: `the state was begun by ${begun}, and ${guard.first}${more}, which it does not know, would be created anew`,
        remedies: [
          `if the team has them: trove import ADDRESS ID${flags}`,
          recover('if its state was lost'),
          `if they are really new: trove apply${flags} --new-environment`,
        ],
      };
    }
    case 'strange-state':
      return {
        reason: `the state knows none of the ${guard.declared} resources of this catalog, and has ${pluralize(guard.recorded, 'other')}: is it the right one?`,
        remedies: [
          'check the catalog and the environment',
          `if all of them really are new: trove apply${flags} --confirm-new`,
        ],
      };
    case 'limit-exceeded': {
      const what = guard.limit === 'maxCreates' ? 'create' : 'update';
      return {
        reason: `the plan has ${pluralize(guard.count, what)}, and \`limits.${guard.limit}\` allows ${guard.allowed}`,
        remedies: ['raise the limit in a reviewed change', 'apply in parts with --target'],
      };
    }
  }
}
