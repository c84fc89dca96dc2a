/** The operations, responses and error codes of openapi.yaml. */
import { existsSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { member } from './json.ts';
import { allBelow, below, type Place, resolved, rootOf } from './place.ts';

/** A JSON Schema of the contract. The named keywords are those that our code reads. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly default?: unknown;
  readonly description?: string;
  readonly 'x-extensible-enum'?: readonly string[];
  readonly 'x-clamp'?: { readonly minimum: number; readonly maximum: number };
  readonly 'x-trim'?: boolean;
  readonly 'x-max-depth'?: number;
  readonly 'x-max-nodes'?: number;
  readonly 'x-error-codes'?: Readonly<Record<string, string>>;
  readonly 'x-demands'?: Readonly<Record<string, string>>;
  readonly 'x-origin'?: unknown;
  readonly [keyword: string]: unknown;
}

export interface MediaType {
  readonly schema: Schema;
  readonly examples?: Readonly<Record<string, { readonly summary?: string; readonly value: unknown }>>;
}

export interface Header {
  readonly required?: boolean;
  readonly schema: Schema;
  readonly 'x-origin'?: unknown;
}

export interface Response {
  readonly headers?: Readonly<Record<string, Header>>;
  /** By media type. */
  readonly content?: Readonly<Record<string, MediaType>>;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'query' | 'path' | 'header' | 'cookie';
  readonly required?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'] as const;

/** One operation, with what its path item and the document add to it. Every reference is resolved. */
export interface Operation {
  readonly operationId: string;
  /** The operation that this one repeats at another path (`x-variant-of`). */
  readonly variantOf: string | undefined;
  readonly method: (typeof methods)[number];
  /** The template, as in `/api/v1/products/{slug}`. */
  readonly path: string;
  /** Whether it needs an API key. */
  readonly secured: boolean;
  /** Where the operation comes from: the service's description, or the reference profile (`x-origin: reference`). */
  readonly origin: 'description' | 'reference';
  readonly parameters: readonly Parameter[];
  /** The JSON body of the request. */
  readonly body: MediaType | undefined;
  /** By status. */
  readonly responses: Readonly<Record<string, Response>>;
}

export interface Contract {
  /** In the order of the file. */
  readonly operations: readonly Operation[];
  /** The errors of a path or of the server, by status (`x-responses-beside-operations`). */
  readonly besideOperations: Readonly<Record<string, Response>>;
}

/** At the root of the checkout, and of the built package: its build keeps the distance. */
const contractFile = new URL('../../openapi.yaml', import.meta.url);

/** The text of openapi.yaml. */
export function readText(file: string | URL = contractFile): string {
  return readFileSync(file, 'utf8');
}

/** The same document beside it, only in the built package. To parse it takes a twentieth of the time. */
const builtFile = new URL('openapi.json', contractFile);

/** The document as it is written, with its references. */
export function readDocument(file?: string | URL): object {
  if (file === undefined && existsSync(builtFile)) return JSON.parse(readText(builtFile));
  return load(readText(file), { filename: String(file ?? contractFile) }) as object;
}

/** The project's own contract. Parsing takes time, so it is read once for all servers and judges of a process. */
let ownContract: Contract | undefined;

/** @throws when a reference leaves the file, names a missing node, or leads back to itself. */
export function readContract(file?: string | URL): Contract {
  if (file !== undefined) return contractOf(readDocument(file));
  ownContract ??= contractOf(readDocument());
  return ownContract;
}

export function contractOf(document: object): Contract {
  const root = rootOf(document);
  const beside = below(root, 'x-responses-beside-operations');
  return {
    operations: allBelow(below(root, 'paths')).flatMap(([path, item]) => operationsOf(root, path, item)),
    besideOperations: beside ? (resolved(beside) as Contract['besideOperations']) : {},
  };
}

/** The error codes of a response in the order of the contract, which is the order of the server's checks. */
export function codesOf(response: Response | undefined): string[] {
  return Object.values(response?.content ?? {}).flatMap(({ schema }) => {
    const code = schema.properties?.error?.properties?.code;
    return (code?.enum ?? [code?.const]).filter((value) => typeof value === 'string');
  });
}

/** The members of a path item and of an operation that are read here. Redocly checks that they are OpenAPI. */
interface PathItem {
  readonly parameters?: readonly Parameter[];
}

interface WrittenOperation extends PathItem {
  readonly operationId: string;
  readonly 'x-variant-of'?: string;
  readonly 'x-origin'?: unknown;
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses?: Operation['responses'];
}

function operationsOf(root: Place, path: string, item: Place): Operation[] {
  const { parameters: shared = [] } = resolved(item) as PathItem;
  return allBelow(item).flatMap(([key, place]): Operation[] => {
    const method = methods.find((known) => known.toLowerCase() === key);
    if (method === undefined) return [];
    const operation = resolved(place) as WrittenOperation;
    const { parameters: own = [], security = member(root.value, 'security') } = operation;
    const isOverridden = ({ name, in: where }: Parameter) =>
      own.some((parameter) => parameter.name === name && parameter.in === where);
    return [
      {
        operationId: operation.operationId,
        variantOf: operation['x-variant-of'],
        method,
        path,
        secured: Array.isArray(security) && security.length > 0,
        origin: operation['x-origin'] === 'reference' ? 'reference' : 'description',
        parameters: [...shared.filter((parameter) => !isOverridden(parameter)), ...own],
        body: operation.requestBody?.content['application/json'],
        responses: operation.responses ?? {},
      },
    ];
  });
}
