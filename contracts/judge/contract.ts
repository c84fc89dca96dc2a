/** The contract as one plain tree: openapi.yaml with every `$ref` replaced by what it points to. */
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

/** A JSON Schema of the contract, with the contract's own `x-` keywords. */
export type Schema = { readonly [keyword: string]: unknown };

interface Example {
  readonly summary?: string;
  readonly value: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, Example>>;
}

export interface Header {
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly 'x-origin'?: unknown;
}

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Header>>;
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly description?: string;
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface RequestBody {
  readonly required?: boolean;
  readonly content: Readonly<Record<string, MediaType>>;
}

/** One operation with everything that applies to it, whether it stands at the operation, its path or the root. */
export interface Operation {
  readonly operationId: string;
  /** The operation that this one is at another path. */
  readonly variantOf: string | undefined;
  /** In upper case. */
  readonly method: string;
  /** The template, as in `/api/v1/products/{slug}`. */
  readonly path: string;
  readonly secured: boolean;
  readonly parameters: readonly Parameter[];
  readonly requestBody: RequestBody | undefined;
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Contract {
  readonly operations: readonly Operation[];
  /** Errors of a path or of the server, by status: `x-responses-beside-operations`. */
  readonly besideOperations: Readonly<Record<string, Response>>;
}

/** Beside the code that reads it: the root of the checkout, and of the published package. */
export const contractLocation = new URL('../../openapi.yaml', import.meta.url);

/** The contract of a file. Fails on a `$ref` that leads nowhere, out of the file, or back to itself. */
export function readContract(location: string | URL = contractLocation): Contract {
  const root = withoutReferences(parse(readFileSync(location, 'utf8'))) as Document;
  return {
    operations: Object.entries(root.paths).flatMap(([path, item]) => operationsOf(path, item, root.security)),
    besideOperations: root['x-responses-beside-operations'] ?? {},
  };
}

/** The codes that an error of this response may have, in the order of the contract; empty where it has none. */
export function codesOf(response: Response): readonly string[] {
  const schemas = Object.values(response.content ?? {}).map((media) => media.schema);
  return schemas.flatMap((schema) => {
    const code = member(member(member(member(schema, 'properties'), 'error'), 'properties'), 'code');
    const values = isRecord(code) ? (code.enum ?? [code.const]) : [];
    return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  });
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parts of the document that are read here; Redocly proves that it is OpenAPI. */
interface Document {
  readonly security?: readonly unknown[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly 'x-responses-beside-operations'?: Readonly<Record<string, Response>>;
}

type PathItem = { readonly parameters?: readonly Parameter[] } & Readonly<Record<string, unknown>>;

interface PathOperation {
  readonly operationId: string;
  readonly 'x-variant-of'?: string;
  readonly security?: readonly unknown[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: RequestBody;
  readonly responses?: Readonly<Record<string, Response>>;
}

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

function operationsOf(path: string, item: PathItem, rootSecurity: readonly unknown[] | undefined): Operation[] {
  return methods.flatMap((method) => {
    const operation = item[method] as PathOperation | undefined;
    if (operation === undefined) return [];
    const own = operation.parameters ?? [];
    const inherited = (item.parameters ?? []).filter(
      (outer) => !own.some((inner) => inner.name === outer.name && inner.in === outer.in),
    );
    return {
      operationId: operation.operationId,
      variantOf: operation['x-variant-of'],
      method: method.toUpperCase(),
      path,
      secured: (operation.security ?? rootSecurity ?? []).length > 0,
      parameters: [...inherited, ...own],
      requestBody: operation.requestBody,
      responses: operation.responses ?? {},
    };
  });
}

/** The document as a plain tree: every part stands where it stood, with what it refers to in its place. */
export function withoutReferences(document: unknown): unknown {
  const resolved = new Map<string, unknown>();
  const underWay = new Set<string>();

  function target(reference: string): unknown {
    if (resolved.has(reference)) return resolved.get(reference);
    if (underWay.has(reference)) throw new Error(`The contract refers in a circle: ${reference}`);
    underWay.add(reference);
    const value = walk(at(document, reference));
    underWay.delete(reference);
    resolved.set(reference, value);
    return value;
  }

  function walk(node: unknown): unknown {
    if (Array.isArray(node)) return node.map(walk);
    if (!isRecord(node)) return node;
    const { $ref, ...beside } = node;
    if (typeof $ref !== 'string') return mapValues(node, walk);
    // Elsewhere a sibling would narrow what is referred to; merged here, it would replace it unseen.
    const narrowing = Object.keys(beside).filter((key) => key !== 'description' && key !== 'summary');
    if (narrowing.length > 0) throw new Error(`Beside $ref ${$ref} stands ${narrowing.join(', ')}: use allOf.`);
    return { ...(target($ref) as object), ...beside };
  }

  return walk(document);
}

/** The steps from the root to what a `$ref` names. */
export function stepsOf(reference: string): readonly string[] {
  if (!reference.startsWith('#/')) throw new Error(`The contract is one file; ${reference} leads out of it.`);
  const steps = reference.slice(2).split('/');
  return steps.map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function at(document: unknown, reference: string): unknown {
  const found = stepsOf(reference).reduce<unknown>((node, step) => member(node, step), document);
  if (!isRecord(found)) throw new Error(`The contract has no ${reference}.`);
  return found;
}

/** What stands below a node of an object or array, or `undefined`. */
export function member(node: unknown, key: string): unknown {
  if (Array.isArray(node)) return node[Number(key)];
  return isRecord(node) && Object.hasOwn(node, key) ? node[key] : undefined;
}

export function mapValues<Out>(
  record: Readonly<Record<string, unknown>>,
  change: (value: unknown) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, change(value)]));
}

/** The error codes of the service's own description. All of them are of the API; of public errors it says nothing. */
export const describedCodes = [
  'invalid_api_key',
  'not_found',
  'invalid_json',
  'name_required',
  'unknown_product_group',
  'values_must_be_array',
  'field_key_required',
  'internal_error',
];
