import { nearest } from '../../text/nearest.ts';
import type { BoundTo, PlanProblems } from '../../text/problems.ts';
import { namesIn, type Sentences } from './sentences.ts';

const MAKE_ANEW = 'nothing was sent; if it was not applied already, make the plan anew with --out';

/** What is wrong with a saved plan, and with addresses that a person names. */
export const planProblems: Sentences<keyof PlanProblems> = {
  'altered-plan': ({ why }) =>
    why === 'other-files'
      ? [
          'the plan is the same, but its files have other names: it was made in another folder, or altered',
          'nothing was sent; run it in the folder where the plan was made, with the same --catalog',
        ]
      : [
          'the plan in the file is not the plan that these inputs give: it was altered, or a variable that the catalog names has another value now',
          MAKE_ANEW,
        ],
  'invalid-plan-file': (invalid, flags) => {
    const hint = `make one: trove plan${flags} --out FILE`;
    switch (invalid.why) {
      case 'not-json':
        return ['this is not a saved plan: it is not JSON', hint];
      case 'other-form':
        return ['this is not a plan that this version of Trove saved', hint];
      case 'planned-twice':
        return [`the file has two plans for the environment ${invalid.environment}`, hint];
    }
  },
  'nothing-to-replace': ({ why }) =>
    why === 'undeclared'
      ? ['it is not declared, so nothing can take the place of its record', 'declare it again first']
      : ['it has no record in use', 'leave out --replace: without it, it is created, revived or adopted'],
  'stale-plan': ({ what, was, is }) => [
    was === undefined
      ? `${boundTo[what]} is not as it was when the plan was saved`
      : `${boundTo[what]} was ${was ?? 'none'} when the plan was saved and is ${is ?? 'none'} now`,
    MAKE_ANEW,
  ],
  'unknown-target': (target) => {
    if (target.why === 'moved') return [`it is ${target.to} now, by \`moved\` of the catalog`];
    const near = nearest(target.address, namesIn(target.known));
    return [
      'nothing with this address is declared or recorded',
      near ? `did you mean ${near}?` : 'an address is a kind and a key: item.iron-sword',
    ];
  },
};

const boundTo: Readonly<Record<BoundTo, string>> = {
  'base-url': 'the base URL',
  catalog: 'the catalog',
  environment: 'the environment',
  'environment-file': 'the environment file',
  lineage: 'the lineage of the state',
  serial: 'the state, by its serial,',
  team: 'the team',
  'trove-version': 'the version of Trove',
};
