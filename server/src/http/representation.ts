import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import type { Lifecycle, Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import { namesTag, type Redirect } from '@product-passport/openapi';
import Negotiator from 'negotiator';
import { Encoded, type Representation } from './handlers.ts';
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

/** The encodings that Hapi negotiates. */
const encoders: Readonly<Record<string, (content: Buffer) => Promise<Buffer>>> = {
  gzip: promisify(gzip),
  deflate: promisify(deflate),
};

/** Minimum size of content that is compressed, in bytes. Compression hardly shortens less. */
const minCompressed = 1024;

/** Content that is the same in every response. It is compressed once for each encoding: a flood costs no compression. */
export class StaticContent {
  readonly #type: string;
  readonly #content: Buffer;
  readonly #tag: string;
  readonly #encoded = new Map<string, Promise<Buffer>>();

  /** @param type of text */
  constructor(type: string, content: string | Buffer) {
    this.#type = type;
    this.#content = Buffer.from(content);
    this.#tag = createHash('sha256').update(this.#content).digest('base64url');
  }

  /** @param headers `cache-control` is `no-cache` unless it is here */
  async respond(request: Request, h: ResponseToolkit, headers: Record<string, string>): Promise<ResponseObject> {
    const isPrivate = queryOf(request).hasAccessToken;
    const encoding = request.info.acceptEncoding;
    const encode = this.#content.length < minCompressed ? undefined : encoders[encoding];
    const bytes = encode ? await this.#once(encoding, encode) : this.#content;
    const tag = encode ? `${this.#tag}-${encoding}` : this.#tag;
    const all = {
      'cache-control': isPrivate ? 'private, no-store' : 'no-cache',
      ...(!isPrivate && { etag: `"${tag}"` }),
      ...headers,
      vary: headers.vary === undefined ? 'accept-encoding' : `${headers.vary}, accept-encoding`,
      ...(encode && { 'content-encoding': encoding }),
    };
    return withHeaders(h.response(bytes).type(`${this.#type}; charset=utf-8`), all);
  }

  #once(encoding: string, encode: (content: Buffer) => Promise<Buffer>): Promise<Buffer> {
    const encoded = this.#encoded.get(encoding) ?? encode(this.#content);
    this.#encoded.set(encoding, encoded);
    return encoded;
  }
}
