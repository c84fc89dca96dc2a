/** Reads pictures of codes with programs that have nothing in common with what drew them: resvg and ZXing. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { Resvg } from '@resvg/resvg-js';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

const wasm = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
// Without it ZXing would fetch its binary from the network.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(await readFile(wasm)).buffer } });

export interface Code {
  text: string;
  format: string;
  /** AIM's symbology identifier: `]Q1` QR, `]d1` Data Matrix ECC 200, `]d2` the same with GS1's FNC1. */
  symbology: string;
}

/** Every code that the picture shows. */
export async function decode(png: Buffer): Promise<Code[]> {
  const found = await readBarcodes(new Uint8Array(png), { tryHarder: true });
  return found.map(({ text, format, symbologyIdentifier }) => ({ text, format, symbology: symbologyIdentifier }));
}

/** An SVG as a printer of so many dots an inch makes it of its millimetres. */
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
