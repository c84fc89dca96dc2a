/** Reads the body of a response. A provider may send anything, so that size, depth and number of values have limits. */
import { isUtf8 } from 'node:buffer';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { WireResponse } from './exchange.ts';

/** The largest passport has 5,000 values, 2 MiB and 32 levels. */
export const limits = {
  /** Before and after decoding. */
  bytes: 6 * 1024 * 1024,
  /** Nested lists and objects. */
  levels: 100,
  /** In the whole body. */
  values: 250_000,
  /** In one list or object. */
  items: 10_000,
} as const;

export type Body = Pick<WireResponse, 'text' | 'isUtf8' | 'unreadable'>;

/** The body without its `Content-Encoding`. An unknown encoding is left as it is. */
export function decodeBody(
  bytes: Buffer,
  encoding = '',
  maxBytes: number = limits.bytes,
  decode?: (bytes: Buffer) => string,
): Body {
  if (bytes.length > maxBytes) return tooLarge(maxBytes);
  try {
    return textOf(decoded(bytes, encoding, maxBytes), decode);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') return tooLarge(maxBytes);
    return { text: '', unreadable: `is not valid ${encoding}` };
  }
}

/** The body of a stream. It reads no further than the limit. */
export async function readBody(
  stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  encoding?: string,
  maxBytes: number = limits.bytes,
  decode?: (bytes: Buffer) => string,
): Promise<Body> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += chunk.length;
    if (length > maxBytes) return tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return decodeBody(Buffer.concat(chunks), encoding, maxBytes, decode);
}

/** About the memory of the bodies that a run keeps, parsed ones too, in bytes. A run of all cases against the demo takes 14 MiB. */
const memoryOfRun = 64 * 1024 * 1024;

/** Keeps the bodies of a run within its memory: later ones are unreadable. */
export class Memory {
  #used = 0;

  /** Whether no further body is kept. */
  get isFull(): boolean {
    return this.#used > memoryOfRun;
  }

  kept(response: WireResponse): WireResponse {
    const bytes = Buffer.from(response.text);
    // Node keeps a text with a single wide character at two bytes each; the parsed values take as much again.
    const width = bytes.length === response.text.length ? 1 : 2;
    const own = 2 * width * response.text.length + 32 * shapeOf(bytes).values;
    // An unreadable body is not kept, but reading it took memory and time.
    this.#used += response.unreadable === undefined ? own : limits.bytes / 4;
    return this.isFull
      ? { ...response, text: '', unreadable: 'is not kept, because the responses of the run are too large' }
      : response;
  }
}

function tooLarge(maxBytes: number): Body {
  return { text: '', unreadable: `has more than ${maxBytes} bytes` };
}

function decoded(bytes: Buffer, encoding: string, maxBytes: number): Buffer {
  const options = { maxOutputLength: maxBytes };
  if (bytes.length === 0) return bytes;
  if (encoding === 'gzip') return gunzipSync(bytes, options);
  if (encoding === 'br') return brotliDecompressSync(bytes, options);
  return encoding === 'deflate' ? inflateSync(bytes, options) : bytes;
}

/** The text of bytes, whether they are UTF-8, and whether their JSON may be parsed. */
export function textOf(bytes: Buffer, decode = (all: Buffer): string => all.toString('utf8')): Body {
  const unreadable = excessIn(shapeOf(bytes));
  if (unreadable !== undefined) return { text: '', unreadable };
  return { text: decode(bytes), ...(isUtf8(bytes) ? {} : { isUtf8: false }) };
}

function excessIn({ levels, items, values }: ReturnType<typeof shapeOf>): string | undefined {
  if (levels > limits.levels) return `has more than ${limits.levels} levels`;
  if (items > limits.items) return `has a list or an object with more than ${limits.items} elements`;
  return values > limits.values ? `has more than ${limits.values} values` : undefined;
}

const [quote, backslash, comma] = Buffer.from('"\\,');

/** What each byte of JSON does. A table, because a body has millions of them. */
const acts = new Uint8Array(256);
const [opens, closes, separates, quotes] = [1, 2, 3, 4] as const;
for (const byte of Buffer.from('[{')) acts[byte] = opens;
for (const byte of Buffer.from(']}')) acts[byte] = closes;
acts[comma ?? 0] = separates;
acts[quote ?? 0] = quotes;

/** Counts without parsing, which may take 40 times the memory of the text. Text that does not begin as JSON has no shape. */
function shapeOf(bytes: Buffer) {
  if (!beginsAsJson(bytes)) return { levels: 0, items: 0, values: 0 };
  /** The elements of each open list and object. */
  const open: number[] = [];
  // The maximum nesting, the maximum number of elements in one list or object, and the number of all values.
  let [levels, items, values] = [0, 0, 0];
  for (let at = 0; at < bytes.length && levels <= limits.levels; at += 1) {
    const act = acts[bytes[at] ?? 0];
    if (act === quotes) at = endOfString(bytes, at);
    else if (act === closes) open.pop();
    else if (act === opens || act === separates) {
      const count = act === opens ? 1 : (open.pop() ?? 0) + 1;
      open.push(count);
      levels = Math.max(levels, open.length);
      items = Math.max(items, count);
      values += 1;
    }
  }
  return { levels, items, values };
}

function beginsAsJson(bytes: Buffer): boolean {
  const first = bytes.find((byte) => byte > 0x20) ?? 0;
  return acts[first] === opens;
}

function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    if (bytes[at] === backslash) at += 1;
    else if (bytes[at] === quote) return at;
  }
  return bytes.length;
}
