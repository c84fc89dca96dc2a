import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, gzip } from 'node:zlib';
import type { Request, ResponseObject, ResponseToolkit } from '@hapi/hapi';
import { withHeaders } from './representation.ts';
import { queryOf } from './target.ts';

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
