import type { IncomingHttpHeaders } from 'node:http';
import { type ErrorCode, errorMeanings } from '@product-passport/openapi';
import Joi from 'joi';
import type { Contract, OperationId } from '../contract/document.ts';
import { ControlError, checked, textOf, wholeNumber } from './input.ts';

/** How a connection fails: before the request is handled, after it, or in the middle of the response's body. */
const connectionFaults = ['reset', 'lose_response', 'truncate'] as const;
export type ConnectionFault = (typeof connectionFaults)[number];

/** The longest delay, in milliseconds. */
const longestDelay = 60_000;

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
  /** Reads the headers of a request: the same ones as the static mock has. */
  headers(headers: IncomingHttpHeaders): Fault | undefined;
}

const effects = {
  delay_ms: wholeNumber(0, longestDelay),
  status: wholeNumber(400, 599),
  code: textOf(/^[a-z][a-z0-9_]{0,49}$/, 'lower case letters, digits and underscores'),
  retry_after: wholeNumber(0, 86_400),
  connection: Joi.valid(...connectionFaults),
};

/** A fault has an effect, and a response with an error has no faulty connection. */
function withRules<Input>(schema: Joi.ObjectSchema<Input>): Joi.ObjectSchema<Input> {
  return schema
    .or('delay_ms', 'status', 'code', 'retry_after', 'connection')
    .oxor('connection', 'status')
    .oxor('connection', 'code')
    .oxor('connection', 'retry_after');
}

/** The headers with which a client asks for a fault of this one request. */
const delayHeader = 'x-mock-delay-ms';
const faultHeader = 'x-mock-fault';

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

  /** A fault of the connection, or an error by its code. */
  function effectOf(name: string | string[] | undefined): FaultInput {
    if (name === undefined) return {};
    const connection = connectionFaults.find((one) => one === name);
    if (connection !== undefined) return { connection };
    const code = [...meanings.keys()].find((one) => one === name);
    if (code !== undefined) return { code };
    const names = [...connectionFaults, ...meanings.keys()].join(', ');
    throw new ControlError(400, 'invalid_request', `X-Mock-Fault must be one of: ${names}.`);
  }

  return {
    pending(body) {
      return checked(list, body).faults.map(({ times, operation, ...input }) => ({
        ...completed(input),
        times,
        ...(operation === undefined ? {} : { operation }),
      }));
    },
    headers({ [delayHeader]: delay, [faultHeader]: name }) {
      if (delay === undefined && name === undefined) return undefined;
      return completed({ ...delayOf(delay), ...effectOf(name) });
    },
  };
}

function delayOf(text: string | string[] | undefined): FaultInput {
  if (text === undefined) return {};
  const delay_ms = Number(text);
  if (/^[0-9]+$/.test(String(text)) && delay_ms <= longestDelay) return { delay_ms };
  const range = `from 0 to ${longestDelay}`;
  throw new ControlError(400, 'invalid_request', `X-Mock-Delay-Ms must be a whole number of milliseconds ${range}.`);
}
