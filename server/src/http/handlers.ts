import type { OperationId } from '../contract/document.ts';
import type { operations } from '../contract/generated/openapi.ts';
import type { Tenant } from '../tenants/store.ts';

type Parameters<Id extends OperationId, In extends 'path' | 'query'> =
  operations[Id]['parameters'] extends Record<In, infer Values>
    ? Values
    : operations[Id]['parameters'] extends { [K in In]?: infer Values }
      ? Exclude<Values, undefined>
      : Record<never, never>;

/** Whole numbers are always there: the contract gives each a default, and validation asks for one. */
type Query<Values> = {
  [Name in keyof Values]-?: Exclude<Values[Name], undefined> extends number ? number : Values[Name] | undefined;
};

/** A request as a visit to the public side. */
export interface Visit {
  /** The client's address. It is hashed before it is kept, and never logged. */
  address: string;
  /** Somebody looks at what is answered. */
  isView: boolean;
  /** The header of this name, as it was sent. */
  acceptLanguage: string | undefined;
}

/** What a handler gets: the tenant of the key, and the parts of the request, valid and with their defaults. */
interface HandlerRequest<Id extends OperationId> {
  /** The tenant of the key. Public operations have none. */
  tenant: Tenant;
  path: Parameters<Id, 'path'>;
  query: Query<Parameters<Id, 'query'>>;
  body: operations[Id] extends { requestBody: { content: { 'application/json': infer Body } } } ? Body : undefined;
  /** The query as it was sent, with its `?`, or empty. Parsers of addresses would change it. */
  search: string;
  /** The header `Accept`. */
  accept: string | undefined;
  visit: Visit;
  /** Of the media types that the contract has for the answer, the one that the client prefers; else the first. */
  mediaType: MediaType<Id>;
}

/** The media types of the contract's 200. */
type MediaType<Id extends OperationId> = operations[Id]['responses'] extends { 200: { content: infer Content } }
  ? keyof Content
  : undefined;

/** A body in one of the contract's media types: text as it is, anything else to be written as JSON. */
export type Representation<Content> = {
  [Type in keyof Content]: {
    type: Type;
    body: Content[Type];
    headers: Record<string, string>;
    /** Done before the body is sent, and not where the client has it already (304). */
    beforeSent?: () => Promise<void>;
  };
}[keyof Content];

export interface Redirect {
  status: 302 | 307;
  location: string;
  headers: Record<string, string>;
}

/**
 * What a handler answers: the body of the contract's 200, on the public side with its head, or a redirect where the
 * contract has one.
 */
type HandlerAnswer<Id extends OperationId> =
  | (operations[Id]['responses'] extends { 200: { content: infer Content } }
      ? operations[Id]['responses'] extends { 401: unknown }
        ? Content[keyof Content]
        : Representation<Content>
      : never)
  | (operations[Id]['responses'] extends { 307: unknown } ? Redirect : never);

type Handler<Id extends OperationId> = (request: HandlerRequest<Id>) => Promise<HandlerAnswer<Id>>;

/** One handler for each operation of the contract. */
export type Handlers = { [Id in OperationId]: Handler<Id> };
