import type { Parameter } from '@product-passport/openapi';
import Joi from 'joi';
import { ContractError } from './errors.ts';

const wholeNumber = /^-?[0-9]+$/;

/**
 * Validates the query of an operation by its parameters. Whole numbers are moved into their `x-clamp`, absent
 * parameters take their default, and unknown parameters are ignored.
 *
 * @param refusesRepeated whether a known parameter that is given twice is an error. If not, it counts as empty.
 * @returns a function that returns the parameters by name.
 */
export function queryValidation(
  parameters: readonly Parameter[],
  refusesRepeated: boolean,
): (query: { parts: readonly unknown[]; values: URLSearchParams }) => Record<string, unknown> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  if (known.length === 0) return () => ({});
  const schema = Joi.object(Object.fromEntries(known.map((parameter) => [parameter.name, parameterSchema(parameter)])));
  const defaults: Record<string, unknown> = Joi.attempt({}, schema);
  return (query) => {
    // Most requests have no query.
    if (query.parts.length === 0) return { ...defaults };
    const given = known.flatMap(({ name }) => {
      const [value, second] = query.values.getAll(name);
      if (second === undefined) return value === undefined ? [] : [[name, value]];
      if (refusesRepeated) throw new ContractError('invalid_request', `${name} must be given only once.`);
      return [[name, '']];
    });
    const { value, error } = schema.validate(Object.fromEntries(given), { errors: { render: false } });
    if (error) throw refusal(error);
    return value;
  };
}

function refusal({ details: [detail] }: Joi.ValidationError): ContractError {
  const demand = detail?.context?.demand ?? 'is not valid';
  return new ContractError('invalid_request', `${detail?.path.join('.')} ${demand}.`);
}

function parameterSchema({ schema }: Parameter): Joi.Schema {
  // Not `allow('')`: Joi skips the other rules for a value that it allows.
  const text = Joi.string().min(0);
  if (schema.type === 'integer') {
    const clamp = schema['x-clamp'];
    if (!clamp || typeof schema.default !== 'number') {
      throw new Error('openapi.yaml: a query parameter of type integer needs an x-clamp and a default.');
    }
    return text
      .custom((given: string, helpers) => {
        if (!wholeNumber.test(given)) return helpers.error('any.invalid', { demand: 'must be a whole number' });
        return Math.min(Math.max(Number(given), clamp.minimum), clamp.maximum) + 0;
      })
      .default(schema.default);
  }
  if (schema.type !== 'string')
    throw new Error(`openapi.yaml: a query parameter has the type ${schema.type}, which validation does not support.`);
  return text.custom((given: string, helpers) => {
    if (!schema.enum || schema.enum.includes(given)) return given;
    return helpers.error('any.invalid', { demand: `must be one of: ${schema.enum.join(', ')}` });
  });
}
