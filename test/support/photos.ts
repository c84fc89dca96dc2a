/** Files that a tenant uploads as the image of a product. */
import { randomBytes } from 'node:crypto';
import { crc32 } from 'node:zlib';
import sharp from 'sharp';

/** A picture whose left half is red and whose right half is blue. */
export function halves(width: number, height: number): ReturnType<typeof sharp> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let index = 0; index < width * height; index += 1) pixels[index * 3 + (index % width < width / 2 ? 0 : 2)] = 230;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

export function white(width: number, height: number): ReturnType<typeof sharp> {
  return sharp({ create: { width, height, channels: 3, background: '#fff' } });
}

/** A picture that no format can make small. */
export function noise(width: number, height: number): ReturnType<typeof sharp> {
  const pixels = randomBytes(width * height * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Adds a chunk to a PNG file, behind its header. */
export function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, 33), chunk(type, data), png.subarray(33)]);
}

/** A PNG file whose header claims another size. */
export function withSize(png: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from(png.subarray(16, 29));
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  return Buffer.concat([png.subarray(0, 8), chunk('IHDR', header), png.subarray(33)]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const made = Buffer.alloc(body.length + 8);
  made.writeUInt32BE(data.length);
  body.copy(made, 4);
  made.writeUInt32BE(crc32(body), body.length + 4);
  return made;
}
