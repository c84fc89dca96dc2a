import Joi from 'joi';
import type { Parameter } from './document.ts';
import { ContractError } from './errors.ts';

const wholeNumber = /^-?[0-9]+$/;

/**
 * Validation of an operation's query, made from its parameters: whole numbers are moved into their `x-clamp`, absent
 * ones take their default, unknown ones are ignored.
 *
 * @param refusesRepeated whether a known parameter given twice is refused, or counts as empty
 * @returns a function that gives the parameters by name.
 */
export function queryValidation(
  parameters: Parameter[],
  refusesRepeated: boolean,
): (query: URLSearchParams) => Record<string, unknown> {
  const known = parameters.filter((parameter) => parameter.in === 'query');
  const schema = Joi.object(Object.fromEntries(known.map((parameter) => [parameter.name, parameterSchema(parameter)])));
  return (query) => {
    const given = known.flatMap(({ name }) => {
      const value = singleValue(query, name, refusesRepeated);
      return value === undefined ? [] : [[name, value]];
    });
    const { value, error } = schema.validate(Object.fromEntries(given), { errors: { render: false } });
    if (error) {
      const [detail] = error.details;
      throw new ContractError(
        'invalid_request',
        `${detail?.path.join('.')} ${detail?.context?.demand ?? 'is not valid'}.`,
      );
    }
    return value;
  };
}

function singleValue(query: URLSearchParams, name: string, refusesRepeated: boolean): string | undefined {
  const [value, second] = query.getAll(name);
  if (second === undefined) return value;
  if (refusesRepeated) throw new ContractError('invalid_request', `${name} must be given only once.`);
  return '';
}

function parameterSchema({ schema }: Parameter): Joi.Schema {
  // Not `allow('')`: what is allowed by value passes without the rules that follow.
  const text = Joi.string().min(0);
  if (schema.type === 'integer') {
    const clamp = schema['x-clamp'];
    if (!clamp || typeof schema.default !== 'number') {
      throw new Error('A whole number in a query of the contract has no x-clamp or no default.');
    }
    return text
      .custom((given: string, helpers) => {
        if (!wholeNumber.test(given)) return helpers.error('any.invalid', { demand: 'must be a whole number' });
        return Math.min(Math.max(Number(given), clamp.minimum), clamp.maximum) + 0;
      })
      .default(schema.default);
  }
  if (schema.type !== 'string') throw new Error(`A query of the contract uses the type ${schema.type}.`);
  return text.custom((given: string, helpers) => {
    if (!schema.enum || schema.enum.includes(given)) return given;
    return helpers.error('any.invalid', { demand: `must be one of: ${schema.enum.join(', ')}` });
  });
}
