import type { Contract } from './document.ts';
import type { operations } from './generated/openapi.ts';

type Responses = operations[keyof operations]['responses'];
type CodesOf<R> = R extends unknown
  ? {
      [S in keyof R]: R[S] extends { content: { 'application/json': { error: { code: infer C } } } } ? C : never;
    }[keyof R]
  : never;

/** Every error code of the contract: those of its operations, and those that stand beside them. */
export type ErrorCode = CodesOf<Responses> | 'method_not_allowed' | 'request_timeout' | 'headers_too_large';

/**
 * A refusal that the contract names. Rules and stores throw it by code; the door in `http` makes the answer.
 * Without a detail the contract's own example speaks. A detail never repeats what the client sent.
 */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ErrorCode;
  /** What to say instead of the contract's example. */
  readonly detail: string | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, detail?: string, headers: Record<string, string> = {}) {
    super(detail ?? code);
    this.code = code;
    this.detail = detail;
    this.headers = headers;
  }
}

export interface ErrorMeaning {
  status: number;
  message: string;
}

/** Which status belongs to each code, and what it says by default: read from the contract's named examples. */
export function errorMeanings(contract: Contract): Map<ErrorCode, ErrorMeaning> {
  const meanings = new Map<ErrorCode, ErrorMeaning>();
  const responses = [contract.besideOperations, ...contract.operations.map((operation) => operation.responses)];
  for (const [status, response] of responses.flatMap((byStatus) => Object.entries(byStatus))) {
    for (const example of Object.values(response.content?.['application/json']?.examples ?? {})) {
      const { error } = example.value as { error?: { code: ErrorCode; message: string } };
      if (!error) continue;
      const known = meanings.get(error.code);
      if (known && known.status !== Number(status)) throw new Error(`openapi.yaml gives ${error.code} two statuses.`);
      if (!known) meanings.set(error.code, { status: Number(status), message: error.message });
    }
  }
  return meanings;
}
