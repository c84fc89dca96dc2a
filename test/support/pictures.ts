/** Reads pictures of codes with programs that have nothing in common with what drew them: resvg and ZXing. */

import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { installed } from './packages.ts';

export interface Code {
  text: string;
  format: string;
  /** AIM's symbology identifier: `]Q1` QR, `]d1` Data Matrix ECC 200, `]d2` the same with GS1's FNC1. */
  symbology: string;
}

interface Found {
  text: string;
  format: string;
  symbologyIdentifier: string;
}

interface Zxing {
  prepareZXingModule(options: { overrides: { wasmBinary: ArrayBuffer } }): void;
  readBarcodes(png: Uint8Array, options: { tryHarder: boolean }): Promise<Found[]>;
}

let zxing: Promise<Zxing> | undefined;

async function loadZxing(): Promise<Zxing> {
  const require = createRequire(join(await installed(['zxing-wasm@3.1.4']), 'package.json'));
  const loaded: Zxing = require('zxing-wasm/reader');
  const binary = await readFile(require.resolve('zxing-wasm/reader/zxing_reader.wasm'));
  // Without it ZXing would fetch its binary from the network.
  loaded.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(binary).buffer } });
  return loaded;
}

/** Every code that the picture shows. */
export async function decode(png: Buffer): Promise<Code[]> {
  zxing ??= loadZxing();
  const found = await (await zxing).readBarcodes(new Uint8Array(png), { tryHarder: true });
  return found.map(({ text, format, symbologyIdentifier }) => ({ text, format, symbology: symbologyIdentifier }));
}

/** An SVG as a printer with this resolution draws its millimetres. */
export function rasterise(svg: string, dpi: number): { png: Buffer; width: number; height: number } {
  const drawn = new Resvg(svg, { dpi, fitTo: { mode: 'original' } }).render();
  return { png: drawn.asPng(), width: drawn.width, height: drawn.height };
}

/** The grey of each pixel, row by row, at this width. */
export function greys(svg: string, width: number): number[][] {
  const { pixels } = new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render();
  return Array.from({ length: width }, (_, y) =>
    Array.from({ length: width }, (_, x) => pixels.readUInt8((y * width + x) * 4)),
  );
}

/** The grey of each pixel of a PNG, row by row. */
export function greysOfPng(png: Buffer): number[][] {
  const { width } = pngHeader(png);
  const href = `data:image/png;base64,${png.toString('base64')}`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${width}"><image href="${href}" width="${width}" height="${width}" image-rendering="optimizeSpeed"/></svg>`;
  return greys(svg, width);
}

/** Width and height in pixels, and pixels a metre (PNG, 11.2.1 and 11.3.4.3). */
export function pngHeader(png: Buffer): { width: number; height: number; perMetre: number[] } {
  const at = png.indexOf('pHYs') + 4;
  return {
    width: png.readUInt32BE(16),
    height: png.readUInt32BE(20),
    // The last byte says that the unit is the metre.
    perMetre: png.readUInt8(at + 8) === 1 ? [png.readUInt32BE(at), png.readUInt32BE(at + 4)] : [],
  };
}

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

/** Adds a chunk to a PNG file, after its header. */
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
