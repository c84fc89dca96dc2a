import type { operations } from '../../openapi/src/generated/types.ts';
import type { Operation } from './errors.ts';
import type { requests } from './generated/requests.ts';

/** The operations under `/api/v1`, which need a key. */
export type ApiOperation = keyof typeof requests;

/**
 * The value of an operation: the address that it redirects to, or otherwise the body of its 200; for the passport page,
 * the HTML. This type reads the generated types itself because openapi-fetch's own mapping drops `string & {}`, which
 * stands for any other text.
 */
export type OperationOutput<Name extends Operation> = operations[Name]['responses'] extends { 307: unknown }
  ? string
  : operations[Name]['responses'] extends { 200: { content: infer Content } }
    ? Content extends { 'text/html': infer Page }
      ? Page
      : Content[keyof Content]
    : never;
