import type { Response, Schemas } from './contract.ts';

/** Every error code of the contract: of its operations, and of the server. */
export type ErrorCode = Schemas['Error']['error']['code'];

/**
 * An error that the contract documents. Rules and stores throw it by code.
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

/** How an error is written: as JSON, as a page, or as the one of them that the client prefers. */
export type ErrorForm = 'json' | 'page' | 'preferred';

/** One violation of the contract by a request. */
export interface Violation {
  code: ErrorCode;
  /** The place and the rule. */
  message: string;
  /** Whether it concerns the body itself, and not one of its parts. */
  isWhole: boolean;
}

/** A place in a body. */
export type Path = readonly (string | number)[];

/** Names a place, as in `[3].unit`, with names from the contract and numbers from 0. It never repeats the input. */
export function place(path: Path): string {
  if (path.length === 0) return 'The body';
  return path.map((step, index) => (typeof step === 'number' ? `[${step}]` : index > 0 ? `.${step}` : step)).join('');
}

export interface ErrorMeaning {
  status: number;
  message: string;
  /** The messages of the operations that document another one for what is not there, or for a failure of the service. */
  ofOperations: Map<string, string>;
}

interface Responses {
  readonly responses: Readonly<Record<string, Response>>;
}

/** Whether an operation's example is its message. That of another status says what was wrong with one request. */
const hasOwnMessage = (status: number): boolean => status === 404 || status >= 500;

/** The status and the default message of each code, from the contract's named examples. */
export function errorMeanings(contract: {
  readonly operations: readonly (Responses & { readonly operationId: string })[];
  readonly outsideOperations: Responses['responses'];
}): Map<ErrorCode, ErrorMeaning> {
  const meanings = new Map<ErrorCode, ErrorMeaning>();
  const sources = [{ operationId: '', responses: contract.outsideOperations }, ...contract.operations];
  const documented = sources.flatMap(({ operationId, responses }) =>
    Object.entries(responses).map(([status, response]) => ({ operationId, status: Number(status), response })),
  );
  for (const { operationId, status, response } of documented) {
    for (const example of Object.values(response.content?.['application/json']?.examples ?? {})) {
      const { error } = example.value as { error?: { code: ErrorCode; message: string } };
      if (!error) continue;
      const { code, message } = error;
      const known = meanings.get(code) ?? { status, message, ofOperations: new Map() };
      if (hasOwnMessage(status) && message !== known.message) known.ofOperations.set(operationId, message);
      meanings.set(code, known);
    }
  }
  return meanings;
}
