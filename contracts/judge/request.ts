/** Does a request keep the contract's request rules, and with which code is it refused where it does not? */
import type { ErrorObject } from 'ajv/dist/2020.js';
import type { Finding } from './answer.ts';
import { operationOf } from './asked.ts';
import { type Contract, codesOf, member, type Operation, type Parameter, type Schema } from './contract.ts';
import { compile, describeError, errorsOf, type Profile, readSchema, shown } from './schema.ts';

/** A request as its sender means it; a parameter is the text that is sent, decoded. */
export interface RequestToJudge {
  readonly operationId: string;
  /** An array is a parameter that is given more than once. */
  readonly query?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** The parsed JSON; `undefined` is no body. */
  readonly body?: unknown;
}

export interface RequestFinding extends Finding {
  /** The error code that this violation gives. */
  readonly code: string;
}

interface Violation extends RequestFinding {
  /** It spoils the body as a whole, so nothing inside is looked at. */
  readonly whole?: boolean;
}

/** The value that a text in an address stands for. */
function readText({ schema }: Parameter, text: string): unknown {
  return schema.type === 'integer' && /^-?[0-9]+$/.test(text) ? Number(text) : text;
}

/**
 * The findings stand in the order of the service's checks: the first one's code is the code of the answer. What no
 * code of the operation covers is not refused and no finding.
 */
export function requestJudge(contract: Contract, profile: Profile): (request: RequestToJudge) => RequestFinding[] {
  const checks = new WeakMap<Schema, ReturnType<typeof compile>>();

  return ({ operationId, query = {}, pathParameters = {}, body }) => {
    const operation = operationOf(contract, operationId);
    const order = ['400', '404'].flatMap((status) => {
      const response = operation.responses[status];
      return response === undefined ? [] : codesOf(response);
    });
    const rank = ({ code, whole }: Violation) => (whole === true ? -1 : order.indexOf(code));
    return [
      ...operation.parameters.flatMap((parameter) => parameterViolations(operation, parameter, query, pathParameters)),
      ...bodyViolations(operation, body),
    ]
      .filter(({ code }) => order.includes(code))
      .sort((one, other) => rank(one) - rank(other))
      .map(({ where, what, code }) => ({ where, what, code }));
  };

  function parameterViolations(
    { secured }: Operation,
    parameter: Parameter,
    query: NonNullable<RequestToJudge['query']>,
    pathParameters: NonNullable<RequestToJudge['pathParameters']>,
  ): Violation[] {
    const where = `${parameter.in} ${parameter.name}`;
    const values = [(parameter.in === 'path' ? pathParameters : query)[parameter.name] ?? []].flat();
    const invalid = (what: string): Violation[] => [{ where, what, code: 'invalid_request' }];
    const [text] = values;
    if (text === undefined) return parameter.required === true ? invalid('is missing') : [];
    if (values.length > 1) return secured ? invalid('is given more than once') : [];
    return violations(parameter.schema, readText(parameter, text)).map((error) => ({
      where,
      what: describeError(error).what,
      code: codeOf(error),
    }));
  }

  function bodyViolations(operation: Operation, body: unknown): Violation[] {
    const schema = operation.requestBody?.content['application/json']?.schema;
    if (schema === undefined) return [];
    if (body === undefined) return [{ where: 'body', what: 'is missing', code: 'invalid_json', whole: true }];
    // The check trims where the contract says x-trim, and must not do it in the caller's hands.
    const found = violations(schema, structuredClone(body)).map((error): Violation => {
      const { where, what } = describeError(error);
      const whole = error.instancePath === '' && error.keyword !== 'required';
      return { where: `body${where}`, what, code: codeOf(error), whole };
    });
    const forbidden = profile === 'reference' ? forbiddenParts(body, 'body') : [];
    return [...found, ...forbidden.map((finding) => ({ ...finding, code: 'invalid_request' }))];
  }

  function violations(schema: Schema, value: unknown): readonly ErrorObject[] {
    const check = checks.get(schema) ?? compile(readSchema(schema, { profile, objects: 'open' }));
    checks.set(schema, check);
    return errorsOf(check, value);
  }
}

/** What `x-error-codes`, beside the field that is violated, says of this violation. */
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

/** What is refused wherever it stands in a body: a member `__proto__`, U+0000, a lone surrogate. */
function forbiddenParts(value: unknown, where: string): Finding[] {
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
