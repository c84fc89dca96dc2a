import { createHash } from 'node:crypto';
import type { Lifecycle, Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import type { Operation } from '../contract/document.ts';
import type { Redirect, Representation } from './handlers.ts';
import { queryOf } from './query.ts';

/** The HTTP response for the result of a public handler: cache headers, and an ETag where the contract has a 304. */
export async function representationOf(
  operation: Operation,
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
  const { type, body, headers, beforeSent } = result;
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const etag = '304' in operation.responses && !isPrivate ? tagOf(payload) : undefined;
  const tag = etag === undefined ? {} : { etag };
  if (etag !== undefined && namesTag(request.raw.req.headers['if-none-match'], etag)) {
    const { vary } = headers;
    return withHeaders(h.response().code(304), { ...cache, ...tag, ...(vary && { vary }) });
  }
  await beforeSent?.();
  return withHeaders(h.response(payload), { ...cache, ...tag, ...headers, 'content-type': `${type}; charset=utf-8` });
}

/** A weak tag, because a proxy may compress the body. */
function tagOf(payload: string): string {
  return `W/"${createHash('sha256').update(payload).digest('base64url')}"`;
}

/** Whether an `If-None-Match` names this tag or `*`. Weak and strong tags match here (RFC 9110, section 13.1.2). */
function namesTag(ifNoneMatch: string | undefined, etag: string): boolean {
  const bare = (tag: string): string => tag.trim().replace(/^W\//, '');
  const tags = (ifNoneMatch ?? '').split(',').map(bare);
  return tags.includes('*') || tags.includes(bare(etag));
}

function withHeaders(response: ResponseObject, headers: Record<string, string>): ResponseObject {
  for (const [name, value] of Object.entries(headers)) response.header(name, value);
  return response;
}
