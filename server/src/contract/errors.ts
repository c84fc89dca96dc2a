import type { Contract } from './document.ts';
import type { operations, ServerErrorCode } from './generated/openapi.ts';

type Responses = operations[keyof operations]['responses'];
type CodesOf<R> = R extends unknown
  ? {
      [S in keyof R]: R[S] extends { content: { 'application/json': { error: { code: infer C } } } } ? C : never;
    }[keyof R]
  : never;

/** Every error code of the contract: of its operations, and of the server. */
export type ErrorCode = CodesOf<Responses> | ServerErrorCode;

/**
 * An error that the contract documents. Rules and stores throw it by code, and `http` turns it into a response.
 * Its default message is the contract's example. A detail never repeats what the client sent.
 */
export class ContractError extends Error {
  override readonly name = 'ContractError';
  readonly code: ErrorCode;
  /** The message that replaces the contract's example. */
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

/** The status and the default message of each code, from the contract's named examples. */
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
