import { isLoopback } from '../contract/routes.ts';

/** `invalid`: the variable of that name does not hold the address of a proxy. */
export type ProxySettings =
  | { readonly kind: 'none' }
  | { readonly kind: 'invalid'; readonly variable: string }
  | {
      readonly kind: 'proxy';
      readonly httpProxy: string;
      readonly httpsProxy: string;
      readonly noProxy: string;
    };

/**
 * Reads HTTP_PROXY, HTTPS_PROXY and NO_PROXY, each also in lower case, which wins as it does in curl. An
 * address without a scheme is one of plain HTTP. A loopback `origin` never has a proxy.
 */
export function readProxySettings(
  origin: string,
  environment: Readonly<Record<string, string | undefined>> | undefined,
): ProxySettings {
  if (environment === undefined || isLoopback(new URL(origin).hostname)) return { kind: 'none' };
  const httpProxy = withScheme(read(environment, 'HTTP_PROXY'));
  const httpsProxy = withScheme(read(environment, 'HTTPS_PROXY'));
  if (!isAddress(httpProxy)) return { kind: 'invalid', variable: 'HTTP_PROXY' };
  if (!isAddress(httpsProxy)) return { kind: 'invalid', variable: 'HTTPS_PROXY' };
  if (httpProxy === '' && httpsProxy === '') return { kind: 'none' };
  return { kind: 'proxy', httpProxy, httpsProxy, noProxy: read(environment, 'NO_PROXY') };
}

function read(environment: Readonly<Record<string, string | undefined>>, name: string): string {
  return environment[name.toLowerCase()] || environment[name] || '';
}

function withScheme(address: string): string {
  return address === '' || address.includes('://') ? address : `http://${address}`;
}

function isAddress(address: string): boolean {
  return address === '' || (URL.canParse(address) && /^https?:/i.test(address));
}
