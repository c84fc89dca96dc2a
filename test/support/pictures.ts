/** Reads pictures of codes with programs that have nothing in common with what drew them: resvg and ZXing. */

import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
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

/** The areas that Chrome fills on each sheet of a PDF, within their clips, as SVG: no text, line or image. */
export function sheetsOf(pdf: Buffer): string[] {
  const text = pdf.toString('latin1');
  const pages = text.matchAll(/\/MediaBox \[0 0 (\S+) (\S+)\].*?\/Contents (\d+) /gs);
  return [...pages].map(([, width, height, content]) => {
    const stream = text.indexOf('stream', text.indexOf(`\n${content} 0 obj`));
    const operations = inflateSync(pdf.subarray(text.indexOf('\n', stream) + 1)).toString('latin1');
    const size = `width="${width}pt" height="${height}pt" viewBox="0 0 ${width} ${height}"`;
    const paper = `<path fill="#fff" d="M0 0h${width}v${height}H0z"/>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${paper}<g transform="matrix(1 0 0 -1 0 ${height})">${areasOf(operations)}</g></svg>`;
  });
}

/** A group of SVG ends where the state of the PDF does. */
function areasOf(operations: string): string {
  const groups = [0];
  let [svg, path, clips] = ['', '', 0];
  const open = (attribute: string) => {
    groups.push((groups.pop() ?? 0) + 1);
    svg += `<g ${attribute}>`;
  };
  /** By the operators of ISO 32000, Annex A. */
  const draw: Record<string, (...operands: string[]) => void> = {
    q: () => groups.push(0),
    Q: () => (svg += '</g>'.repeat(groups.pop() ?? 0)),
    cm: (...matrix) => open(`transform="matrix(${matrix})"`),
    rg: (...colour) => open(`fill="rgb(${colour.map((part) => `${Number(part) * 100}%`)})"`),
    m: (...to) => (path += `M${to}`),
    l: (...to) => (path += `L${to}`),
    c: (...to) => (path += `C${to}`),
    h: () => (path += 'Z'),
    re: (x, y, width, height) => (path += `M${x} ${y}h${width}v${height}h-${width}Z`),
    W: () => {
      clips += 1;
      svg += `<clipPath id="c${clips}"><path d="${path}"/></clipPath>`;
      open(`clip-path="url(#c${clips})"`);
    },
    f: () => {
      svg += `<path d="${path}"/>`;
      path = '';
    },
    S: () => (path = ''),
    n: () => (path = ''),
  };
  for (const [, operands = '', operator = ''] of operations.matchAll(/((?:[-.\d]+\s)*)([A-Za-z]+)\*?\s/g)) {
    draw[operator]?.(...operands.trim().split(' '));
  }
  return svg + '</g>'.repeat(groups[0] ?? 0);
}

/** A picture whose left half is red and whose right half is blue. */
export function halves(width: number, height: number): ReturnType<typeof sharp> {
  const pixels = Buffer.alloc(width * height * 3);
  for (let index = 0; index < width * height; index += 1) pixels[index * 3 + (index % width < width / 2 ? 0 : 2)] = 230;
  return sharp(pixels, { raw: { width, height, channels: 3 } });
}
