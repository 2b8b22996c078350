/**
 * Trove as a library: the same rooms that the command line walks through. Problems are codes with values;
 * `explainProblems` puts them into words.
 *
 * `loadCatalog` and `loadEnvironment` read files, `joinInputs` fits them together; `makePlan` is pure;
 * `startService` is the embedded service.
 */
export { loadCatalog } from './catalog/load.ts';
export type {
  Address,
  Catalog,
  ClassifierDeclaration,
  Declared,
  ItemDeclaration,
  Kind,
} from './catalog/model.ts';
export { type Inputs, type JoinOptions, joinInputs } from './environment/join-inputs.ts';
export { loadEnvironment } from './environment/load.ts';
export type { Environment } from './environment/model.ts';
export { makePlan, type PlanInputs } from './plan/make-plan.ts';
export type { Action, Change, FieldChange, Plan, Summary } from './plan/model.ts';
export { type ExplainedDiagnostic, explainProblems } from './render/messages/explain-problem.ts';
export { type Dialect, defaultDialect, dialectPoints } from './service/dialect.ts';
export type { FaultRule, FaultSettings } from './service/faults.ts';
export { startService } from './service/server.ts';
export type { World } from './service/world.ts';
export type { ResourceRecord, State, Target } from './state/model.ts';
export type { Diagnostic, Problems, Result, Rule } from './text/diagnostic.ts';
export { version } from './version.ts';
