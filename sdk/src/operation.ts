import type { Operation } from './errors.ts';
import type { operations } from './generated/openapi.ts';
import type { requests } from './generated/requests.ts';

/** The operations under `/api/v1`, which need a key. */
export type ApiOperation = keyof typeof requests;

type Body<Name extends Operation> = operations[Name] extends { requestBody: { content: infer Content } }
  ? { readonly body: Content[keyof Content] }
  : { readonly body?: never };

/** What an operation takes: the values of its path, its query and its body, as the contract names them. */
export type Input<Name extends Operation = Operation> = Pick<operations[Name]['parameters'], 'path' | 'query'> &
  Body<Name>;

/**
 * What an operation gives: the address that it redirects to, or else the body of its 200; of the page's two forms the
 * HTML. It is read from the generated types because openapi-fetch's own mapping drops `string & {}`, any other value.
 */
export type Value<Name extends Operation> = operations[Name]['responses'] extends { 307: unknown }
  ? string
  : operations[Name]['responses'] extends { 200: { content: infer Content } }
    ? Content extends { 'text/html': infer Page }
      ? Page
      : Content[keyof Content]
    : never;
