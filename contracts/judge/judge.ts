/**
 * Checks requests and their responses against openapi.yaml. Tests, provider verification and the conformance suite share
 * this judge, so that all of them are equally strict.
 */
import { type Contract, type Operation, readContract } from '@product-passport/openapi';
import type { Finding } from './finding.ts';
import { type RequestFinding, type RequestToJudge, requestJudge } from './request.ts';
import { type ReceivedResponse, responseJudge, type ServerErrors } from './response.ts';
import type { Rules } from './schema.ts';

export type { Finding } from './finding.ts';
export type { RequestFinding, RequestToJudge } from './request.ts';
export type { ReceivedResponse, RequestLine } from './response.ts';

export interface Judge {
  readonly operations: readonly Operation[];
  /**
   * The violations of a response. The response conforms to the contract if none is a failure. By the rules `reference` every
   * violation is a failure.
   */
  response(received: ReceivedResponse): Finding[];
  /**
   * The violations of a request, in the order of the service's checks, each with its error code. If the list is empty,
   * the service must accept the request (its product may still not exist).
   */
  request(request: RequestToJudge): RequestFinding[];
}

export interface JudgeOptions {
  /** @default 'reference' */
  readonly rules?: Rules;
  /**
   * `documented`: 500 and 503 are valid responses. `failure`: no request of an operation may get a status of 500 or
   * more. Use it if no test provokes a failure.
   *
   * @default 'documented'
   */
  readonly serverErrors?: ServerErrors;
}

/** A judge by this contract. The default is the project's openapi.yaml. */
export function createJudge(contract: Contract = readContract(), options: JudgeOptions = {}): Judge {
  const { rules = 'reference', serverErrors = 'documented' } = options;
  return {
    operations: contract.operations,
    response: responseJudge(contract, { rules, serverErrors }),
    request: requestJudge(contract, rules),
  };
}
