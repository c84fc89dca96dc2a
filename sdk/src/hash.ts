import type { PassportValue } from './contract.ts';

/** The fields of a value that the content hash covers. A later service may send more. */
export const hashedFields = [
  'access_level',
  'field_key',
  'is_unknown',
  'locale',
  'needs_review',
  'source',
  'unit',
  'value',
] as const satisfies (keyof PassportValue)[];

/** The SHA-256 of a text, as 64 lower-case hexadecimal digits. */
export async function sha256(text: string): Promise<string> {
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
