import type Joi from 'joi';
import { connectionFaults } from './faults.ts';

/** The form of a code of an error. */
const codeForm = /^[a-z][a-z0-9_]{0,49}$/;

/**
 * What a fault may be: it has an effect, and a response with an error has no faulty connection.
 *
 * @param joi the library, which only bodies load
 * @param operations the names of the operations that a fault can hit
 */
export function faultForm(joi: Joi.Root, operations: readonly string[]): Joi.ObjectSchema {
  const whole = (min: number, max: number) => joi.number().integer().min(min).max(max);
  return joi
    .object({
      times: whole(1, 1000),
      operation: joi.valid(...operations),
      delayMs: whole(0, 60_000),
      status: whole(400, 599),
      // Not Joi's `pattern`, which refuses an expression from another realm, as in Jest.
      code: joi
        .string()
        .custom((given: string, helpers) =>
          codeForm.test(given)
            ? given
            : helpers.message({ custom: '{{#label}} must be lower case letters, digits and underscores' }),
        ),
      retryAfter: whole(0, 86_400),
      connection: joi.valid(...connectionFaults),
    })
    .or('delayMs', 'status', 'code', 'retryAfter', 'connection')
    .oxor('connection', 'status')
    .oxor('connection', 'code')
    .oxor('connection', 'retryAfter');
}
