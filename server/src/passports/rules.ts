import { createHash } from 'node:crypto';
import { type Forms, formsOf, hashedContent, hashedPublicContent, type PassportValue } from '@product-passport/openapi';

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
