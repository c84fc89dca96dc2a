/** Providers whose responses are unusual on the wire. They need a connection. */
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { at } from './call.ts';
import { type Change, error, instead, responds, withHeader } from './change.ts';
import { type Unusual, unusual } from './row.ts';

/** Changes the bytes of every body. */
function everyBody(change: (bytes: Uint8Array) => BodyInit, header: string, value: string): Change {
  return responds(at.everywhere, async (response) => {
    const bytes = new Uint8Array(await response.arrayBuffer());
    const changed = new Response(bytes.length === 0 ? null : change(bytes), response);
    return bytes.length === 0 ? changed : withHeader(changed, header, value);
  });
}

const compressed = (compress: (bytes: Uint8Array) => Uint8Array, encoding: string): Change =>
  everyBody((bytes) => new Uint8Array(compress(bytes)), 'content-encoding', encoding);

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

/** One response at a time. */
export function inTurn(ways: readonly Unusual[]): Change {
  return (service) => {
    let count = 0;
    const handlers = ways.map(({ change }) => change(service));
    return async (call) => {
      count += 1;
      return (handlers[count % handlers.length] ?? service.fetch)(call);
    };
  };
}

export const encodings: readonly Unusual[] = [
  unusual('gzip', 'Bodies are compressed with gzip.').does(compressed(gzipSync, 'gzip')),
  unusual('brotli', 'Bodies are compressed with Brotli.').does(compressed(brotliCompressSync, 'br')),
  unusual('deflate', 'Bodies are compressed with deflate.').does(compressed(deflateSync, 'deflate')),
];

export const otherWays: readonly Unusual[] = [
  unusual('chunked', 'Bodies come in small chunks.').does(everyBody(inChunks, 'transfer-encoding', 'chunked')),
  unusual('connection-close', 'The connection closes after every response.').does(
    everyBody((bytes) => new Uint8Array(bytes), 'connection', 'close'),
  ),
  unusual('rate-limited', 'Some requests get 429 with Retry-After, and succeed the second time.').counts((requests) =>
    instead(at.everywhere, () =>
      requests.next() % 50 === 0
        ? withHeader(error(429, 'rate_limited', 'Too many requests.'), 'retry-after', '0')
        : undefined,
    ),
  ),
];
