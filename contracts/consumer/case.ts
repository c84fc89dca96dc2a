/** An interaction as data: what is presupposed, what the SDK is told, what it must send, and what comes back. */
import type { Client, Operation } from '@product-passport/sdk';
import type { PublicClient } from '@product-passport/sdk/public';
import { type Given, given } from '../states/catalogue.ts';
import { keys } from '../states/keys.ts';
import { anyMessage, type Template } from './matchers.ts';

export interface Case {
  /** Unique. Begins with the operation; ends in `(reference)` where only the reference profile says so. */
  readonly description: `${Operation}: ${string}`;
  readonly given: readonly Given[];
  readonly call: (service: Service) => PromiseLike<unknown>;
  readonly request: ExpectedRequest;
  /** Stands beneath the SDK, for what its types do not let through. */
  readonly alter?: (request: Request) => Request;
  readonly response: ExpectedResponse;
}

/** Both clients of the SDK, and one without it. */
export interface Service {
  readonly client: Client;
  readonly site: PublicClient;
  /** Asks as a scanner or another resolver does: the JSON that comes, or the address that it is sent to. */
  readonly plain: (path: string, headers?: Readonly<Record<string, string>>) => Promise<unknown>;
}

export interface ExpectedRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly accept?: string;
  /** The bearer's key. Absent on the public side. */
  readonly key?: string;
  readonly body?: unknown;
  /** A body that is no JSON, with the type it is sent under. */
  readonly rawBody?: RawBody;
}

export interface RawBody {
  readonly text: string;
  readonly contentType: string;
}

export interface ExpectedResponse {
  readonly status: number;
  /** What the status may be as well. */
  readonly otherStatuses?: readonly number[];
  readonly contentType?: string;
  readonly body?: unknown;
  readonly html?: string;
  readonly location?: Template<string>;
  /** The code of the error that the SDK makes of it. */
  readonly code?: string;
}

/** The tenant that the pact is about. */
export const nordlicht = { name: 'Nordlicht Demo GmbH', slug: 'nordlicht', country: 'DE', plan: 'business' } as const;
/** A tenant that nordlicht must not learn of. */
export const suedwind = { name: 'Südwind Textil AG', slug: 'suedwind', country: 'AT', plan: 'business' } as const;

export const aTenant = given('a tenant with an API key', { tenant: nordlicht, key: keys.valid });

export function get(path: string, query?: Readonly<Record<string, string>>): ExpectedRequest {
  return { method: 'GET', path: `/api/v1${path}`, key: keys.valid, ...(query && { query }) };
}

export function post(path: string, body: unknown): ExpectedRequest {
  return { method: 'POST', path: `/api/v1${path}`, key: keys.valid, body };
}

export function put(path: string, body: unknown): ExpectedRequest {
  return { method: 'PUT', path: `/api/v1${path}`, key: keys.valid, body };
}

/** On the public side, where no key is sent. */
export function getPublic(path: string, query?: Readonly<Record<string, string>>): ExpectedRequest {
  return { method: 'GET', path, ...(query && { query }) };
}

/** The passport page, which the SDK asks for as HTML. */
export function getPage(path: string, query?: Readonly<Record<string, string>>): ExpectedRequest {
  return { ...getPublic(path, query), accept: 'text/html' };
}

/** The same request with a body that is no JSON. */
export function withRawBody({ body: _, ...request }: ExpectedRequest, rawBody: RawBody): ExpectedRequest {
  return { ...request, rawBody };
}

export function ok<Body>(body: Template<Body>, contentType = 'application/json'): ExpectedResponse {
  return { status: 200, contentType, body };
}

export function page(): ExpectedResponse {
  return { status: 200, contentType: 'text/html', html: '<!doctype html><title>USB-C-Kabel</title>' };
}

/** 307, or 302: the contract leaves it to the provider. */
export function redirect(location: Template<string>): ExpectedResponse {
  return { status: 307, otherStatuses: [302], location };
}

export function failure(status: number, code: string): ExpectedResponse {
  return { status, contentType: 'application/json', body: { error: { code, message: anyMessage } }, code };
}

/** An error of the page for people, whose code the SDK knows by the status. */
export function failurePage(status: number, code: string): ExpectedResponse {
  return { status, contentType: 'text/html', html: '<!doctype html><title>No passport</title>', code };
}
