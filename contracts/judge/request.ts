/** Checks a request against the contract's rules for requests, and names the error code of each violation. */
import { type Contract, codesOf, member, type Operation, type Parameter } from '@product-passport/openapi';
import type { ErrorObject } from 'ajv/dist/2020.js';
import { shown } from './finding.ts';
import { operationOf } from './response.ts';
import { describeError, type Rules, violationsBy } from './schema.ts';

/** A request before it is encoded: parameters are plain text. */
export interface RequestToJudge {
  readonly operationId: string;
  /** An array stands for a parameter that is given more than once. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** The parsed JSON. `undefined` is an empty body. */
  readonly body?: unknown;
}

/** A violation of the contract by a request. */
export interface RequestFinding {
  /** `query limit`, `path slug`, or a JSON pointer into the body, as in `body/name`. */
  readonly where: string;
  readonly what: string;
  /** The error code of the response. It is undefined if the rules `description` leave the code open. */
  readonly code: string | undefined;
}

type Fault = Pick<RequestFinding, 'where' | 'what'>;

interface Violation extends Fault {
  readonly code: string;
  /** Whether the body itself is wrong. The service then checks nothing inside it. */
  readonly whole?: boolean;
}

/** The value of a parameter's text: a number if the schema is an integer. */
function parameterValue({ schema }: Parameter, text: string): unknown {
  return schema.type === 'integer' && /^-?[0-9]+$/.test(text) ? Number(text) : text;
}

/**
 * The findings have the order of the service's checks, so the first one's code is the code of the response. A violation
 * is left out if its code is not documented for the operation, because then the service accepts the request. By the
 * rules `description` an undocumented field in a body is a violation, because a provider may refuse it.
 */
export function requestJudge(contract: Contract, rules: Rules): (request: RequestToJudge) => RequestFinding[] {
  const violations = violationsBy({ rules, objects: rules === 'reference' ? 'open' : 'closed' });

  return ({ operationId, query = {}, pathParameters = {}, body }) => {
    const operation = operationOf(contract, operationId);
    const order = ['400', '404'].flatMap((status) => codesOf(operation.responses[status]));
    const rank = ({ code, whole }: Violation) => (whole === true ? -1 : order.indexOf(code));
    return [
      ...operation.parameters.flatMap((parameter) =>
        parameterViolations(operation, parameter, parameter.in === 'path' ? pathParameters : query),
      ),
      ...bodyViolations(operation, body),
    ]
      .filter(({ code }) => order.includes(code))
      .sort((one, other) => rank(one) - rank(other))
      .map(({ where, what, code }) => ({ where, what, code: isOpen(code) ? undefined : code }));
  };

  function isOpen(code: string): boolean {
    return rules === 'description' && !contract.describedCodes.includes(code);
  }

  function parameterViolations(
    { side }: Operation,
    parameter: Parameter,
    given: NonNullable<RequestToJudge['query']>,
  ): Violation[] {
    const where = `${parameter.in} ${parameter.name}`;
    const invalid = (what: string): Violation[] => [{ where, what, code: 'invalid_request' }];
    const [text, second] = [given[parameter.name] ?? []].flat();
    if (text === undefined) return parameter.required === true ? invalid('is missing') : [];
    if (second !== undefined)
      return (parameter['x-given-once'] ?? side.secured) ? invalid('is given more than once') : [];
    return violations(parameter.schema, parameterValue(parameter, text)).map((error) => ({
      where,
      what: describeError(error).what,
      code: codeOf(error),
    }));
  }

  function bodyViolations(operation: Operation, body: unknown): Violation[] {
    const schema = operation.body?.schema;
    if (schema === undefined) return [];
    if (body === undefined) return [{ where: 'body', what: 'is missing', code: 'invalid_json', whole: true }];
    // A copy, because the check trims the strings that the contract marks with x-trim.
    const found = violations(schema, structuredClone(body)).map((error): Violation => {
      const { where, what } = describeError(error);
      const whole = error.instancePath === '' && error.keyword !== 'required';
      return { where: `body${where}`, what, code: codeOf(error), whole };
    });
    const forbidden = rules === 'reference' ? forbiddenParts(body, 'body') : [];
    return [...found, ...forbidden.map((finding) => ({ ...finding, code: 'invalid_request' }))];
  }
}

/** The code for this violation in the field's `x-error-codes`. */
function codeOf({ keyword, params, parentSchema, data }: ErrorObject): string {
  const listed = (schema: unknown, ...violations: string[]): string => {
    const codes = member(schema, 'x-error-codes');
    return String(violations.map((violation) => member(codes, violation)).find(Boolean) ?? 'invalid_request');
  };
  switch (keyword) {
    case 'required':
      return listed(member(parentSchema?.properties, params.missingProperty), 'absent');
    case 'type':
      return data === null ? listed(parentSchema, 'null', 'type') : listed(parentSchema, 'type');
    case 'enum':
      return listed(parentSchema, 'x-extensible-enum', 'enum');
    default:
      return listed(parentSchema, keyword);
  }
}

/** The parts that the service refuses anywhere in a body: a member `__proto__`, U+0000, a lone surrogate. */
function forbiddenParts(value: unknown, where: string): Fault[] {
  if (typeof value === 'string') return textFaults(value).map((what) => ({ where, what }));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => {
    const here = `${where}/${name}`;
    const faults = name === '__proto__' ? ['is a forbidden name'] : textFaults(name);
    return [...faults.map((what) => ({ where: here, what })), ...forbiddenParts(part, here)];
  });
}

function textFaults(text: string): string[] {
  if (text.includes('\0')) return [`has U+0000: ${shown(text)}`];
  return text.isWellFormed() ? [] : [`has a lone surrogate: ${shown(text)}`];
}
