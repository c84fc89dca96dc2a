import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { WireResponse } from './exchange.ts';

/** A larger response ends its case. */
export const maxBytes = 16 * 1024 * 1024;

/** The body without its `Content-Encoding`. An unknown encoding is left as it is. */
export function decoded(bytes: Buffer, encoding = ''): Buffer {
  const options = { maxOutputLength: maxBytes };
  if (bytes.length === 0) return bytes;
  if (encoding === 'gzip') return gunzipSync(bytes, options);
  if (encoding === 'br') return brotliDecompressSync(bytes, options);
  return encoding === 'deflate' ? inflateSync(bytes, options) : bytes;
}

/** The text of a body, and whether its bytes are UTF-8. */
export function textOf(bytes: Buffer): Pick<WireResponse, 'text' | 'isUtf8'> {
  return { text: bytes.toString('utf8'), ...(isUtf8(bytes) ? {} : { isUtf8: false }) };
}
