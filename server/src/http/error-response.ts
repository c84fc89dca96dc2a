import { isBoom } from '@hapi/boom';
import { ContractError, type ErrorCode, errorMeanings } from '@product-passport/openapi';
import type { Contract } from '../contract/document.ts';

/** The codes of errors that Hapi, or Node's parser below it, raises. `openapi.yaml` has the status of every other code. */
const codeOfStatus: Record<number, ErrorCode> = {
  400: 'invalid_request',
  401: 'invalid_api_key',
  404: 'not_found',
  405: 'method_not_allowed',
  408: 'request_timeout',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  431: 'headers_too_large',
  503: 'service_unavailable',
};

const additionalHeaders: Partial<Record<ErrorCode, Record<string, string>>> = {
  invalid_api_key: { 'www-authenticate': 'Bearer' },
  service_unavailable: { 'retry-after': '1' },
};

/** An error as the contract describes its response. */
interface ErrorResponse {
  status: number;
  headers: Record<string, string>;
  body: { error: { code: ErrorCode; message: string } };
}

/**
 * Makes the response to any error of the service. The sandbox makes its own.
 *
 * @param operation the operation that failed, if the request belongs to one
 */
export type RespondToError = (error: unknown, operation?: string) => ErrorResponse;

/** @param isUnavailable whether an error means that the database cannot be reached now */
export function errorResponder(contract: Contract, isUnavailable: (error: unknown) => boolean): RespondToError {
  const meanings = errorMeanings(contract);
  return (error, operation = '') => {
    const { code, detail, headers } = error instanceof ContractError ? error : new ContractError(codeOf(error));
    const meaning = meanings.get(code);
    if (!meaning) throw new Error(`The contract has no ${code}.`);
    const message = detail ?? meaning.ofOperations.get(operation) ?? meaning.message;
    return {
      status: meaning.status,
      headers: {
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        ...additionalHeaders[code],
        ...headers,
      },
      body: { error: { code, message } },
    };
  };

  function codeOf(error: unknown): ErrorCode {
    if (isUnavailable(error)) return 'service_unavailable';
    return (isBoom(error) && codeOfStatus[error.output.statusCode]) || 'internal_error';
  }
}
