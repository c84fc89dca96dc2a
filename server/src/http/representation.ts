import { Readable, type Writable } from 'node:stream';
import type { Lifecycle, Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import { namesTag, type Redirect } from '@product-passport/openapi';
import Negotiator from 'negotiator';
import { Encoded } from './encoded.ts';
import type { Representation } from './handlers.ts';
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
  const { type, body, tag, beforeSent } = result;
  const headers = typeof body === 'function' ? variedByEncoding(result.headers) : result.headers;
  // Weak, because a proxy may compress the body.
  const etag = tag === undefined || isPrivate ? undefined : `W/"${tag}"`;
  const cached = etag === undefined ? cache : { ...cache, etag };
  if (etag !== undefined && namesTag(request.raw.req.headers['if-none-match'], etag)) {
    const { vary } = headers;
    return withHeaders(h.response().code(304), { ...cached, ...(vary && { vary }) });
  }
  const content =
    typeof body === 'function' ? ((await body(acceptsGzip(request))) as Encoded<unknown>) : Encoded.of(body);
  await beforeSent?.();
  const all = { ...cached, ...headers, 'content-type': `${type}; charset=utf-8` };
  return withHeaders(respondWith(content, h), all);
}

/** Maximum size of a response that is copied into one piece, in bytes. */
const maxCopied = 64 * 1024;

/** Large pieces are sent as they are: a copy would take longer than everything else, and as much memory for each slow client. */
export function respondWith(content: Encoded<unknown>, h: ResponseToolkit): ResponseObject {
  const { pieces, size, isGzip } = content;
  const response =
    pieces.length === 1 || size <= maxCopied ? h.response(content.bytes) : h.response(streamOf(pieces)).bytes(size);
  return isGzip ? response.header('content-encoding', 'gzip') : response;
}

/** Hapi writes it with `writeToStream`. It would end a request once the last piece is queued, though the client reads nothing. */
function streamOf(pieces: readonly Buffer[]): Readable {
  const writeToStream = (response: Writable): void => {
    for (const piece of pieces) response.write(piece);
    response.end();
  };
  return Object.assign(Readable.from(pieces, { objectMode: false }), { writeToStream });
}

/** Whether a client accepts gzip, the only encoding that the server has. Every client that has another one has it, too. */
export function acceptsGzip({ raw }: Request): boolean {
  return new Negotiator(raw.req).encoding(['gzip', 'identity']) === 'gzip';
}

function variedByEncoding(headers: Record<string, string>): Record<string, string> {
  const { vary } = headers;
  return { ...headers, vary: vary === undefined ? 'accept-encoding' : `${vary}, accept-encoding` };
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

/** Content that is the same in every response. It is compressed once: a flood costs no compression. */
export class StaticContent {
  readonly #type: string;
  readonly #content: Encoded<Buffer>;
  #gzipped: Promise<Encoded<Buffer>> | undefined;

  /** @param type of text */
  constructor(type: string, content: string | Buffer) {
    this.#type = type;
    this.#content = Encoded.of(Buffer.from(content));
  }

  /** @param headers `cache-control` is `no-cache` unless it is here */
  async respond(request: Request, h: ResponseToolkit, headers: Record<string, string>): Promise<ResponseObject> {
    const isPrivate = queryOf(request).hasAccessToken;
    const content = (acceptsGzip(request) && (await this.#compressed())) || this.#content;
    const all = {
      'cache-control': isPrivate ? 'private, no-store' : 'no-cache',
      ...(!isPrivate && { etag: `"${this.#content.tag}${content.isGzip ? '-gzip' : ''}"` }),
      ...variedByEncoding(headers),
    };
    return withHeaders(respondWith(content, h).type(`${this.#type}; charset=utf-8`), all);
  }

  #compressed(): Promise<Encoded<Buffer>> | undefined {
    this.#gzipped ??= this.#content.gzipped();
    return this.#gzipped;
  }
}
