import type { IncomingHttpHeaders } from 'node:http';
import {
  completedFault,
  connectionFaults,
  errorMeanings,
  type Fault,
  type FaultInput,
  type PendingFault,
} from '@product-passport/openapi';
import Joi from 'joi';
import type { Contract } from '../contract/document.ts';
import { ControlError, checked, textOf, wholeNumber } from './input.ts';

export interface FaultReader {
  /** Reads the body of a control request. */
  pending(body: unknown): PendingFault[];
  /** Reads the headers of a request: the same ones as the static mock has. */
  headers(headers: IncomingHttpHeaders): Fault | undefined;
}

/** The longest delay, in milliseconds. */
const longestDelay = 60_000;

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
        ...completedFault(input, meanings),
        times,
        ...(operation === undefined ? {} : { operation }),
      }));
    },
    headers({ [delayHeader]: delay, [faultHeader]: name }) {
      if (delay === undefined && name === undefined) return undefined;
      return completedFault({ ...delayOf(delay), ...effectOf(name) }, meanings);
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
