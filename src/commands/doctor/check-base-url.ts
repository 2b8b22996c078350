import { shownPath } from '../../catalog/find.ts';
import { normalBaseUrl } from '../../environment/defaults.ts';
import type { Environment } from '../../environment/model.ts';
import type { Finding } from '../../render/model.ts';
import type { CommandContext } from '../invocation/context.ts';
import { ok, warning } from './finding.ts';

/** Whether what is sent can be read on the way. A valid environment only says http where it insists on it. */
export function checkBaseUrl({ service, dataFolder }: Environment, { io }: CommandContext): Finding {
  if (service.kind === 'embedded')
    return ok('base-url', `the embedded service, with its data in ${shownPath(dataFolder, io.cwd)}`);
  const { baseUrl } = service;
  if (baseUrl.startsWith('https:')) return ok('base-url', `${baseUrl}, encrypted`);
  if ('url' in normalBaseUrl(baseUrl, false)) return ok('base-url', `${baseUrl}, on this machine`);
  const message = `${baseUrl}: anybody on the way can read the credentials`;
  return warning('base-url', message, 'use https, and remove `allowInsecureHttp`');
}
