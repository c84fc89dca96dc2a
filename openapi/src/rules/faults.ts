/** The faults that a sandbox, and the SDK's fake service, inject. */
import type { ErrorCode } from './errors.ts';

/** How a connection fails: before the request is handled, after it, or in the middle of the response's body. */
export const connectionFaults = ['reset', 'lose_response', 'truncate'] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

/** What happens to a request instead of its ordinary response, or before it. */
export interface Fault {
  delay_ms?: number;
  error?: ErrorFault;
  connection?: ConnectionFault;
}

export interface ErrorFault {
  status: number;
  code: string;
  /** The code, if the contract has it for this status. */
  contractCode: ErrorCode | undefined;
  headers: Record<string, string>;
}

/** A fault that waits for requests of a tenant. */
export interface PendingFault extends Fault {
  /** The number of requests that it still has to hit. */
  times: number;
  /** The only operation that it hits. */
  operation?: string;
}

/** A fault as a tester gives it. */
export interface FaultInput {
  delay_ms?: number | undefined;
  status?: number | undefined;
  code?: string | undefined;
  retry_after?: number | undefined;
  connection?: ConnectionFault | undefined;
}

/**
 * Completes a fault: status and code follow from each other.
 *
 * @param meanings the status of each code of the contract
 */
export function completedFault(
  { delay_ms, connection, ...input }: FaultInput,
  meanings: ReadonlyMap<string, { readonly status: number }>,
): Fault {
  const error = errorOf(input, meanings);
  return {
    ...(delay_ms === undefined ? {} : { delay_ms }),
    ...(error === undefined ? {} : { error }),
    ...(connection === undefined ? {} : { connection }),
  };
}

function errorOf(
  { status: wanted, code: name, retry_after }: FaultInput,
  meanings: ReadonlyMap<string, { readonly status: number }>,
): ErrorFault | undefined {
  if (wanted === undefined && name === undefined && retry_after === undefined) return undefined;
  const status = wanted ?? meanings.get(name ?? '')?.status ?? (name === undefined ? 429 : 400);
  const code = name ?? usualCode(status, meanings) ?? 'sandbox_fault';
  const seconds = retry_after ?? (status === 429 || status === 503 ? 1 : undefined);
  return {
    status,
    code,
    contractCode: meanings.get(code)?.status === status ? (code as ErrorCode) : undefined,
    headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
  };
}

/** The contract's code for a status. Of several it is the most general one. */
function usualCode(status: number, meanings: ReadonlyMap<string, { readonly status: number }>): string | undefined {
  const codes = [...meanings].filter(([, meaning]) => meaning.status === status).map(([code]) => code);
  return codes.find((code) => code === 'invalid_request') ?? codes[0];
}

/** The faults that wait for requests of a tenant. */
export class PendingFaults {
  #faults: PendingFault[] = [];

  /** How many requests the waiting faults will hit. */
  get requests(): number {
    return this.#faults.reduce((sum, { times }) => sum + times, 0);
  }

  add(faults: readonly PendingFault[]): void {
    this.#faults.push(...faults);
  }

  clear(): void {
    this.#faults = [];
  }

  /** Takes the fault for a request: the first one that has no operation, or this one. */
  take(operation: string | undefined): PendingFault | undefined {
    const fault = this.#faults.find((one) => one.operation === undefined || one.operation === operation);
    if (!fault) return undefined;
    fault.times -= 1;
    if (fault.times === 0) this.#faults = this.#faults.filter((one) => one !== fault);
    return fault;
  }
}
