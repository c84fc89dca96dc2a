import { createHash, randomBytes } from 'node:crypto';
import { type Forms, formsOf, hashedContent, hashedPublicContent, type PassportValue } from '@product-passport/openapi';

/** A version of a passport. */
export interface Version {
  /** Counts from 1. */
  version: number;
  template_version: number;
  content_hash: string;
  /** Part of what `content_hash` covers. */
  salt: string;
  /** The hash of the public values alone. */
  public_hash: string;
  created_at: string;
}

/** 128 random bits as 32 lower-case hexadecimal digits. */
function randomSalt(): string {
  return randomBytes(16).toString('hex');
}

/**
 * Makes a version with a new salt and the content hash over both. The hash is public: without a salt, hidden values could
 * be guessed from it.
 *
 * @param content `values` in their order, and their forms if they are made already
 * @param newSalt default: random
 */
export function newVersion(
  content: Pick<Version, 'version' | 'template_version' | 'created_at'> & {
    values: readonly PassportValue[];
    forms?: readonly Forms[];
  },
  newSalt: () => string = randomSalt,
): Version {
  const { version, template_version, created_at, values, forms = formsOf(values) } = content;
  const salt = newSalt();
  const content_hash = contentHash(salt, template_version, values, forms);
  const public_hash = publicContentHash(values, forms);
  return { version, template_version, content_hash, salt, public_hash, created_at };
}

/**
 * Lower-case hexadecimal SHA-256 of the RFC 8785 form of `{salt, template_version, values}`, as the contract defines
 * `content_hash`.
 *
 * @param values in their order
 */
export function contentHash(
  salt: string,
  template_version: number,
  values: readonly PassportValue[],
  forms: readonly Forms[] = formsOf(values),
): string {
  return sha256(hashedContent(salt, template_version, forms));
}

/**
 * Lower-case hexadecimal SHA-256 of the RFC 8785 form of the public values alone, as the contract defines
 * `dpp:publicContentHash`. It can be computed from the public document.
 *
 * @param values in their order, of every access level
 */
export function publicContentHash(values: readonly PassportValue[], forms: readonly Forms[] = formsOf(values)): string {
  return sha256(hashedPublicContent(forms));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
