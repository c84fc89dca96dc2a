import { crc32, deflateSync } from 'node:zlib';
import { OperatorError } from '../operator-error.ts';

export const pictureTypes = ['qr', 'datamatrix'] as const;
export type PictureType = (typeof pictureTypes)[number];
export const pictureFormats = ['svg', 'png'] as const;
type PictureFormat = (typeof pictureFormats)[number];

/**
 * Both symbols hold the link as plain text. A GS1 DataMatrix, with FNC1 and the element string `(01)…`, would hold no
 * link that a telephone can follow. Quiet zones are in modules, on every side: ISO/IEC 18004 for QR, ISO/IEC 16022 for
 * Data Matrix.
 *
 * The library's GS1 encoders are not used: they refuse a wrong check digit, which a product may have.
 */
const symbologies: Record<PictureType, { bcid: string; options?: { eclevel: string }; quietZone: number }> = {
  qr: { bcid: 'qrcode', options: { eclevel: 'M' }, quietZone: 4 },
  datamatrix: { bcid: 'datamatrix', quietZone: 1 },
};

interface PictureOptions {
  type: PictureType;
  format: PictureFormat;
  sizeMm: number;
  dpi: number;
  lines?: readonly string[];
}

const millimetresPerInch = 25.4;

/**
 * Draws the code of a link for print: black on white, with its quiet zone.
 *
 * @param sizeMm width and height, quiet zones included: what the picture takes on a label. A PNG has whole pixels in
 *   each module, so it comes out up to one pixel a module smaller.
 * @param dpi dots an inch of a PNG
 * @param lines printed under the code of an SVG, which becomes higher
 * @throws OperatorError if a PNG of this size has less than one pixel for each module
 */
export async function drawPicture(link: string, { type, format, sizeMm, dpi, lines = [] }: PictureOptions) {
  const { quietZone: quiet_zone_modules } = symbologies[type];
  if (format === 'svg') {
    const outlines = await drawOutlines(link, type);
    const { modules } = outlines;
    const measures = { modules, quiet_zone_modules, size_mm: sizeMm, module_mm: rounded(sizeMm / modules) };
    return { content: svg(outlines, link, sizeMm, lines), ...measures, pixels: null, dpi: null };
  }
  const grid = await encode(link, type);
  const { modules } = grid;
  // `size_mm` is rounded. With half a thousandth more, a picture of that size is the same picture.
  const scale = Math.floor((((sizeMm + 0.0005) / millimetresPerInch) * dpi) / modules);
  if (scale < 1) {
    const minMm = Math.ceil(((modules * millimetresPerInch) / dpi) * 100) / 100;
    throw new OperatorError(
      `${sizeMm} mm at ${dpi} dpi has too few pixels for ${modules} modules. Use at least ${minMm} mm, a higher --dpi, or SVG.`,
    );
  }
  const module_mm = (scale * millimetresPerInch) / dpi;
  return {
    content: png(grid, scale, dpi),
    /** On a side, quiet zones included. */
    modules,
    quiet_zone_modules,
    /** The real width of the picture, quiet zones included. It is the height too, without a text. */
    size_mm: rounded(modules * module_mm),
    module_mm: rounded(module_mm),
    /** On a side; `null` for SVG. */
    pixels: modules * scale,
    dpi,
  };
}

type Outlines = Awaited<ReturnType<typeof drawOutlines>>;

/**
 * Draws the code of a link as whole patches: between single modules, a renderer that smooths edges shows hairlines.
 *
 * @returns the modules on a side, quiet zones included, and the path of what is dark on a white square of them
 */
export async function drawOutlines(link: string, type: PictureType): Promise<{ modules: number; path: string }> {
  const bwipjs = await loadBwip();
  const { bcid, options, quietZone } = symbologies[type];
  // The library draws two units for each module.
  const at = (units: number): number => units / 2 + quietZone;
  let [modules, path] = [0, ''];
  return bwipjs.render(
    { bcid, text: link, scale: 1, ...options },
    {
      ...bwipjs.drawingSVG(),
      init(width) {
        modules = at(width) + quietZone;
      },
      polygon(corners) {
        const [[startX, startY] = [0, 0], ...others] = corners;
        const lines = others.map(([x, y], index) => (x === corners[index]?.[0] ? `V${at(y)}` : `H${at(x)}`));
        path += `M${at(startX)} ${at(startY)}${lines.join('')}z`;
      },
      fill() {},
      end: () => ({ modules, path }),
    },
  );
}

