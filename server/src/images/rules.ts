import { hash } from 'node:crypto';

/** What a file may be that becomes an image. */
export const maxFileBytes = 5_000_000;
export const maxFilePixels = 20_000_000;

/** In code points. */
export const maxAlt = 250;

/** The only media type that is stored and served. */
export const mediaType = 'image/webp';

/** The longest side of a stored image. A page shows 208 pixels of CSS, and a phone has up to three pixels for each. */
export const maxSide = 640;

/** Of a stored image. */
export const maxBytes = 100_000;

export interface Size {
  width: number;
  height: number;
}

/** The image of a product, without its bytes. */
export interface ImageInfo extends Size {
  sha256: string;
  media_type: typeof mediaType;
  /** What it shows, in the language of the tenant. `null`: the name of the product. */
  alt: string | null;
}

/**
 * The size of a WebP file with one lossy picture and nothing else: no metadata, no animation, no alpha channel, no bytes
 * after it. `undefined` for every other file.
 */
export function plainWebpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.length > maxBytes) return undefined;
  const tags = [bytes.toString('latin1', 0, 4), bytes.toString('latin1', 8, 16)].join();
  const pictureLength = bytes.readUInt32LE(16);
  const isWhole =
    bytes.readUInt32LE(4) === bytes.length - 8 && 20 + pictureLength + (pictureLength % 2) === bytes.length;
  // The frame of VP8 (RFC 6386, section 9.1): bit 0 is 0 for a key frame, then its start code and its size.
  const isKeyFrame = (bytes.readUInt8(20) & 1) === 0 && bytes.readUIntBE(23, 3) === 0x9d012a;
  if (tags !== 'RIFF,WEBPVP8 ' || !isWhole || !isKeyFrame) return undefined;
  const [width, height] = [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  return Math.min(width, height) >= 1 && Math.max(width, height) <= maxSide ? { width, height } : undefined;
}

/** Identifies the bytes of an image. */
export function imageHash(bytes: Buffer): string {
  return hash('sha256', bytes, 'hex');
}
