import { randomBytes } from 'node:crypto';

/** A control token of 256 random bits. The server shows it once, when it starts. */
export function newControlToken(): string {
  return `sandbox_${randomBytes(32).toString('base64url')}`;
}
