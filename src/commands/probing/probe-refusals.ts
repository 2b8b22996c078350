import type { Environment } from '../../environment/model.ts';
import type { LeftRecord } from '../../probe/model.ts';
import { type Diagnostic, error } from '../../text/diagnostic.ts';

export function knownAlready({ name, document }: Environment): Diagnostic {
  const message = `environment ${name} is the embedded service, whose profile Trove knows`;
  return error('profile-known', message, {
    ...(document && { subject: document.source.path }),
    hint: 'choose an environment with a `baseUrl`: -e NAME',
  });
}

export function notOurs({ address, id }: LeftRecord): Diagnostic {
  const message = `${address} is recorded as ${id}, which no probe has made, and a probe would overwrite it`;
  return error('reserved-address', message, { hint: 'give this record another address first' });
}

export function unconfirmed(flags: string): Diagnostic {
  const hint = `look at what trove probe${flags} would leave behind, then: trove probe${flags} --yes`;
  return error('not-confirmed', 'without a terminal, probe does not ask and sends nothing', { hint });
}
