/** What `product image set` makes of a file, and the files that it refuses. */
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { encodeImage } from '../../../server/src/images/encode.ts';
import { maxBytes, plainWebpSize } from '../../../server/src/images/rules.ts';
import { newFolder } from '../../support/files.ts';
import { halves } from '../../support/pictures.ts';
import { root, run } from '../../support/program.ts';
import { rejection } from '../../support/thrown.ts';

const folder = newFolder();

beforeAll(async () => {
  await run(`mkfifo ${join(folder, 'pipe')}`);
});

async function fileWith(bytes: Buffer | string, name = 'picture.png'): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, bytes);
  return file;
}

async function encoded(bytes: Buffer): Promise<{ bytes: Buffer; width: number; height: number }> {
  const made = await encodeImage(await fileWith(bytes));
  const { format, exif, icc, xmp, hasAlpha, pages, width, height } = await sharp(made.bytes).metadata();
  expect({ format, exif, icc, xmp, hasAlpha, pages, width, height }).toEqual({
    ...{ format: 'webp', exif: undefined, icc: undefined, xmp: undefined, hasAlpha: false, pages: undefined },
    ...{ width: made.width, height: made.height },
  });
  expect(made.bytes.length).toBeLessThanOrEqual(maxBytes);
  return made;
}

function white(width: number, height: number): ReturnType<typeof sharp> {
  return sharp({ create: { width, height, channels: 3, background: '#fff' } });
}

/** A picture that no format can make small. */
function noise(width: number, height: number): ReturnType<typeof sharp> {
  const pixels = randomBytes(width * height * 3);
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}

/** Adds a chunk to a PNG file, after its header. */
function withChunk(png: Buffer, type: string, data: Buffer): Buffer {
  return Buffer.concat([png.subarray(0, 33), chunk(type, data), png.subarray(33)]);
}

/** A PNG file whose header claims another size. */
function withSize(png: Buffer, width: number, height: number): Buffer {
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

/** The colour of a pixel: red, green or blue, or all of them. */
async function colourAt(webp: Buffer, left: number, top: number): Promise<string> {
  const pixel = await sharp(webp).extract({ left, top, width: 1, height: 1 }).raw().toBuffer();
  return ['red', 'green', 'blue'].filter((_, index) => Number(pixel[index]) > 128).join();
}

test('a photo is turned upright, and the place where it was taken is gone', async () => {
  const place = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '52/1 31/1 0/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '13/1 24/1 0/1',
  };
  const exif = { IFD0: { Copyright: 'Geheim' }, IFD3: place };
  const photo = await halves(1400, 700).jpeg().withMetadata({ orientation: 6 }).withExifMerge(exif).toBuffer();
  expect((await sharp(photo).metadata()).orientation).toBe(6);
  expect(photo.includes('Geheim')).toBe(true);
  const { bytes, width, height } = await encoded(photo);
  expect([width, height]).toEqual([320, 640]);
  expect([await colourAt(bytes, 160, 20), await colourAt(bytes, 160, 620)]).toEqual(['red', 'blue']);
  for (const trace of ['Geheim', 'Exif', 'EXIF']) expect([trace, bytes.includes(trace)]).toEqual([trace, false]);
});

test('the texts of a PNG, and what stands after its end, are gone', async () => {
  const png = await halves(64, 64).png().toBuffer();
  const text = withChunk(png, 'tEXt', Buffer.from('Comment\0Geheim', 'latin1'));
  const { bytes, width, height } = await encoded(Buffer.concat([text, Buffer.from('<script>alert(1)</script>')]));
  expect([width, height]).toEqual([64, 64]);
  expect([bytes.includes('Geheim'), bytes.includes('script')]).toEqual([false, false]);
});

test('a transparent picture stands on white', async () => {
  const clear = { r: 0, g: 0, b: 0, alpha: 0 };
  const { bytes } = await encoded(
    await sharp({ create: { width: 9, height: 9, channels: 4, background: clear } })
      .png()
      .toBuffer(),
  );
  expect(await colourAt(bytes, 4, 4)).toBe('red,green,blue');
});

test.each([
  ['a JPEG for print, in CMYK', () => halves(300, 200).toColourspace('cmyk').jpeg().toBuffer()],
  ['a grey PNG of 16 bits', () => halves(300, 200).toColourspace('grey16').png().toBuffer()],
  ['a lossless WebP with alpha', () => halves(300, 200).ensureAlpha(0.5).webp({ lossless: true }).toBuffer()],
  ['a picture of 20 megapixels', () => white(5000, 4000).png().toBuffer()],
  ['noise', () => noise(1000, 1000).jpeg({ quality: 90 }).toBuffer()],
  ['a picture that is one pixel high', () => halves(20_000, 1).png().toBuffer()],
])('%s becomes an image', async (_, make) => {
  const { width, height } = await encoded(await make());
  expect(Math.max(width, height)).toBeGreaterThanOrEqual(300);
});

