import Joi from 'joi';
import type { Contract, OperationId } from '../contract/document.ts';
import { type ErrorCode, errorMeanings } from '../contract/errors.ts';
import { checked, textOf, wholeNumber } from './input.ts';

/** How a connection fails: before the request is handled, after it, or in the middle of the response's body. */
export type ConnectionFault = 'reset' | 'lose_response' | 'truncate';

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
  operation?: OperationId;
}

/** A fault as a control request or a header has it. */
interface FaultInput {
  delay_ms?: number;
  status?: number;
  code?: string;
  retry_after?: number;
  connection?: ConnectionFault;
}

export interface FaultReader {
  /** Reads the body of a control request. */
  pending(body: unknown): PendingFault[];
  /** Reads the header of a request. */
  header(text: string): Fault;
}

const effects = {
  delay_ms: wholeNumber(0, 60_000),
  status: wholeNumber(400, 599),
  code: textOf(/^[a-z][a-z0-9_]{0,49}$/, 'lower case letters, digits and underscores'),
  retry_after: wholeNumber(0, 86_400),
  connection: Joi.valid('reset', 'lose_response', 'truncate'),
};

/** A fault has an effect, and a response with an error has no faulty connection. */
function withRules<Input>(schema: Joi.ObjectSchema<Input>): Joi.ObjectSchema<Input> {
  return schema
    .or('delay_ms', 'status', 'code', 'retry_after', 'connection')
    .oxor('connection', 'status')
    .oxor('connection', 'code')
    .oxor('connection', 'retry_after');
}

const ofHeader = withRules(Joi.object<FaultInput>(effects));

export function faultReader(contract: Contract): FaultReader {
  const meanings = errorMeanings(contract);
  const operation = Joi.valid(...contract.operations.map(({ operationId }) => operationId));
  const times = wholeNumber(1, 1000).default(1);
  const fault = withRules(
    Joi.object<FaultInput & Pick<PendingFault, 'times' | 'operation'>>({ ...effects, times, operation }),
  );
  const list = Joi.object<{ faults: (FaultInput & Pick<PendingFault, 'times' | 'operation'>)[] }>({
    faults: Joi.array().items(fault).min(1).max(1000).required(),
  });

  /** The contract's code for a status. Of several it is the most general one. */
  function usualCode(status: number): ErrorCode | undefined {
    const codes = [...meanings].filter(([, meaning]) => meaning.status === status).map(([code]) => code);
    return codes.find((code) => code === 'invalid_request') ?? codes[0];
  }

  /** Completes status and code from each other. */
  function errorOf({ status: wanted, code: name, retry_after }: FaultInput): ErrorFault | undefined {
    if (wanted === undefined && name === undefined && retry_after === undefined) return undefined;
    const status = wanted ?? meanings.get(name as ErrorCode)?.status ?? (name === undefined ? 429 : 400);
    const code = name ?? usualCode(status) ?? 'sandbox_fault';
    const isDocumented = meanings.get(code as ErrorCode)?.status === status;
    const seconds = retry_after ?? (status === 429 || status === 503 ? 1 : undefined);
    return {
      status,
      code,
      contractCode: isDocumented ? (code as ErrorCode) : undefined,
      headers: seconds === undefined ? {} : { 'retry-after': String(seconds) },
    };
  }

  function completed({ delay_ms, connection, ...input }: FaultInput): Fault {
    const error = errorOf(input);
    return {
      ...(delay_ms === undefined ? {} : { delay_ms }),
      ...(error === undefined ? {} : { error }),
      ...(connection === undefined ? {} : { connection }),
    };
  }

  return {
    pending(body) {
      return checked(list, body).faults.map(({ times, operation, ...input }) => ({
        ...completed(input),
        times,
        ...(operation === undefined ? {} : { operation }),
      }));
    },
    header(text) {
      return completed(checked(ofHeader, jsonOf(text), 'X-Sandbox-Fault: '));
    },
  };
}

/** Text that is not JSON stays text, which the check refuses. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
