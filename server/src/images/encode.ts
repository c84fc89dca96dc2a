/** Makes the image of a product from a file. Only the command line loads this. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { Sharp, SharpOptions } from 'sharp';
import { OperatorError } from '../operator-error.ts';
import { maxBytes, maxFileBytes, maxFilePixels, maxSide, plainWebpSize, type Size } from './rules.ts';

/** The version that is tested. Versions before 0.35.0 have holes in what decodes untrusted files (GHSA-f88m-g3jw-g9cj). */
const version = '0.35.5';

/** A file that cannot become an image. The message says why, and what to do. */
const unusable = (message: string, options?: ErrorOptions) => new OperatorError(message, 2, options);

/** The first bytes of the formats that are decoded. */
const isPng = (start: string): boolean => start.startsWith('\x89PNG\r\n\x1a\n');
const isJpeg = (start: string): boolean => start.startsWith('\xff\xd8\xff');
const isWebp = (start: string): boolean => start.startsWith('RIFF') && start.endsWith('WEBP');

/** Decoding stops at a warning. */
const strict: SharpOptions = { failOn: 'warning', limitInputPixels: maxFilePixels };

/** Tried in this order, until the image is small enough. */
const attempts = [
  { side: maxSide, quality: 80 },
  { side: maxSide, quality: 60 },
  { side: maxSide * 0.75, quality: 60 },
  { side: maxSide * 0.5, quality: 50 },
];

/**
 * Decodes a PNG, JPEG or WebP file, and encodes its pixels as a new WebP file: upright, white where it was transparent,
 * in sRGB, at most `maxSide` wide and high. Nothing else of the file stays: no metadata, no colour profile, no bytes that
 * another program could read as something else.
 *
 * @throws OperatorError
 */
export async function encodeImage(file: string): Promise<Size & { bytes: Buffer }> {
  const sharp = await loadSharp();
  const input = await read(file);
  try {
    await refuseForm(file, sharp(input, { ...strict, limitInputPixels: false }));
    for (const attempt of attempts) {
      const bytes = await encode(sharp(input, strict), attempt);
      const size = plainWebpSize(bytes);
      if (size) return { bytes, ...size };
    }
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    if (/timeout/i.test(String(error))) {
      throw unusable(`${file} takes longer than 30 seconds to decode. Save the picture in a smaller size.`);
    }
    throw unusable(`${file} is damaged or incomplete. Export the picture again.`, { cause: error });
  }
  throw unusable(`${file} cannot be made smaller than ${maxBytes} bytes. Use a simpler picture.`);
}

/** What is wrong with the bytes of an image that this program may have encoded. */
export async function pictureProblem(bytes: Buffer): Promise<string | undefined> {
  try {
    const sharp = await loadSharp();
    await sharp(bytes, strict).timeout({ seconds: 30 }).stats();
    return undefined;
  } catch (error) {
    return error instanceof OperatorError ? `${error.message}.` : 'the bytes of its image cannot be decoded.';
  }
}

async function loadSharp() {
  try {
    const { default: sharp } = await import('sharp');
    sharp.cache(false);
    // No other decoder may run, whatever a file pretends to be.
    sharp.block({ operation: ['VipsForeignLoad'] });
    sharp.unblock({ operation: ['VipsForeignLoadPng', 'VipsForeignLoadJpeg', 'VipsForeignLoadWebp'] });
    return sharp;
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const fault = code.endsWith('MODULE_NOT_FOUND') ? 'is not installed' : 'cannot be loaded';
    throw new OperatorError(`images need the package sharp, which ${fault}. Install it: npm install sharp@${version}`);
  }
}

async function read(file: string): Promise<Buffer> {
  const bytes = await beginning(file, maxFileBytes + 1);
  if (bytes.length > maxFileBytes) {
    throw unusable(`${file} has more than 5 MB. Save the picture in a smaller size.`);
  }
  const start = bytes.toString('latin1', 0, 12);
  if (isPng(start) || isJpeg(start) || isWebp(start)) return bytes;
  throw unusable(`${file} is not a PNG, JPEG or WebP file. Save the picture in one of these formats.`);
}

/** The first bytes of a file. A pipe could make the command wait forever. */
async function beginning(file: string, length: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  try {
    const stats = await stat(file);
    if (!stats.isFile() && !stats.isDirectory()) {
      throw unusable(`${file} is not a regular file. Name a PNG, JPEG or WebP file.`);
    }
    for await (const part of createReadStream(file, { end: length - 1 })) parts.push(part);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    const fault = code === 'ENOENT' ? 'does not exist' : `cannot be read (${code})`;
    throw unusable(`the file ${file} ${fault}. Name a PNG, JPEG or WebP file.`);
  }
  return Buffer.concat(parts);
}

/** Reads the header only. */
async function refuseForm(file: string, picture: Sharp): Promise<void> {
  const { width, height, pages = 1 } = await picture.metadata();
  if (width * height > maxFilePixels) {
    const size = `${width} × ${height} pixels`;
    throw unusable(`${file} has ${size}, which is more than 20 megapixels. Save the picture in a smaller size.`);
  }
  if (pages > 1) throw unusable(`${file} is animated. Use a picture that does not move.`);
}

function encode(picture: Sharp, { side, quality }: (typeof attempts)[number]): Promise<Buffer> {
  return picture
    .autoOrient()
    .flatten({ background: '#fff' })
    .resize({ width: side, height: side, fit: 'inside', withoutEnlargement: true })
    .webp({ quality, smartSubsample: true })
    .timeout({ seconds: 30 })
    .toBuffer();
}
