export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** The value of the Authorization header (interface, section 5). */
export function authorizationOf({ username, password }: Credentials): string {
  return `Basic ${base64(`${username}:${password}`)}`;
}

/** Takes every spelling of the password and of the Authorization value out of a text. */
export type Redact = (text: string) => string;

/** Knows the spellings in which a service can echo them: plain, base64, URL, JSON string, HTML. */
export function createRedact(credentials: Credentials): Redact {
  const { username, password } = credentials;
  const encoded = base64(`${username}:${password}`);
  const spellings = [
    encoded,
    encoded.replace(/=+$/, ''),
    base64(password),
    password,
    encodeURIComponent(Buffer.from(password).toString()),
    new URLSearchParams([['', password]]).toString().slice(1),
    JSON.stringify(password).slice(1, -1),
    escapeHtml(password),
  ];
  // The longest first: what contains another one must not be left with its ends.
  const secrets = [...new Set(spellings)].filter(Boolean).sort((a, b) => b.length - a.length);
  return (text) => secrets.reduce((rest, secret) => rest.replaceAll(secret, () => '[redacted]'), text);
}

function base64(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64');
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&quot;',
    "'": '&#39;',
  };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
