import { isPassportError, type PassportError } from '@product-passport/sdk';
import type { Article, Rejection } from './article.ts';
import { type Brought, OtherProductError } from './bring.ts';

/** The result for one row. */
export type Outcome =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly article: Article; readonly brought: Brought }
  | { readonly kind: 'repeated' | 'rejected'; readonly row: Rejection }
  /** The result is unknown: the service did not respond. */
  | { readonly kind: 'open'; readonly why: string };

/** Decides whether a failure concerns this row alone or ends the run. */
export function outcomeOfFailure({ line, number }: Article, error: unknown): Outcome {
  if (error instanceof OtherProductError) return { kind: 'rejected', row: { line, number, reason: error.message } };
  if (!isPassportError(error)) throw error;
  if (error.name === 'ConflictError') return { kind: 'rejected', row: { line, number, reason: error.message } };
  if (error.name === 'ApiError' && [400, 404, 413].includes(error.status)) {
    return { kind: 'rejected', row: { line, number, reason: `${error.code}: ${error.detail}` } };
  }
  return { kind: 'open', why: explain(error) };
}

/** The reason why the run ends, for people. */
export function explain(error: PassportError): string {
  if (error.name === 'NetworkError') return `the service does not respond (${reasonOf(error.cause)})`;
  if (error.name === 'TimeoutError') return 'the service took too long to respond';
  if (error.name === 'ApiError' && error.status === 401) return 'the service refuses the key';
  return error.message;
}

/** The code or message of the innermost cause: `ECONNREFUSED` instead of `fetch failed`. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason';
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : cause.cause ? reasonOf(cause.cause) : cause.message;
}
