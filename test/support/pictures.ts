/** Reads pictures of codes with programs that have nothing in common with what drew them: resvg and ZXing. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Resvg } from '@resvg/resvg-js';
import sharp from 'sharp';
import { installed } from './packages.ts';

interface Found {
  text: string;
  format: string;
  /** AIM's: `]Q1` QR, `]d1` Data Matrix ECC 200, `]d2` the same with GS1's FNC1. */
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
export async function decode(png: Buffer) {
  zxing ??= loadZxing();
  const found = await (await zxing).readBarcodes(new Uint8Array(png), { tryHarder: true });
  return found.map(({ text, format, symbologyIdentifier }) => ({ text, format, symbology: symbologyIdentifier }));
}

/** An SVG as a printer with this resolution draws its millimetres. */
export function rasterise(svg: string, dpi: number): Buffer {
  return new Resvg(svg, { dpi, fitTo: { mode: 'original' } }).render().asPng();
}

/** A picture whose left half is red and whose right half is blue. */
export function halves(width: number, height: number): ReturnType<typeof sharp> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let index = 0; index < width * height; index += 1) pixels[index * 3 + (index % width < width / 2 ? 0 : 2)] = 230;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
