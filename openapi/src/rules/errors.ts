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

/** The code and the text of an error, wherever its body has them. */
export function errorIn(body: unknown): { code: ErrorCode; message: string } | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const { code, message, text = message } = body as Readonly<Record<string, unknown>>;
  if (typeof code === 'string' && typeof text === 'string') return { code: code as ErrorCode, message: text };
  return Object.values(body)
    .map(errorIn)
    .find((found) => found !== undefined);
}

/** A body of the same form with this code and text. */
export function errorBodyOf(form: object, code: string, message: string): object {
  const values = new Map([
    ['code', code],
    ['message', message],
    ['text', message],
  ]);
  return JSON.parse(JSON.stringify(form), (name, value) =>
    typeof value === 'string' ? (values.get(name) ?? value) : value,
  );
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
      const error = status >= 400 && errorIn(example.value);
      if (!error) continue;
      const { code, message } = error;
      const known = meanings.get(code) ?? { status, message, ofOperations: new Map() };
      if (hasOwnMessage(status) && message !== known.message) known.ofOperations.set(operationId, message);
      meanings.set(code, known);
    }
  }
  return meanings;
}