const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

const png = (): Promise<Buffer> => halves(8, 8).png().toBuffer();
const firstHalf = (bytes: Buffer): Buffer => bytes.subarray(0, bytes.length / 2);

const hostile: Record<string, () => Buffer | string | Promise<Buffer>> = {
  'an SVG with the name of a PNG': () => svg,
  'an SVG after the start of a PNG': () => Buffer.from(`\x89PNG\r\n\x1a\n${svg}`, 'latin1'),
  'a GIF': () => Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64'),
  'a TIFF': () => halves(8, 8).tiff().toBuffer(),
  'an AVIF': () => halves(8, 8).avif().toBuffer(),
  'a WAV': () => 'RIFF\x24\0\0\0WAVEfmt ',
  'a text that has WEBP where a WebP has it': () => 'A text: WEBP',
  'an empty file': () => '',
  'more than 20 megapixels': async () => withSize(await png(), 5000, 4001),
  'a bomb': async () => withSize(await png(), 60_000, 60_000),
  'a size that the pixels do not fill': async () => withSize(await png(), 4000, 4000),
  'more than 5 MB': async () => Buffer.concat([await png(), Buffer.alloc(5_000_000)]),
  'half of a JPEG': async () => firstHalf(await noise(300, 300).jpeg().toBuffer()),
  'half of a PNG': async () => firstHalf(await noise(300, 300).png().toBuffer()),
  'half of a WebP': async () => firstHalf(await noise(300, 300).webp().toBuffer()),
  'a WebP that moves': moving,
};

test.each(Object.entries(hostile))('a hostile file is refused: %s', async (_, make) => {
  const file = await fileWith(await make(), 'hostile.png');
  const error = await rejection(() => encodeImage(file));
  expect(`${error}`.replace(folder, '')).toMatchSnapshot();
});

test.each(['none.png', '', '/dev/zero', 'pipe'])('what is not a file of pixels is refused: %j', async (name) => {
  const error = await rejection(() => encodeImage(name.startsWith('/') ? name : join(folder, name)));
  expect(`${error}`.replace(folder, '')).toMatchSnapshot();
});

test('only one plain picture is a stored image', async () => {
  const plain = await halves(40, 20).webp().toBuffer();
  expect(plainWebpSize(plain)).toEqual({ width: 40, height: 20 });
  const others = [
    await halves(40, 20)
      .webp()
      .withExif({ IFD0: { Copyright: 'x' } })
      .toBuffer(),
    await halves(40, 20).webp({ lossless: true }).toBuffer(),
    await halves(40, 20).ensureAlpha(0.5).webp().toBuffer(),
    await halves(641, 20).webp().toBuffer(),
    await halves(40, 20).png().toBuffer(),
    await moving(),
    Buffer.concat([plain, Buffer.from('<script>')]),
    plain.subarray(0, -2),
    withSecondChunk(plain),
    // A frame that needs one before it, a frame with another start code, and a picture without width.
    Buffer.from(plain).fill(plain.readUInt8(20) | 1, 20, 21),
    Buffer.from(plain).fill(0, 24, 25),
    Buffer.from(plain).fill(0, 26, 28),
    Buffer.alloc(0),
  ];
  expect(others.map(plainWebpSize)).toEqual(others.map(() => undefined));
});

test('without sharp the command says how to install it, and others work', async () => {
  const missing = `import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      if (name !== 'sharp') return next(name, context);
      throw Object.assign(new Error('No sharp.'), { code: 'ERR_MODULE_NOT_FOUND' });
    } });`;
  const program = `node --import "data:text/javascript,${encodeURIComponent(missing)}" server/src/cli/main.ts`;
  const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const install = `npm install sharp@${devDependencies.sharp}`;
  expect(await run(`${program} product image set cup cup.png --tenant shop`)).toEqual({
    code: 1,
    stdout: '',
    stderr: `product-passport: images need the package sharp, which is not installed. Install it: ${install}\n`,
  });
  expect(await run(`${program} template show textile`)).toMatchObject({ code: 0, stderr: '' });
  expect(await readFile(join(root, 'docs/how-to/products.md'), 'utf8')).toContain(`${install}\n`);
});

/** A WebP file with a chunk after its picture, which it counts as its own. */
function withSecondChunk(webp: Buffer): Buffer {
  const made = Buffer.concat([webp, Buffer.from('EXIF\x04\0\0\0abcd', 'latin1')]);
  made.writeUInt32LE(made.length - 8, 4);
  return made;
}

/** An animation of two pictures. */
async function moving(): Promise<Buffer> {
  const pixels = await noise(16, 32).raw().toBuffer();
  return sharp(pixels, { raw: { width: 16, height: 32, channels: 3, pageHeight: 16 } })
    .webp({ delay: [100, 100], loop: 0 })
    .toBuffer();
}
