import { limitsOf, type Parameter } from '@product-passport/openapi';
import { ContractError, type ErrorCode } from './errors.ts';

/**
 * Validates the path values of an operation. The contract names the error code of a parameter's pattern beside it:
 * `not_found` for a slug, `invalid_gtin` for a GTIN. The message of `invalid_request` describes the expected form.
 */
export function pathValidation(parameters: readonly Parameter[]): (values: Record<string, string>) => void {
  const rules = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => ({
      name,
      expression: new RegExp(schema.pattern ?? '', 'u'),
      maxLength: schema.maxLength ?? Number.POSITIVE_INFINITY,
      code: (schema['x-error-codes']?.pattern ?? 'not_found') as ErrorCode,
      form: formOf(name, schema),
    }));
  return (values) => {
    for (const { name, expression, maxLength, code, form } of rules) {
      const value = values[name] ?? '';
      if (value.length > maxLength || !expression.test(value))
        throw new ContractError(code, code === 'invalid_request' ? form : undefined);
    }
  };
}

/** `batch: at most 20 characters. Characters from …`: the length is in the keywords, the rest in the description. */
function formOf(name: string, schema: Parameter['schema']): string {
  const length = limitsOf(schema).find(({ keyword }) => keyword === 'maxLength');
  return `${name}: ${length === undefined ? '' : `${length.text}. `}${schema.description}`;
}
