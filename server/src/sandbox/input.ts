import Joi from 'joi';

/**
 * Checks the body of a control request.
 *
 * @throws ControlError `invalid_request`
 */
export function checked<Input>(schema: Joi.ObjectSchema<Input>, body: unknown): Input {
  const { value, error } = schema
    .label('The body')
    .validate(body, { convert: false, errors: { wrap: { label: false } } });
  if (error) throw invalid(`${error.message}.`);
  return value;
}

/** A whole number in a range. */
export function wholeNumber(minimum: number, maximum: number): Joi.NumberSchema {
  return Joi.number().integer().min(minimum).max(maximum);
}

/** A text of a certain form. Not Joi's `pattern`, which refuses an expression from another realm, as in Jest. */
export function textOf(form: RegExp, demand: string): Joi.StringSchema {
  return Joi.string().custom((given: string, helpers) =>
    form.test(given) ? given : helpers.message({ custom: `{{#label}} must be ${demand}` }),
  );
}

/** An error of a control request. The body of its response has the form of every other error. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  readonly status: number;
  readonly code: string;
  readonly headers: Record<string, string>;

  constructor(status: number, code: string, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.headers = headers;
  }
}

export function invalid(message: string): ControlError {
  return new ControlError(400, 'invalid_request', message);
}

export function notFound(message: string): ControlError {
  return new ControlError(404, 'not_found', message);
}

export function conflict(message: string): ControlError {
  return new ControlError(409, 'conflict', message);
}
