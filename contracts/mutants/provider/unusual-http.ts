/** Providers whose responses are unusual on the wire. They need a connection. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { Unusual, Wrap } from './alter.ts';

/** Changes the bytes of every body. */
function everyBody(change: (bytes: Uint8Array) => BodyInit, added: Readonly<Record<string, string>> = {}): Wrap {
  return (service) => async (request) => {
    const response = await service.fetch(request);
    const bytes = new Uint8Array(await response.arrayBuffer());
    if (bytes.length === 0) return new Response(null, response);
    const headers = new Headers(response.headers);
    for (const [name, value] of Object.entries(added)) headers.set(name, value);
    return new Response(change(bytes), { status: response.status, headers });
  };
}

/** The bytes one by one, up to the tenth, and then the rest. */
function inChunks(bytes: Uint8Array): ReadableStream {
  return new ReadableStream({
    start(controller) {
      for (const byte of bytes.slice(0, 10)) controller.enqueue(Uint8Array.of(byte));
      controller.enqueue(bytes.slice(10));
      controller.close();
    },
  });
}

const copied = (bytes: Uint8Array) => new Uint8Array(bytes);

export const unusualOnTheWire: readonly Unusual[] = [
  {
    id: 'gzip',
    freedom: 'Bodies are compressed with gzip.',
    wrap: everyBody((bytes) => copied(gzipSync(bytes)), { 'content-encoding': 'gzip' }),
  },
  {
    id: 'brotli',
    freedom: 'Bodies are compressed with Brotli.',
    wrap: everyBody((bytes) => copied(brotliCompressSync(bytes)), { 'content-encoding': 'br' }),
  },
  {
    id: 'deflate',
    freedom: 'Bodies are compressed with deflate.',
    wrap: everyBody((bytes) => copied(deflateSync(bytes)), { 'content-encoding': 'deflate' }),
  },
  { id: 'chunked', freedom: 'Bodies come in small chunks.', wrap: everyBody(inChunks) },
  {
    id: 'connection-close',
    freedom: 'The connection closes after every response.',
    wrap: everyBody((bytes) => copied(bytes), { connection: 'close' }),
  },
  {
    id: 'rate-limited',
    freedom: 'Some requests get 429 with Retry-After, and succeed the second time.',
    wrap: (service) => {
      let count = 0;
      return async (request) => {
        count += 1;
        if (count % 50 !== 0) return service.fetch(request);
        const body = { error: { code: 'rate_limited', message: 'Too many requests.' } };
        return Response.json(body, { status: 429, headers: { 'retry-after': '0' } });
      };
    },
  },
];
