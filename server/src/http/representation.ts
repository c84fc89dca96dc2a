import type { Lifecycle, Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import { namesTag } from '@product-passport/openapi';
import Negotiator from 'negotiator';
import { Encoded, type Redirect, type Representation } from './handlers.ts';
import { queryOf } from './target.ts';

/** The HTTP response for the result of a public handler: cache headers, and an ETag unless the request has a token. */
export async function representationOf(
  result: Redirect | Representation<Record<string, unknown>>,
  request: Request,
  h: ResponseToolkit,
): Promise<Lifecycle.ReturnValue> {
  const isPrivate = queryOf(request).hasAccessToken;
  const cache = { 'cache-control': isPrivate ? 'private, no-store' : 'no-cache' };
  if ('location' in result) {
    const { status, location, headers } = result;
    return withHeaders(h.response().code(status), { ...cache, location, ...headers });
  }
  const { type, body, tag, headers, beforeSent } = result;
  // Weak, because a proxy may compress the body.
  const etag = tag === undefined || isPrivate ? undefined : `W/"${tag}"`;
  const cached = etag === undefined ? cache : { ...cache, etag };
  if (etag !== undefined && namesTag(request.raw.req.headers['if-none-match'], etag)) {
    const { vary } = headers;
    return withHeaders(h.response().code(304), { ...cached, ...(vary && { vary }) });
  }
  const { bytes } = typeof body === 'function' ? ((await body()) as Encoded<unknown>) : Encoded.of(body);
  await beforeSent?.();
  return withHeaders(h.response(bytes), { ...cached, ...headers, 'content-type': `${type}; charset=utf-8` });
}

export function withHeaders(response: ResponseObject, headers: Record<string, string>): ResponseObject {
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}

/** The parameters of a media type without its weight. No response comes in more than one profile or charset. */
const parameters = /;\s*(?!q\s*=)[^\s;,="]+\s*=\s*(?:"[^"]*"|[^;,"]*)/gi;

/** The media type that an `Accept` prefers. If it accepts none of them, the first one: the server never sends 406. */
export function preferredType<Type extends string>(
  accept: string | undefined,
  types: readonly Type[],
): Type | undefined {
  const headers = { accept: accept?.replace(parameters, '') };
  return (new Negotiator({ headers }).mediaType([...types]) as Type | undefined) ?? types[0];
}
