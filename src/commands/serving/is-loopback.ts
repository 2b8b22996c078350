import { isIPv4 } from 'node:net';

/** Whether an address to listen on can only be reached from this machine. Other names may lead anywhere. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}
