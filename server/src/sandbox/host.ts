import { randomBytes } from 'node:crypto';
import { isIPv4 } from 'node:net';

/** Why a sandbox may not listen on a host; `undefined` if it may. */
export function hostFault(host: string): string | undefined {
  if (host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'))) return undefined;
  return `a sandbox listens only on this machine's own address, not on ${host}. Use 127.0.0.1.`;
}

/** A control token of 256 random bits. The server shows it once, when it starts. */
export function newControlToken(): string {
  return `sandbox_${randomBytes(32).toString('base64url')}`;
}
