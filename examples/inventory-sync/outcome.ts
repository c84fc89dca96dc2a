import { isPassportError, type PassportError } from '@product-passport/sdk';
import type { Article, Rejection } from './article.ts';
import { type Brought, OtherProductError } from './bring.ts';

/** What became of a row. */
export type Outcome =
  | { readonly kind: 'created' | 'updated' | 'unchanged'; readonly article: Article; readonly brought: Brought }
  | { readonly kind: 'repeated' | 'rejected'; readonly row: Rejection }
  /** Nothing is known of it: the service did not answer. */
  | { readonly kind: 'open'; readonly why: string };

/** Whether a failure is the row's own, or the end of the run. */
export function outcomeOfFailure({ line, number }: Article, error: unknown): Outcome {
  if (error instanceof OtherProductError) return { kind: 'rejected', row: { line, number, reason: error.message } };
  if (!isPassportError(error)) throw error;
  if (error.name === 'ConflictError') return { kind: 'rejected', row: { line, number, reason: error.message } };
  if (error.name === 'ApiError' && [400, 404, 413].includes(error.status)) {
    return { kind: 'rejected', row: { line, number, reason: `${error.code}: ${error.detail}` } };
  }
  return { kind: 'open', why: explain(error) };
}

/** What stands in the way, for people. */
export function explain(error: PassportError): string {
  if (error.name === 'NetworkError') return `the service does not answer (${reasonOf(error.cause)})`;
  if (error.name === 'TimeoutError') return 'the service took too long to answer';
  if (error.name === 'ApiError' && error.status === 401) return 'the service refuses the key';
  return error.message;
}

/** The innermost reason: `fetch failed` says nothing, `ECONNREFUSED` does. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return 'unknown reason';
  const { code } = cause as NodeJS.ErrnoException;
  return typeof code === 'string' ? code : cause.cause ? reasonOf(cause.cause) : cause.message;
}
