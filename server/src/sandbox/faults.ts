import { connectionFaults, type Fault } from '@product-passport/openapi';
import Joi from 'joi';
import type { Contract } from '../contract/document.ts';
import { textOf, wholeNumber } from './input.ts';

/** A fault in the body of a control request, with the names of JSON. */
interface SentFault extends Omit<Fault, 'delayMs' | 'retryAfter'> {
  delay_ms?: number;
  retry_after?: number;
}

/** The faults in the body of a control request. */
export function faultsForm({ operations }: Contract): Joi.ObjectSchema<{ faults: SentFault[] }> {
  // A fault has an effect, and a response with an error has no faulty connection.
  const fault = Joi.object<SentFault>({
    times: wholeNumber(1, 1000),
    operation: Joi.valid(...operations.map(({ operationId }) => operationId)),
    delay_ms: wholeNumber(0, 60_000),
    status: wholeNumber(400, 599),
    code: textOf(/^[a-z][a-z0-9_]{0,49}$/, 'lower case letters, digits and underscores'),
    retry_after: wholeNumber(0, 86_400),
    connection: Joi.valid(...connectionFaults),
  })
    .or('delay_ms', 'status', 'code', 'retry_after', 'connection')
    .oxor('connection', 'status')
    .oxor('connection', 'code')
    .oxor('connection', 'retry_after');
  return Joi.object({ faults: Joi.array().items(fault).min(1).max(1000).required() });
}

export function faultOf({ delay_ms, retry_after, ...rest }: SentFault): Fault {
  return { ...rest, delayMs: delay_ms, retryAfter: retry_after };
}
