import type { Parameter } from './document.ts';
import { ContractError, type ErrorCode } from './errors.ts';

/**
 * Validation of an operation's path values. What a value of the wrong form gives, `not_found` for a slug and
 * `invalid_gtin` for a GTIN, stands beside the parameter in the contract. `invalid_request` says which form is wanted.
 */
export function pathValidation(parameters: Parameter[]): (values: Record<string, string>) => void {
  const rules = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => ({
      name,
      expression: new RegExp(schema.pattern ?? '', 'u'),
      maxLength: schema.maxLength ?? Number.POSITIVE_INFINITY,
      code: (schema['x-error-codes']?.pattern ?? 'not_found') as ErrorCode,
      form: `${name}: ${schema.description}`,
    }));
  return (values) => {
    for (const { name, expression, maxLength, code, form } of rules) {
      const value = values[name] ?? '';
      if (value.length > maxLength || !expression.test(value))
        throw new ContractError(code, code === 'invalid_request' ? form : undefined);
    }
  };
}
