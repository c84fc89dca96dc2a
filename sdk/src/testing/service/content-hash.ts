import { canonical, hashedFields, sha256 } from '../../hash.ts';
import type { Version } from './records.ts';

/** The content hash of the reference server, which `verifyContentHash` checks. */
export function saltedHash({ salt, values }: Version, template_version: number): Promise<string> {
  const hashed = values.map((value) => Object.fromEntries(hashedFields.map((field) => [field, value[field]])));
  return sha256(canonical({ salt, template_version, values: hashed }));
}

/** A content hash of another form: shortened, and over the number of the version instead of a salt. */
export async function numberedHash({ number, values }: Version): Promise<string> {
  const hash = await sha256(JSON.stringify([number, values]));
  return `v${number}-${hash.slice(0, 40).toUpperCase()}`;
}
