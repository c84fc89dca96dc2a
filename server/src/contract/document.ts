import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { operations } from './generated/openapi.ts';

export type OperationId = keyof operations;

/** The part of JSON Schema that the contract uses, with the contract's own keywords. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  oneOf?: Schema[];
  allOf?: Schema[];
  default?: unknown;
  description?: string;
  'x-extensible-enum'?: string[];
  'x-clamp'?: { minimum: number; maximum: number };
  'x-trim'?: boolean;
  'x-max-depth'?: number;
  'x-max-nodes'?: number;
  'x-error-codes'?: Record<string, string>;
  'x-demands'?: Record<string, string>;
  'x-origin'?: unknown;
}

export interface Parameter {
  name: string;
  in: 'path' | 'query';
  schema: Schema;
}

interface ResponseObject {
  content?: Record<string, { schema: Schema; examples?: Record<string, { value: unknown }> }>;
}

/** One operation of the contract, with every reference resolved. */
export interface Operation {
  operationId: OperationId;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  secured: boolean;
  parameters: Parameter[];
  body: Schema | undefined;
  responses: Record<string, ResponseObject>;
}

export interface Contract {
  operations: Operation[];
  /** The errors that belong to a path or to the server. */
  besideOperations: Record<string, ResponseObject>;
}

/** In the checkout the contract stands at the root; a published package carries its own copy. */
const places = ['../../openapi.yaml', '../../../openapi.yaml'].map((place) => new URL(place, import.meta.url));

/**
 * Reads openapi.yaml.
 *
 * @throws when the file is missing, or refers to something that it does not have.
 */
export function readContract(): Contract {
  const place = places.find((url) => existsSync(url));
  if (!place) throw new Error('openapi.yaml is missing: install the package again.');
  const document = resolveReferences(parse(readFileSync(place, 'utf8')));
  const operations: Operation[] = [];
  for (const [path, item] of Object.entries<Parsed>(document.paths)) {
    for (const method of ['get', 'post', 'put'] as const) {
      const operation = item[method];
      if (!operation) continue;
      operations.push({
        operationId: operation.operationId,
        method: method.toUpperCase() as Operation['method'],
        path,
        secured: (operation.security ?? document.security).length > 0,
        parameters: [...(item.parameters ?? []), ...(operation.parameters ?? [])],
        body: operation.requestBody?.content['application/json'].schema,
        responses: operation.responses,
      });
    }
  }
  return { operations, besideOperations: document['x-responses-beside-operations'] };
}

// biome-ignore lint/suspicious/noExplicitAny: a parsed document has no type until it is read
type Parsed = any;

/** Replaces each `$ref` by what it refers to. The contract has no recursive schema. */
function resolveReferences(document: Parsed): Parsed {
  const resolve = (node: Parsed): Parsed => {
    if (Array.isArray(node)) return node.map(resolve);
    if (typeof node !== 'object' || node === null) return node;
    if (typeof node.$ref === 'string') {
      const target = node.$ref
        .slice(2)
        .split('/')
        .reduce((place: Parsed, key: string) => place?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], document);
      if (target === undefined) throw new Error(`openapi.yaml refers to ${node.$ref}, which it does not have.`);
      return resolve(target);
    }
    return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, resolve(value)]));
  };
  return resolve(document);
}
