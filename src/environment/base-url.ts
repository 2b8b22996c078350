/**
 * Takes the base URL of a service (interface, head: its last path segment is `api`) and gives it in its one
 * normal form, without a trailing slash; or says what is wrong with it. The text is never repeated, since
 * it may hold a password.
 */
export function normalBaseUrl(
  text: string,
  allowInsecureHttp: boolean,
): { readonly url: string } | { readonly problem: string; readonly hint: string } {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const example = 'for example https://game.example/api';
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return { problem: '`baseUrl` must be an http or https URL', hint: example };
  }
  if (url.username || url.password) {
    return {
      problem: '`baseUrl` must not hold credentials',
      hint: 'name their variables under `credentials`',
    };
  }
  if (/[?#]/.test(text)) return { problem: '`baseUrl` must not have a query or a fragment', hint: example };
  const path = url.pathname.replace(/\/+$/, '');
  if (!path.endsWith('/api'))
    return { problem: 'the last path segment of `baseUrl` must be `api`', hint: example };
  if (url.protocol === 'http:' && !allowInsecureHttp && !isLoopback(url.hostname)) {
    const hint = 'use https, or insist with `allowInsecureHttp: true`';
    return { problem: '`baseUrl` would send credentials over plain http to another machine', hint };
  }
  return { url: `${url.protocol}//${url.host}${path}` };
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(?:\.\d+){3}$/.test(host);
}
