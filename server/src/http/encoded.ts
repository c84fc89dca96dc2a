/** Bodies that are encoded once and sent many times, and their compression. */
import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { constants, crc32, deflateRaw, gzip } from 'node:zlib';

/** Minimum size of content that is compressed, in bytes. Compression hardly shortens less. */
const minCompressed = 1024;

/** Compressions at a time. SQLite needs the other threads of the pool. */
const maxCompressions = 2;

/** Compressions that wait for those. */
const maxWaiting = 32;

const compressed = promisify(gzip);
const deflated = promisify(deflateRaw);

let pending = 0;
const waiting: (() => void)[] = [];

/** Runs a compression, unless too many wait: then the content is sent without one. */
function compress<Result>(work: () => Promise<Result>): Promise<Result> | undefined {
  if (pending >= maxCompressions + maxWaiting) return undefined;
  pending += 1;
  const turn = pending <= maxCompressions || new Promise<void>((begin) => waiting.push(begin));
  const run = async (): Promise<Result> => {
    try {
      await turn;
      return await work();
    } finally {
      pending -= 1;
      waiting.shift()?.();
    }
  };
  return run();
}

/** A body as the bytes to send. It is encoded once and sent many times. */
export class Encoded<Body> {
  readonly pieces: readonly Buffer[];
  readonly isGzip: boolean;
  /** In bytes. */
  readonly size: number;
  #tag: string | undefined;
  /** The type of the body. It has no value. */
  declare readonly body: Body;

  constructor(pieces: readonly Buffer[], isGzip = false) {
    this.pieces = pieces;
    this.isGzip = isGzip;
    this.size = sizeOf(pieces);
  }

  /** Bytes and text as they are, anything else as JSON. */
  static of<Body>(body: Body): Encoded<Body> {
    if (Buffer.isBuffer(body)) return new Encoded<Body>([body]);
    return new Encoded<Body>([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))]);
  }

  /** JSON text in parts. */
  static ofJson<Body extends object>(...parts: (string | Uint8Array)[]): Encoded<Body> {
    const pieces = parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part));
    return new Encoded<Body>([Buffer.concat(pieces)]);
  }

  get bytes(): Buffer {
    const [first = Buffer.of(), ...others] = this.pieces;
    return others.length === 0 ? first : Buffer.concat(this.pieces);
  }

  /** Identifies the bytes. */
  get tag(): string {
    this.#tag ??= hash('sha256', this.bytes, 'base64url');
    return this.#tag;
  }

  /** Compressed; small content as it is. `undefined` if too much other content waits for it. */
  gzipped(): Promise<Encoded<Body>> | undefined {
    if (this.size < minCompressed) return Promise.resolve(this);
    return compress(async () => new Encoded<Body>([await compressed(this.bytes)], true));
  }
}

function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0);
}

/** The parts of a gzip file (RFC 1952) whose pieces are raw deflate blocks (RFC 1951). */
const gzipHeader = Buffer.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** An empty last block, the checksum and the length. */
function gzipEnd(checksum: number, length: number): Buffer {
  const end = Buffer.of(3, 0, 0, 0, 0, 0, 0, 0, 0, 0);
  end.writeUInt32LE(checksum, 2);
  end.writeUInt32LE(length, 6);
  return end;
}

/** The header of a block that is not compressed, of less than 64 KiB. */
function storedHeader(length: number): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt16LE(length, 1);
  header.writeUInt16LE(length ^ 0xffff, 3);
  return header;
}

/** A piece of a body as blocks, with what the checksum of the whole needs. */
interface Block {
  bytes: Buffer;
  checksum: number;
  length: number;
  power: number;
}

async function blockOf(piece: Buffer): Promise<Block> {
  const { length } = piece;
  const bytes =
    length < minCompressed
      ? Buffer.concat([storedHeader(length), piece])
      : // The blocks end with a whole byte, and refer to nothing before them.
        await deflated(piece, { finishFlush: constants.Z_SYNC_FLUSH });
  return { bytes, checksum: crc32(piece), length, power: powerOf(length) };
}

/** A body with gaps for what differs in each response. Its pieces are cut and compressed once. */
export class Gapped<Gap extends string> {
  readonly #pieces: readonly Buffer[];
  readonly #gaps: readonly Gap[];
  /** If it is compressed. */
  readonly #blocks: readonly Block[] | undefined;
  /** In bytes. */
  readonly size: number;

  private constructor(pieces: readonly Buffer[], gaps: readonly Gap[], blocks?: readonly Block[]) {
    this.#pieces = pieces;
    this.#gaps = gaps;
    this.#blocks = blocks;
    this.size = sizeOf(pieces);
  }

  /** @param gap has the name of the gap as its only group */
  static of<Gap extends string>(text: string, gap: RegExp): Gapped<Gap> {
    const parts = text.split(gap);
    const pieces = parts.filter((_, index) => index % 2 === 0).map((piece) => Buffer.from(piece));
    return new Gapped(pieces, parts.filter((_, index) => index % 2 === 1) as Gap[]);
  }

  /** Compressed. `undefined` if too much other content waits for it. */
  gzipped(): Promise<Gapped<Gap>> | undefined {
    return compress(async () => {
      const blocks: Block[] = [];
      for (const piece of this.#pieces) blocks.push(await blockOf(piece));
      return new Gapped(
        blocks.map(({ bytes }) => bytes),
        this.#gaps,
        blocks,
      );
    });
  }

  /** @param textOf a text of less than 64 KiB */
  filled<Body>(textOf: (gap: Gap) => string): Encoded<Body> {
    const texts = this.#gaps.map((gap) => Buffer.from(textOf(gap)));
    if (!this.#blocks) {
      return new Encoded(this.#pieces.flatMap((piece, index) => [piece, ...texts.slice(index, index + 1)]));
    }
    const sent: Buffer[] = [gzipHeader];
    let [checksum, length] = [0, 0];
    for (const [index, block] of this.#blocks.entries()) {
      sent.push(block.bytes);
      checksum = (product(block.power, checksum) ^ block.checksum) >>> 0;
      length += block.length;
      const text = texts[index];
      if (!text) continue;
      sent.push(storedHeader(text.length), text);
      checksum = crc32(text, checksum);
      length += text.length;
    }
    return new Encoded([...sent, gzipEnd(checksum, length)], true);
  }
}

/** The product of two polynomials modulo that of CRC-32. The highest bit is the coefficient of x⁰. */
function product(a: number, b: number): number {
  let sum = 0;
  for (let [bit, shifted] = [31, b]; bit >= 0; bit -= 1) {
    if ((a >>> bit) & 1) sum ^= shifted;
    shifted = shifted & 1 ? (shifted >>> 1) ^ 0xedb88320 : shifted >>> 1;
  }
  return sum >>> 0;
}

/** x to the power of the bits in a piece: a checksum times this is the checksum's part in that of what follows. */
function powerOf(length: number): number {
  let power = 0x80000000;
  let square = 0x00800000;
  for (let rest = length; rest > 0; rest >>>= 1) {
    if (rest & 1) power = product(square, power);
    square = product(square, square);
  }
  return power;
}
