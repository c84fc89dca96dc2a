/**
 * The judge of requests and answers: one reading of openapi.yaml for tests, provider verification and the conformance
 * suite, so that none of them is laxer than another.
 */
import { type Answer, answerJudge, type Finding } from './answer.ts';
import type { Asked } from './asked.ts';
import { codesOf, readContract } from './contract.ts';
import { type RequestFinding, type RequestToJudge, requestJudge } from './request.ts';
import type { Profile } from './schema.ts';

export type { Answer, AnswerHeaders, Finding } from './answer.ts';
export type { Asked } from './asked.ts';
export type { RequestFinding, RequestToJudge } from './request.ts';
export type { Profile } from './schema.ts';

/** An operation as a test plan needs it. */
export interface JudgedOperation {
  readonly operationId: string;
  /** The operation that this one is at another path: it answers alike. */
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
  /** What in the answer breaks the contract. Empty: it fits. */
  answer(answer: Asked & Answer): Finding[];
  /**
   * What in the request breaks the contract's rules for requests, with the error code of each, in the order of the
   * service's checks. Empty: the service must take it (the product may still not exist).
   */
  request(request: RequestToJudge): RequestFinding[];
}

export interface JudgeOptions {
  /** @default 'reference' */
  readonly profile?: Profile;
}

/** A judge by the contract at this place, or by the one that this package brings. */
export function createJudge(contractPath?: string | URL, { profile = 'reference' }: JudgeOptions = {}): Judge {
  const contract = readContract(contractPath);
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
