/** The faults that the sandbox, the SDK's fake service and `verify client` inject. */
import type { ErrorCode } from './errors.ts';

/** How a connection fails: before the request is handled, after it, or in the middle of the response's body. */
export const connectionFaults = ['reset', 'lose_response', 'truncate'] as const;

/** What happens to requests of a tenant. Give an error, or a fault of the connection, or only a delay. */
export interface Fault<Operation extends string = string> {
  /** The number of requests. Default: 1. */
  times?: number | undefined;
  /** Hits only requests of this operation, such as `createProduct`. Default: every request of the tenant. */
  operation?: Operation | undefined;
  /** Waits before the request is handled, in milliseconds. The sandbox allows at most 60,000. */
  delayMs?: number | undefined;
  /** Responds with this status, 400 to 599, and does not handle the request. Default: the status of `code`. */
  status?: number | undefined;
  /** The error code in the body. Default: the contract's code for the status, or `sandbox_fault`. */
  code?: string | undefined;
  /** The header `Retry-After`, in seconds. Default: 1 for 429 and 503, otherwise no header. Alone it means 429. */
  retryAfter?: number | undefined;
  /**
   * Breaks the connection: `reset` before the request is handled, `lose_response` after it, and `truncate` in the middle
   * of the response's body. A `fetch`, or the reading of the body, rejects with a `TypeError`.
   */
  connection?: (typeof connectionFaults)[number] | undefined;
}

/** The response of a fault that is an error. */
export interface InjectedError {
  status: number;
  code: string;
  /** The code, if the contract has it for this status. */
  contractCode: ErrorCode | undefined;
  /** The message, if the contract has none for the code. That of `invalid_request` is about one request. */
  message: string | undefined;
  headers: Record<string, string>;
}

/**
 * Completes the error of a fault: status and code follow from each other. `undefined` if the fault is not an error.
 *
 * @param meanings the status of each code of the contract
 */
export function injectedError(
  { status: given, code: name, retryAfter }: Fault,
  meanings: ReadonlyMap<string, { readonly status: number }>,
): InjectedError | undefined {
  if (given === undefined && name === undefined && retryAfter === undefined) return undefined;
  const status = given ?? meanings.get(name ?? '')?.status ?? (name === undefined ? 429 : 400);
  const code = name ?? usualCode(status, meanings) ?? 'sandbox_fault';
  const seconds = retryAfter ?? (status === 429 || status === 503 ? 1 : undefined);
  const isInContract = meanings.get(code)?.status === status;
  return {
    status,
    code,
    contractCode: isInContract ? (code as ErrorCode) : undefined,
    message: isInContract && code !== 'invalid_request' ? undefined : 'The sandbox injected this error.',
    headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
  };
}

/** The contract's code for a status. Of several it is the most general one. */
export function usualCode<Code extends string>(
  status: number,
  meanings: ReadonlyMap<Code, { readonly status: number }>,
): Code | undefined {
  const codes = [...meanings].filter(([, meaning]) => meaning.status === status).map(([code]) => code);
  return codes.find((code) => code === 'invalid_request') ?? codes[0];
}

/** The faults that wait for requests of a tenant. */
export class PendingFaults {
  #faults: (Fault & { times: number })[] = [];

  /** How many requests the waiting faults will hit. */
  get requests(): number {
    return this.#faults.reduce((sum, { times }) => sum + times, 0);
  }

  add(faults: readonly Fault[]): void {
    this.#faults.push(...faults.map((fault) => ({ ...fault, times: fault.times ?? 1 })));
  }

  clear(): void {
    this.#faults = [];
  }

  /** Takes the fault for a request: the first one that has no operation, or this one. */
  take(operation: string | undefined): Fault | undefined {
    const fault = this.#faults.find((one) => one.operation === undefined || one.operation === operation);
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times === 0) this.#faults = this.#faults.filter((one) => one !== fault);
    return fault;
  }
}
