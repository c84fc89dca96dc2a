/**
 * What the query, the path and the headers of requests mean, and headers of responses. Pure: the server and the SDK's fake
 * service share it.
 */
import { mustBeOneOf } from './closest.ts';
import { limitsOf, type Parameter, requireSupport } from './contract.ts';
import { ContractError, type ErrorCode } from './errors.ts';

/** One `name=value` of a query. */
export interface QueryPart {
  name: string;
  value: string;
  /** The part before decoding. */
  raw: string;
}

/** The query of a request, from the request line. */
export class SentQuery {
  readonly parts: readonly QueryPart[];
  /** The decoded parts. */
  readonly values: URLSearchParams;

  constructor(requestTarget: string) {
    const [, query = ''] = (requestTarget.includes('?') && /^[^?#]*\?([^#]*)/.exec(requestTarget)) || [];
    this.parts = query === '' ? [] : query.split('&').map(decodePart);
    this.values = new URLSearchParams(`?${query}`);
  }

  /** Whether there is a `zugang`, valid or not. */
  get hasAccessToken(): boolean {
    return this.values.has('zugang');
  }
}

function decodePart(raw: string): QueryPart {
  // URLSearchParams would remove a `?` at the start of the part.
  const [[name, value] = ['', '']] = new URLSearchParams(`?${raw}`);
  return { name, value, raw };
}

const wholeNumber = /^-?[0-9]+$/;

/**
 * Validates the query of an operation by its parameters. Whole numbers are moved into their `x-clamp`, absent
 * parameters take their default, and unknown parameters are ignored.
 *
 * @param refusesRepeated whether each known parameter that is given twice is an error, as one with `x-given-once` always is.
 *   If not, it counts as empty.
 * @returns a function that returns the parameters by name.
 * @throws for an unknown keyword
 */
export function queryValidation(
  parameters: readonly Parameter[],
  refusesRepeated: boolean,
): (query: { parts: readonly unknown[]; values: URLSearchParams }) => Record<string, unknown> {
  const known = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, required = false, 'x-given-once': once = refusesRepeated }) => {
      return { name, read: parameterReader(name, schema), fallback: schema.default, required, once };
    });
  const hasRequired = known.some(({ required }) => required);
  const defaults = Object.fromEntries(
    known.filter(({ fallback }) => fallback !== undefined).map(({ name, fallback }) => [name, fallback]),
  );
  return (query) => {
    const found: Record<string, unknown> = { ...defaults };
    // Most requests have no query.
    if (query.parts.length === 0 && !hasRequired) return found;
    const given = known.flatMap(({ name, read, required, once }) => {
      const [value, second] = query.values.getAll(name);
      if (value === undefined && required) throw new ContractError('invalid_request', `${name} is required.`);
      if (value === undefined) return [];
      if (second !== undefined && once) throw new ContractError('invalid_request', `${name} must be given only once.`);
      return [{ name, read, text: second === undefined ? value : '' }];
    });
    for (const { name, read, text } of given) found[name] = read(text);
    return found;
  };
}

type Keywords = Readonly<Record<string, readonly string[]>>;

/** The keywords that parameters support, by type. */
export const parameterKeywords: { readonly query: Keywords; readonly path: Keywords } = {
  query: { integer: ['x-clamp', 'minimum', 'maximum'], string: ['enum', 'pattern'] },
  path: { string: ['pattern', 'maxLength'] },
};

/** Reads the text of a query parameter. */
function parameterReader(name: string, schema: Parameter['schema']): (text: string) => unknown {
  const refuse = (demand: string, code: ErrorCode = 'invalid_request'): never => {
    throw new ContractError(code, `${name} ${demand}.`);
  };
  requireSupport(name, schema, parameterKeywords.query[String(schema.type)]);
  if (schema.type === 'integer') {
    const { 'x-clamp': clamp, minimum = clamp?.minimum, maximum = clamp?.maximum } = schema;
    // With minimum and maximum a mock server would refuse a number that the service moves to the nearest bound.
    if (minimum === undefined || maximum === undefined || typeof schema.default !== 'number') {
      throw new Error(
        `openapi.yaml: the query parameter ${name} of type integer needs an x-clamp, or both bounds, and a default.`,
      );
    }
    return (text) => {
      if (!wholeNumber.test(text)) return refuse('must be a whole number');
      const bounded = Math.min(Math.max(Number(text), minimum), maximum) + 0;
      return clamp || bounded === Number(text) ? bounded : refuse(`must be from ${minimum} to ${maximum}`);
    };
  }
  const { enum: known, pattern = '', 'x-error-codes': codes, 'x-demands': demands } = schema;
  const expression = new RegExp(pattern, 'u');
  return (text) => {
    if (known && !known.includes(text)) return refuse(mustBeOneOf(known.map(String), text));
    return expression.test(text) ? text : refuse(demands?.pattern ?? 'is not valid', codes?.pattern as ErrorCode);
  };
}

/**
 * Validates the path values of an operation. The contract gives each pattern its error code:
 * `not_found` for a slug, `invalid_gtin` for a GTIN. The message of `invalid_request` describes the expected form.
 */
export function pathValidation(parameters: readonly Parameter[]): (values: Record<string, string>) => void {
  const rules = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name, schema }) => {
      requireSupport(name, schema, parameterKeywords.path[String(schema.type)]);
      const code = (schema['x-error-codes']?.pattern ?? 'not_found') as ErrorCode;
      if (code === 'invalid_request' && schema.description === undefined)
        throw new Error(
          `openapi.yaml: the path parameter ${name} needs a description in its schema, which a 400 quotes.`,
        );
      return {
        name,
        expression: new RegExp(schema.pattern ?? '', 'u'),
        maxLength: schema.maxLength ?? Number.POSITIVE_INFINITY,
        code,
        form: formOf(name, schema),
      };
    });
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

const bearer = /^bearer +([^ ]+) *$/i;

/** The key that an `Authorization` carries, valid or not. */
export function keyIn(authorization: string | null | undefined): string | undefined {
  return bearer.exec(authorization ?? '')?.[1];
}

/** Whether an `If-None-Match` names this tag or `*`. Weak and strong tags match here (RFC 9110, section 13.1.2). */
export function namesTag(ifNoneMatch: string | null | undefined, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  const tags = (ifNoneMatch ?? '').split(',').map(bare);
  return tags.includes('*') || tags.includes(bare(etag));
}

const requestIdForm = /^[A-Za-z0-9._-]{1,128}$/;

/** The beginnings of API keys, access tokens and control tokens. A client may send one as an id, and ids are logged. */
const secret = /ppk_|eyJ|sandbox_/;

/** Whether a service takes over the `X-Request-Id` of a request. */
export function isRequestId(text: string): boolean {
  return requestIdForm.test(text) && !secret.test(text);
}

/**
 * Every site may read public responses, and what a client needs to wait and to report. A token in the address must not reach
 * other sites in a `Referer`.
 */
export function publicHeaders(hasAccessToken: boolean): Record<string, string> {
  return {
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Date, Retry-After, X-Request-Id',
    ...(hasAccessToken && { 'referrer-policy': 'no-referrer' }),
  };
}

/** A `Link` header (RFC 8288) to another representation of the same passport. */
export function linkTo(address: string, type: string, ...relations: string[]): string {
  return `<${address}>; rel="${['alternate', ...relations].join(' ')}"; type="${type}"`;
}
