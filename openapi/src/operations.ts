/** The operations, responses and error codes of openapi.yaml. */
import { existsSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { allBelow, below, type ContractNode, keyword, mapValues, member, resolved, rootOf } from './node.ts';
import type { Header, MediaType, Operations, Parameter, Response, Schema } from './rules/contract.ts';
import { errorBodyOf, errorIn } from './rules/errors.ts';
import { type ErrorForm, type Fallback, fallbackOf, type Side } from './rules/side.ts';

const methods = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH'] as const;

export type OperationId = keyof Operations;

/**
 * What a provider claims. `core` and `public` ask only for what the service's description says, `digital-link` for what
 * GS1's standards for Digital Links and their resolvers add, `dpp` for the reads of EN 18222 as their public descriptions have
 * them, and `reference` for everything in openapi.yaml, below `/dpp/v1` only together with `dpp`.
 */
export const claims = ['core', 'public', 'digital-link', 'dpp', 'reference'] as const;
export type Claim = (typeof claims)[number];

/** One operation, with what its path item and the document add to it. Every reference is resolved. */
export interface Operation {
  readonly operationId: OperationId;
  /** The operation that this one repeats at another path (`x-variant-of`). */
  readonly variantOf: string | undefined;
  readonly method: (typeof methods)[number];
  /** The template, as in `/api/v1/products/{slug}`. */
  readonly path: string;
  readonly side: Side;
  /** The claim of the cases that are derived from the operation. */
  readonly claim: Claim;
  /** A second claim that these cases need: that of the operation's root, if it has the name of one. */
  readonly also: Claim | undefined;
  /** Where the operation comes from: the service's description, or the claim `reference`, as every variant does. */
  readonly origin: 'description' | 'reference';
  readonly parameters: readonly Parameter[];
  /** The JSON body of the request. */
  readonly body: MediaType | undefined;
  /** By status. */
  readonly responses: Readonly<Record<string, Response>>;
  /** The codes of a 400, in the order of the checks. */
  readonly codes: readonly string[];
}

export interface Contract {
  /** In the order of the file. */
  readonly operations: readonly Operation[];
  /** The errors of a path or of the server, by status (`x-responses-beside-operations`). */
  readonly outsideOperations: Readonly<Record<string, Response>>;
  /** What responds to the paths that no operation has: below each root with responses of its own, and last elsewhere. */
  readonly fallbacks: readonly (Fallback & { readonly responses: Operation['responses'] })[];
  /** The error codes of the service's own description. */
  readonly describedCodes: readonly string[];
}

/** At the root of the checkout, and of the built package: its build keeps the distance. */
const contractFile = new URL('../../openapi.yaml', import.meta.url);

/** The text of openapi.yaml. */
export function readText(): string {
  return readFileSync(contractFile, 'utf8');
}

/** The same document as JSON, only in the built package. Parsing it takes a twentieth of the time. */
const builtFile = new URL('openapi.json', contractFile);

/** The document as it is written, with its references. */
export function readDocument(): object {
  if (existsSync(builtFile)) return JSON.parse(readFileSync(builtFile, 'utf8'));
  return load(readText(), { filename: 'openapi.yaml' }) as object;
}

/** The project's own contract. Parsing takes time, so it is read once for all servers and judges of a process. */
let ownContract: Contract | undefined;

export function readContract(): Contract {
  ownContract ??= contractOf(readDocument());
  return ownContract;
}

/** The side of a path that no operation has. */
export function sideOf(path: string): Contract['fallbacks'][number] {
  return fallbackOf(readContract().fallbacks, path);
}

/** @throws if a reference leaves the file, names a missing node, or leads back to itself */
export function contractOf(document: object): Contract {
  const root = rootOf(document);
  const describedCodes = describedCodesIn(root);
  const marked = markerOf(describedCodes);
  const beside = below(root, 'x-responses-beside-operations');
  const outsideOperations = responsesOf(beside, (response) => marked(response, false));
  const usualBody = errorBodyIn(outsideOperations) ?? {};
  const operations = allBelow(below(root, 'paths')).flatMap(([path, item]) =>
    operationsOf(root, path, item, { marked, usualBody }),
  );
  const fallbacks = allBelow(beside).flatMap(([path, node]) => {
    const side = operations.find((one) => one.side.root === path)?.side;
    if (side === undefined) return [];
    const responses = responsesOf(node, (response) => marked(response, side.secured));
    const errorBody = errorBodyIn(responses) ?? side.errorBody;
    return [{ ...side, errorBody, ...refusalIn(responses, outsideOperations), responses }];
  });
  const elsewhere: Side = { root: '', secured: false, errors: 'preferred', errorBody: usualBody };
  const last = { ...elsewhere, ...refusalIn({}, outsideOperations), responses: {} };
  return { operations, outsideOperations, fallbacks: [...fallbacks, last], describedCodes };
}

/** The responses by status. */
function responsesOf(node: ContractNode | undefined, mark: (response: unknown) => Response): Operation['responses'] {
  const all = allBelow(node).filter(([status]) => Number(status) > 0);
  return Object.fromEntries(all.map(([status, response]) => [status, mark(resolved(response))]));
}

/** How a path that no operation has is refused: with 404, unless its root has only a 400. */
function refusalIn(own: Operation['responses'], usual: Operation['responses']): Omit<Fallback, keyof Side> {
  const [status, code] =
    own['400'] && !own['404'] ? ([400, 'invalid_request'] as const) : ([404, 'not_found'] as const);
  const errors = errorExamplesIn(own[status] ?? usual[status]).map(errorIn);
  return { status, code, message: errors.find((error) => error?.code === code)?.message ?? '' };
}

function errorExamplesIn(response: Response | undefined): unknown[] {
  return Object.values(response?.content?.['application/json']?.examples ?? {}).map(({ value }) => value);
}

/** The form of the JSON errors among responses. */
function errorBodyIn(responses: Operation['responses']): object | undefined {
  const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
  const [example] = errors.flatMap(([, response]) => errorExamplesIn(response));
  return example === undefined ? undefined : errorBodyOf(example as object, '', '');
}

type Marker = (response: unknown, isSecured: boolean) => Response;

/** Operations share responses, which are marked once, so that a judge compiles each of their schemas once. */
function markerOf(describedCodes: readonly string[]): Marker {
  const made = { secured: new Map<unknown, Response>(), open: new Map<unknown, Response>() };
  return (response, isSecured) => {
    const known = isSecured ? made.secured : made.open;
    const marked = known.get(response) ?? markedError(response as Response, isSecured, describedCodes);
    known.set(response, marked);
    return marked;
  };
}

/** The members of an operation that are read here. Redocly checks that they are OpenAPI. */
interface WrittenOperation {
  readonly parameters?: readonly Parameter[];
  readonly operationId: OperationId;
  readonly 'x-variant-of'?: string;
  readonly 'x-origin'?: unknown;
  readonly security?: readonly unknown[];
  readonly requestBody?: { readonly content: Readonly<Record<string, MediaType>> };
  readonly responses?: Operation['responses'];
}

function operationsOf(
  root: ContractNode,
  path: string,
  item: ContractNode,
  { marked, usualBody }: { marked: Marker; usualBody: object },
): Operation[] {
  const { parameters: shared = [] } = resolved(item) as Pick<WrittenOperation, 'parameters'>;
  return allBelow(item).flatMap(([key, node]): Operation[] => {
    const method = methods.find((known) => known.toLowerCase() === key);
    if (method === undefined) return [];
    const operation = resolved(node) as WrittenOperation;
    const { parameters: own = [], security = member(root.value, 'security'), responses = {} } = operation;
    const secured = Array.isArray(security) && security.length > 0;
    const origin = operation['x-origin'] === 'reference' || operation['x-variant-of'] ? 'reference' : 'description';
    const errorBody = errorBodyIn(responses) ?? usualBody;
    const side = { root: rootOfPath(path), secured, errors: errorFormOf(responses), errorBody };
    return [
      {
        operationId: operation.operationId,
        variantOf: operation['x-variant-of'],
        method,
        path,
        side,
        claim: origin === 'reference' ? 'reference' : secured ? 'core' : 'public',
        also: claimOfRoot(side.root),
        origin,
        parameters: [...shared, ...own],
        body: operation.requestBody?.content['application/json'],
        responses: Object.fromEntries(
          Object.entries(responses).map(([status, response]) => [
            status,
            Number(status) < 400 ? withMarkedHeaders(response) : marked(response, secured),
          ]),
        ),
        codes: codesOf(responses['400']),
      },
    ];
  });
}

/** The first segment of a path, with the version that may follow it. */
function rootOfPath(path: string): string {
  return /^\/[^/]+(?:\/v\d+)?/.exec(path)?.[0] ?? '';
}

/** A page for people refuses them with a page. A redirect without JSON may lead people or programs. */
function errorFormOf(responses: Operation['responses']): ErrorForm {
  const types = responses['200']?.content ?? {};
  if ('text/html' in types) return 'page';
  return '307' in responses && !('application/json' in types) ? 'preferred' : 'json';
}

/** The claim that has the name of a root: `dpp` of `/dpp/v1`. */
export function claimOfRoot(root: string): Claim | undefined {
  return claims.find((claim) => claim === root.split('/')[1]);
}

/*
 * The marks (`x-origin: reference`) that openapi.yaml does not repeat at each response. Those of errors follow from the
 * codes that `Error` marks. The service's own description names no public errors, and one header.
 */
const reference = 'reference';
const describedHeader = 'Location';

/** The error codes that the schema `Error` lists without a mark. */
function describedCodesIn(root: ContractNode): readonly string[] {
  const code = below(root, 'components', 'schemas', 'Error', 'properties', 'error', 'properties', 'code');
  const known = code && keyword(code, 'x-extensible-enum');
  const marks = code && keyword(code, 'x-origin');
  return Array.isArray(known) ? known.filter((one) => member(marks, one) !== reference) : [];
}

/** The error codes of a response in the order of the contract, which is the order of the server's checks. */
export function codesOf(response: Response | undefined): string[] {
  const members = Object.values(response?.content ?? {}).flatMap(({ schema }) =>
    Object.values(schema.properties ?? {}),
  );
  return members.flatMap(({ items, properties = items?.properties }) => {
    const { code } = properties ?? {};
    return (code?.enum ?? [code?.const]).filter((value) => typeof value === 'string');
  });
}

/** Marks the headers of a response. */
function withMarkedHeaders(response: Response): Response {
  if (response.headers === undefined) return response;
  const headers = Object.entries(response.headers).map(([name, header]): [string, Header] => [
    name,
    name === describedHeader ? header : { ...header, 'x-origin': reference },
  ]);
  return { ...response, headers: Object.fromEntries(headers) };
}

/**
 * Marks an error: its headers, its status unless one of its codes is described, each code that is not described, and the
 * body of a public error.
 */
function markedError(response: Response, isSecured: boolean, described: readonly string[]): Response {
  const isDescribed = isSecured && codesOf(response).some((code) => described.includes(code));
  const marked = (media: unknown): MediaType => ({
    ...(media as MediaType),
    schema: withMarkedCodes((media as MediaType).schema, described),
    ...(isSecured ? {} : { 'x-origin': reference }),
  });
  return {
    ...withMarkedHeaders(response),
    ...(isDescribed ? {} : { 'x-origin': reference }),
    ...(response.content === undefined ? {} : { content: mapValues(response.content, marked) }),
  };
}

function withMarkedCodes(schema: Schema, described: readonly string[]): Schema {
  const { error } = schema.properties ?? {};
  const { code } = error?.properties ?? {};
  const own = [code?.enum ?? [code?.const]].flat().filter((one) => typeof one === 'string' && !described.includes(one));
  if (error === undefined || own.length === 0) return schema;
  const marks = Object.fromEntries(own.map((one) => [code?.enum === undefined ? 'const' : one, reference]));
  const properties = { ...error.properties, code: { ...code, 'x-origin': marks } };
  return { ...schema, properties: { ...schema.properties, error: { ...error, properties } } };
}
