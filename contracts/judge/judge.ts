/**
 * Checks requests and their responses against openapi.yaml. Tests, provider verification and the conformance suite share
 * this judge, so that all of them are equally strict.
 */
import { type Contract, codesOf, readContract } from '@product-passport/openapi';
import type { RequestLine } from './described-codes.ts';
import type { Finding } from './finding.ts';
import { type RequestFinding, type RequestToJudge, requestJudge } from './request.ts';
import { type ReceivedResponse, responseJudge, type ServerErrors } from './response.ts';
import type { Profile } from './schema.ts';

export type { RequestLine } from './described-codes.ts';
export type { Finding, Severity } from './finding.ts';
export { type Leak, leaksIn } from './leaks.ts';
export type { RequestFinding, RequestToJudge } from './request.ts';
export type { ReceivedHeaders, ReceivedResponse, ServerErrors } from './response.ts';
export type { Profile } from './schema.ts';

/** An operation, with its statuses and codes. */
export interface JudgedOperation {
  readonly operationId: string;
  /** The operation that this one repeats at another path. Both have the same responses. */
  readonly variantOf: string | undefined;
  /** In upper case. */
  readonly method: string;
  /** The template, as in `/api/v1/products/{slug}`. */
  readonly path: string;
  /** Whether it needs an API key. */
  readonly secured: boolean;
  readonly statuses: readonly number[];
  /** The error codes of each status, in the order in which they are checked. */
  readonly codes: Readonly<Record<number, readonly string[]>>;
}

export interface Judge {
  readonly operations: readonly JudgedOperation[];
  /**
   * The violations of a response. The response conforms to the contract if none is a failure. In the profile `reference` every
   * violation is a failure.
   */
  response(received: RequestLine & ReceivedResponse): Finding[];
  /**
   * The violations of a request, in the order of the service's checks, each with its error code. If the list is empty,
   * the service must accept the request (its product may still not exist).
   */
  request(request: RequestToJudge): RequestFinding[];
}

export interface JudgeOptions {
  /** @default 'reference' */
  readonly profile?: Profile;
  /**
   * `documented`: 500 and 503 are valid responses. `failure`: no request of an operation may get a status of 500 or
   * more. Use it if no test provokes a failure.
   *
   * @default 'documented'
   */
  readonly serverErrors?: ServerErrors;
}

/** A judge by this contract, or by the file at this path. The default is the project's openapi.yaml. */
export function createJudge(source?: Contract | string | URL, options: JudgeOptions = {}): Judge {
  const { profile = 'reference', serverErrors = 'documented' } = options;
  const isPath = source === undefined || typeof source === 'string' || source instanceof URL;
  const contract = isPath ? readContract(source) : source;
  const judgeResponse = responseJudge(contract, { profile, serverErrors });
  return {
    operations: contract.operations.map(({ operationId, variantOf, method, path, secured, responses }) => ({
      operationId,
      variantOf,
      method,
      path,
      secured,
      statuses: Object.keys(responses).map(Number),
      codes: Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, codesOf(response)])),
    })),
    response: (received) => judgeResponse(received, received),
    request: requestJudge(contract, profile),
  };
}