/** Thousandths of a millimetre: finer than any press. */
function rounded(millimetres: number): number {
  return Math.round(millimetres * 1000) / 1000;
}

/** It brings a hundred symbologies: not to be loaded by a command that draws nothing. */
async function loadBwip() {
  return (await import('bwip-js/generic')).default;
}

/** A square of modules, quiet zones included. */
async function encode(link: string, type: PictureType) {
  const bwipjs = await loadBwip();
  const { bcid, options, quietZone } = symbologies[type];
  const [symbol] = bwipjs.raw({ bcid, text: link, ...options });
  if (!symbol || !('pixs' in symbol)) throw new Error(`${bcid} gave no modules.`);
  const { pixs, pixx: side } = symbol;
  return {
    modules: side + 2 * quietZone,
    isDark(x: number, y: number): boolean {
      const [column, row] = [x - quietZone, y - quietZone];
      return column >= 0 && column < side && row >= 0 && row < side && pixs[row * side + column] === 1;
    },
  };
}

/** The height of a digit, as a share of the width of the symbol: 19 characters fit into it. */
const digitHeight = 1 / 11;

function svg({ modules, path }: Outlines, link: string, sizeMm: number, lines: readonly string[]): string {
  const size = rounded(modules * digitHeight);
  const lineHeight = size * 1.4;
  const height = rounded(modules + lines.length * lineHeight);
  const heightMm = rounded((sizeMm * height) / modules);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizeMm}mm" height="${heightMm}mm" viewBox="0 0 ${modules} ${height}" shape-rendering="crispEdges">`,
    `<title>${escaped(link)}</title>`,
    `<path fill="#fff" d="M0 0h${modules}v${height}h-${modules}z"/>`,
    `<path fill="#000" d="${path}"/>`,
    // `textLength` keeps a long text within the symbol, whatever font the press has.
    ...lines.map((line, index) => {
      const y = rounded(modules + index * lineHeight + size);
      const width = rounded(modules * Math.min(0.9, line.length * 0.05));
      return `<text x="${modules / 2}" y="${y}" text-anchor="middle" textLength="${width}" lengthAdjust="spacingAndGlyphs" font-family="Arial, Helvetica, sans-serif" font-size="${size}">${escaped(line)}</text>`;
    }),
    '</svg>\n',
  ].join('\n');
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** A PNG with one bit a pixel, 0 for black. Each module has `scale` pixels on a side. */
function png({ modules, isDark }: Awaited<ReturnType<typeof encode>>, scale: number, dpi: number): Buffer {
  const side = modules * scale;
  const lineBytes = 1 + Math.ceil(side / 8);
  const lines = Buffer.alloc(side * lineBytes);
  for (let row = 0; row < modules; row += 1) {
    const first = row * scale * lineBytes;
    for (let x = 0; x < side; x += 1) {
      if (isDark(Math.floor(x / scale), row)) continue;
      const at = first + 1 + (x >> 3);
      lines.writeUInt8(lines.readUInt8(at) | (0x80 >> (x & 7)), at);
    }
    for (let copy = 1; copy < scale; copy += 1) lines.copy(lines, first + copy * lineBytes, first, first + lineBytes);
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  header.set([1, 0, 0, 0, 0], 8);
  const density = Buffer.alloc(9);
  const perMetre = Math.round((dpi * 1000) / millimetresPerInch);
  density.writeUInt32BE(perMetre, 0);
  density.writeUInt32BE(perMetre, 4);
  density.writeUInt8(1, 8);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', header),
    chunk('pHYs', density),
    chunk('IDAT', deflateSync(lines, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}
