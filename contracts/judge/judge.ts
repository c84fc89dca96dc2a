/**
 * Checks requests and their answers against openapi.yaml. Tests, provider verification and the conformance suite share
 * this judge, so that all of them are equally strict.
 */
import { type Contract, codesOf, readContract } from '@product-passport/openapi';
import { type Answer, answerJudge, type Finding } from './answer.ts';
import type { RequestLine } from './possible-responses.ts';
import { type RequestFinding, type RequestToJudge, requestJudge } from './request.ts';
import type { Profile } from './schema.ts';

export type { Answer, AnswerHeaders, Finding } from './answer.ts';
export type { RequestLine } from './possible-responses.ts';
export type { RequestFinding, RequestToJudge } from './request.ts';
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
  /** The violations of an answer. The list is empty if the answer keeps the contract. */
  answer(answer: RequestLine & Answer): Finding[];
  /**
   * The violations of a request, in the order of the service's checks, each with its error code. If the list is empty,
   * the service must accept the request (its product may still not exist).
   */
  request(request: RequestToJudge): RequestFinding[];
}

export interface JudgeOptions {
  /** @default 'reference' */
  readonly profile?: Profile;
}

/** A judge by this contract, or by the contract in this file. The default is the project's openapi.yaml. */
export function createJudge(source?: Contract | string | URL, { profile = 'reference' }: JudgeOptions = {}): Judge {
  const contract =
    source === undefined || typeof source === 'string' || source instanceof URL ? readContract(source) : source;
  const judgeAnswer = answerJudge(contract, profile);
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
    answer: (answer) => judgeAnswer(answer, answer),
    request: requestJudge(contract, profile),
  };
}
