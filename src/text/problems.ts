import type { CommandProblems, PlanProblems, ServiceCommandProblems } from './problems/commands.ts';
import type { CatalogProblems, EnvironmentProblems, TextProblems, YamlProblems } from './problems/files.ts';
import type { ImportProblems, StateCommandProblems, StateProblems } from './problems/state.ts';

export type * from './problems/commands.ts';
export type * from './problems/files.ts';
export type * from './problems/state.ts';

/**
 * Every problem that a user can cause, by its rule, with the values that its sentence needs. `src/render/messages` makes
 * the sentences, so names stand here as they are in the file: not quoted, not cut.
 */
export interface Problems
  extends TextProblems,
    YamlProblems,
    CatalogProblems,
    EnvironmentProblems,
    CommandProblems,
    StateCommandProblems,
    ServiceCommandProblems,
    ImportProblems,
    PlanProblems,
    StateProblems {}

export type Rule = keyof Problems;
