import type { ProbeHalt } from '../probe/model.ts';
import { haltText } from './halt-text.ts';
import type { Reader } from './reader.ts';
import { renderServiceError } from './service-error.ts';

/** Why a probe ended early, and what to do about it. */
export function probeHaltTexts(halt: ProbeHalt, { credentials, flags }: Reader): readonly string[] {
  const said = 'error' in halt && halt.error ? renderServiceError(halt.error, credentials) : undefined;
  switch (halt.kind) {
    case 'interrupted':
      return ['interrupted. What was found out so far is kept.', `To go on: trove probe${flags}`];
    case 'unknown':
      return [
        said?.message ?? `the outcome of the create of ${halt.address} was not seen in an earlier run.`,
        'It may or may not exist, and a person has to look and say.',
        `If the service has it: trove resolve ${halt.address}${flags} --id ID`,
        `If it has not: trove resolve ${halt.address}${flags} --not-created`,
      ];
    case 'no-records':
      return said ? [said.message, said.hint] : ['the probe classifier lacks options that were asked for.'];
    case 'service':
      return said ? [said.message, said.hint] : [];
    case 'wrong-team':
    case 'other-id':
    case 'state-lost':
      return [haltText(halt)];
    case 'foreign-record':
      return [`the service answered with record ${halt.id}, which is ${halt.address}.`];
    case 'journal':
      return [`the outcome could not be written down (${halt.message}).`];
  }
}
