/** An interaction as data: the provider states, the call of the SDK, the request it must send, and the response. */
import type { Client, Operation } from '@product-passport/sdk';
import type { PublicClient } from '@product-passport/sdk/public';
import { type Given, given } from '../states/catalogue.ts';
import { keys } from '../states/keys.ts';
import { anyMessage, type Template } from './matchers.ts';

export interface Case {
  /** Unique. Begins with the operation. Ends in `(reference)` if only the reference profile defines the behaviour. */
  readonly description: `${Operation}: ${string}`;
  readonly given: readonly Given[];
  readonly call: (service: Service) => PromiseLike<unknown>;
  readonly request: ExpectedRequest;
  /** Changes the request that the SDK built, for requests that the SDK's types do not allow. */
  readonly alter?: (request: Request) => Request;
  readonly response: ExpectedResponse;
}

/** Both clients of the SDK, and plain `fetch`. */
export interface Service {
  readonly client: Client;
  readonly site: PublicClient;
  /** Sends a GET request like a scanner or another resolver. Returns the `Location` of a redirect, otherwise the JSON. */
  readonly plain: (path: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>;
}

export interface ExpectedRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** The API key in the Authorization header. Absent for public operations. */
  readonly key?: string;
  readonly body?: unknown;
  /** A body that is not JSON, or not sent as JSON. */
  readonly rawBody?: RawBody;
}

export interface RawBody {
  readonly text: string;
  readonly contentType: string;
}

export interface ExpectedResponse {
  readonly status: number;
  /** Other statuses that the contract allows. */
  readonly otherStatuses?: readonly number[];
  readonly contentType?: string;
  readonly body?: unknown;
  readonly html?: string;
  readonly location?: Template<string>;
  /** The `code` of the error that the SDK throws. */
  readonly code?: string;
}

/** The tenant of the API key. */
export const nordlicht = { name: 'Nordlicht Demo GmbH', slug: 'nordlicht', country: 'DE', plan: 'business' } as const;
/** Another tenant, whose products nordlicht must not see. */
export const suedwind = { name: 'Südwind Textil AG', slug: 'suedwind', country: 'AT', plan: 'business' } as const;

export const aTenant = given('a tenant with an API key', { tenant: nordlicht });

export function get(path: string, query?: Readonly<Record<string, string>>): ExpectedRequest {
  return { method: 'GET', path: `/api/v1${path}`, key: keys.valid, ...(query && { query }) };
}

export function post(path: string, body: unknown): ExpectedRequest {
  return { method: 'POST', path: `/api/v1${path}`, key: keys.valid, body };
}

export function put(path: string, body: unknown): ExpectedRequest {
  return { method: 'PUT', path: `/api/v1${path}`, key: keys.valid, body };
}

/** A public request, without an API key. */
export function getPublic(path: string, query?: Readonly<Record<string, string>>): ExpectedRequest {
  return { method: 'GET', path, ...(query && { query }) };
}

/** The request for the passport page: the SDK asks for HTML. */
export function getPage(path: string, query?: Readonly<Record<string, string>>): ExpectedRequest {
  return { ...getPublic(path, query), accept: 'text/html' };
}

/** The same request with a body that is not JSON, or not sent as JSON. */
export function withRawBody({ body: _, ...request }: ExpectedRequest, rawBody: RawBody): ExpectedRequest {
  return { ...request, rawBody };
}

export function ok<Body>(body: Template<Body>, contentType = 'application/json'): ExpectedResponse {
  return { status: 200, contentType, body };
}

export function page(): ExpectedResponse {
  return { status: 200, contentType: 'text/html', html: '<!doctype html><title>USB-C-Kabel</title>' };
}

/** 307 or 302: the contract leaves the choice to the provider. */
export function redirect(location: Template<string>): ExpectedResponse {
  return { status: 307, otherStatuses: [302], location };
}

export function failure(status: number, code: string): ExpectedResponse {
  return { status, contentType: 'application/json', body: { error: { code, message: anyMessage } }, code };
}

/** An HTML error page. The SDK derives the code from the status. */
export function failurePage(status: number, code: string): ExpectedResponse {
  return { status, contentType: 'text/html', html: '<!doctype html><title>No passport</title>', code };
}
