import type Joi from 'joi';
import type { Schema } from '../elements.ts';
import { ContractError, type Violation } from './errors.ts';
import { joiSchema, violationsOf } from './joi-schema.ts';
import { readJson } from './read-json.ts';

/** Reads the bodies of an operation. Both methods throw a `ContractError` for the violation that comes first in the contract. */
export interface BodyReader {
  /** Reads JSON in UTF-8. */
  ofBytes(bytes: Uint8Array, headers: BodyHeaders, pause?: Pause): Promise<unknown>;
  /** Checks a parsed value. */
  ofValue(given: unknown, pause?: Pause): Promise<unknown>;
}

interface BodyHeaders {
  readonly 'content-type'?: string | undefined;
  readonly 'content-encoding'?: string | undefined;
}

/** Lets other work run before a long check continues. */
type Pause = () => Promise<void>;

const noPause: Pause = async () => {};

/** How many elements are checked between two pauses. */
const elementsAtOnce = 100;

const jsonType = /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?(?:;[\t ]*)?$/i;

/** Joi's own messages quote the input, and take long to make. */
const options: Joi.ValidationOptions = { abortEarly: false, errors: { render: false } };

/**
 * Makes the reader of a body. Elements of an array are checked one by one, once the array itself is valid.
 *
 * @param order the codes of the operation's 400, in the order of the checks
 */
export function bodyReader(joi: Joi.Root, schema: Schema, order: readonly string[]): BodyReader {
  const { items, ...shell } = schema;
  const outer = joiSchema(joi, items ? shell : schema);
  const element = items && joiSchema(joi, items);
  const members = new Set(Object.keys((items ?? schema).properties ?? {}));
  const limits = { members, maxNodes: schema['x-max-nodes'] };

  /** An object without unknown members. Joi would take longer than parsing to drop them. */
  const known = (given: unknown): unknown => {
    // An object whose members the contract does not name may have any.
    if (typeof given !== 'object' || given === null || Array.isArray(given) || members.size === 0) return given;
    const own = [...members].filter((name) => Object.hasOwn(given, name));
    return Object.fromEntries(own.map((name) => [name, Reflect.get(given, name)]));
  };

  async function check(given: unknown, pause: Pause): Promise<{ body: unknown; violations: Violation[] }> {
    const { value, error } = outer.validate(known(given), options);
    if (!element || error) return { body: value, violations: violationsOf(schema, error) };
    const body: unknown[] = [];
    const violations: Violation[] = [];
    for (const [index, one] of (given as unknown[]).entries()) {
      if (index > 0 && index % elementsAtOnce === 0) await pause();
      const { value, error } = element.validate(known(one), options);
      body.push(value);
      violations.push(...violationsOf(schema, error, [index]));
    }
    return { body, violations };
  }

  return {
    async ofBytes(bytes, headers, pause = noPause) {
      requireJsonType(bytes, headers);
      const { value, violations: others } = readJson(bytes, limits);
      const { body, violations } = await check(value, pause);
      throwFirst([...violations, ...others], order);
      return body;
    },
    async ofValue(given, pause = noPause) {
      const { body, violations } = await check(given, pause);
      throwFirst(violations, order);
      return body;
    },
  };
}

/** The reader of the body of an operation. */
export function bodyReaderOf(
  joi: Joi.Root,
  { operations }: { readonly operations: readonly OperationWithBody[] },
  operationId: string,
): BodyReader {
  const { body, codes = [] } = operations.find((operation) => operation.operationId === operationId) ?? {};
  if (!body) throw new Error(`openapi.yaml has no body of ${operationId}.`);
  return bodyReader(joi, body.schema, codes);
}

interface OperationWithBody {
  readonly operationId: string;
  readonly body?: { readonly schema: Schema } | undefined;
  readonly codes: readonly string[];
}

function requireJsonType(bytes: Uint8Array, headers: BodyHeaders): void {
  if (bytes.length === 0) throw new ContractError('invalid_json', 'The request body is empty: send JSON.');
  const { 'content-type': type = '', 'content-encoding': encoding = 'identity' } = headers;
  if (!jsonType.test(type) || encoding.toLowerCase() !== 'identity') throw new ContractError('unsupported_media_type');
}

/** Throws the violation to report: one of the whole body first, then by the contract's order of codes. */
export function throwFirst(violations: readonly Violation[], order: readonly string[]): void {
  const rank = ({ isWhole, code }: Violation): number => (isWhole ? -1 : order.indexOf(code));
  const [first] = [...violations].sort((one, other) => rank(one) - rank(other));
  if (first) throw new ContractError(first.code, first.message);
}
