/** What the handler of each operation receives and returns, by the types of the contract. */
import type { OperationId, Operations, QueryPart, Redirect, Schemas } from '@product-passport/openapi';
import type { CallerKey } from './admission.ts';
import type { Encoded } from './encoded.ts';

/** One handler for each operation of the contract. */
export type Handlers = { [Id in OperationId]: Handler<Id> };

type Handler<Id extends OperationId> = (request: HandlerRequest<Id>) => Promise<HandlerResult<Id>>;

type HandlerRequest<Id extends OperationId> = Input<Id> &
  (IsSecured<Id> extends true ? TenantRequest : PublicRequest<Id>);

interface TenantRequest {
  tenant: Schemas['Tenant'];
  key: CallerKey;
  waitAsLarge?: WaitAsLarge | undefined;
}

/**
 * Waits until the tenant's queue has room for a large write, which only the stored data shows. Returns `undefined` if it has
 * room at once. Otherwise the data may change until the promise resolves. Rejects as the queue does.
 */
export type WaitAsLarge = () => Promise<void> | undefined;

/** The operations that need a key are those with a 401. */
type IsSecured<Id extends OperationId> = Operations[Id]['responses'] extends { 401: unknown } ? true : false;

/** A request as a visit to the public side. */
export interface Visit {
  /** The client's address. It is hashed before it is stored, and never logged. */
  address: string;
  /** Somebody sees the response: not for HEAD, a prefetch or a robot. */
  isView: boolean;
  accept: string | undefined;
  acceptLanguage: string | undefined;
}

interface PublicRequest<Id extends OperationId> {
  visit: Visit;
  /** The query as it was sent, with unknown parameters. */
  queryParts: readonly QueryPart[];
  /** The media type of the contract's 200 that the client prefers, otherwise the first one. */
  mediaType: MediaType<Id>;
}

/** The parts of a request that the operation has, validated and with their defaults. */
type Input<Id extends OperationId> = Part<'path', Parameters<Id, 'path'>> &
  Part<'query', Query<Parameters<Id, 'query'>>> &
  (Operations[Id] extends { requestBody: { content: { 'application/json': infer Body } } } ? { body: Body } : unknown);

type Part<Name extends string, Values> = [Values] extends [never] ? unknown : { [N in Name]: Values };

type Parameters<Id extends OperationId, In extends 'path' | 'query'> =
  Operations[Id]['parameters'] extends Record<In, infer Values>
    ? Values
    : Operations[Id]['parameters'] extends { [K in In]?: infer Values }
      ? Exclude<Values, undefined>
      : never;

/** Whole numbers always have a value: validation requires the contract to give a default. */
type Query<Values> = {
  [Name in keyof Values]-?: Exclude<Values[Name], undefined> extends number ? number : Values[Name] | undefined;
};

type MediaType<Id extends OperationId> = Operations[Id]['responses'] extends { 200: { content: infer Content } }
  ? keyof Content
  : undefined;

/** API handlers return the body of the contract's 200, its bytes, or a body with headers; public handlers a representation, or a redirect if it has one. */
type HandlerResult<Id extends OperationId> =
  | (Operations[Id]['responses'] extends { 200: { content: infer Content } }
      ? IsSecured<Id> extends true
        ? Content[keyof Content] | Encoded<Content[keyof Content]> | WithHeaders<Content[keyof Content]>
        : Representation<Content>
      : never)
  | (Operations[Id]['responses'] extends { 307: unknown } ? Redirect : never);

/** A body in one of the contract's media types. A string is sent as it is, everything else as JSON. */
export type Representation<Content> = {
  [Type in keyof Content]: {
    type: Type;
    /** A function is called only if the body is sent. It may return a compressed body if the client accepts gzip. */
    body: Content[Type] | ((acceptsGzip: boolean) => Promise<Encoded<Content[Type]>>);
    /** Identifies the body. It becomes the ETag, and then a client that has the body gets 304. */
    tag?: string;
    headers: Record<string, string>;
    /** Runs before the body is sent. It does not run for a 304. */
    beforeSent?: () => Promise<void>;
  };
}[keyof Content];

/** A body, and headers that only the responses of its operation have. */
export class WithHeaders<Body> {
  readonly body: Body;
  readonly headers: Record<string, string>;

  constructor(body: Body, headers: Record<string, string>) {
    this.body = body;
    this.headers = headers;
  }
}
