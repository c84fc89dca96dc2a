import { randomBytes } from 'node:crypto';
import { contentHash, type PassportValue, publicContentHash } from './rules.ts';

/** A version of a passport. */
export interface Version {
  /** Counts from 1. */
  version: number;
  template_version: number;
  content_hash: string;
  /** Part of what `content_hash` covers. `null` only in versions from before hashes had a salt. */
  salt: string | null;
  /** The hash of the public values alone. `null` only if an older server wrote the version. */
  public_hash: string | null;
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
 * @param content `values` in their order
 * @param newSalt default: random
 */
export function newVersion(
  content: Pick<Version, 'version' | 'template_version' | 'created_at'> & { values: PassportValue[] },
  newSalt: () => string = randomSalt,
): Version {
  const { version, template_version, created_at, values } = content;
  const salt = newSalt();
  const content_hash = contentHash(salt, template_version, values);
  return { version, template_version, content_hash, salt, public_hash: publicContentHash(values), created_at };
}
