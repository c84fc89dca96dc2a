import { crc32, deflateSync } from 'node:zlib';
import { CarrierError } from './rules.ts';

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

/** A square of modules, including the quiet zone. */
interface Grid {
  /** Modules on a side, quiet zones included. */
  modules: number;
  isDark(x: number, y: number): boolean;
}

export interface Picture {
  content: string | Buffer;
  /** Modules on a side, quiet zones included. */
  modules: number;
  quiet_zone_modules: number;
  /** The real width of the picture, quiet zones included. It is the height too, without a text. */
  size_mm: number;
  module_mm: number;
  /** Pixels on a side; `null` for SVG. */
  pixels: number | null;
  dpi: number | null;
}

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
 * @throws CarrierError if a PNG of this size has less than one pixel for each module, or has lines
 */
export async function drawPicture(
  link: string,
  { type, format, sizeMm, dpi, lines = [] }: PictureOptions,
): Promise<Picture> {
  if (lines.length > 0 && format === 'png') {
    throw new CarrierError('a PNG has no text, because a press needs letters with sharp edges. Use --format svg.');
  }
  const { quietZone } = symbologies[type];
  const grid = await encode(link, type);
  const { modules } = grid;
  const measures = { modules, quiet_zone_modules: quietZone };
  if (format === 'svg') {
    const content = svg(grid, link, sizeMm, lines);
    return { content, ...measures, size_mm: sizeMm, module_mm: rounded(sizeMm / modules), pixels: null, dpi: null };
  }
  // `size_mm` is rounded. With half a thousandth more, a picture of that size is the same picture.
  const scale = Math.floor((((sizeMm + 0.0005) / millimetresPerInch) * dpi) / modules);
  if (scale < 1) {
    const minMm = Math.ceil(((modules * millimetresPerInch) / dpi) * 100) / 100;
    throw new CarrierError(
      `${sizeMm} mm at ${dpi} dpi has too few pixels for ${modules} modules. Use at least ${minMm} mm, a higher --dpi, or SVG.`,
    );
  }
  const module_mm = (scale * millimetresPerInch) / dpi;
  return {
    content: png(grid, scale, dpi),
    ...measures,
    size_mm: rounded(modules * module_mm),
    module_mm: rounded(module_mm),
    pixels: modules * scale,
    dpi,
  };
}

/**
 * The code of a link as a drawing in units of modules, quiet zone included: `path` is what is dark on a white square of
 * `modules` on a side.
 */
export async function drawOutlines(link: string, type: PictureType): Promise<{ modules: number; path: string }> {
  const grid = await encode(link, type);
  return { modules: grid.modules, path: outlines(grid) };
}

/** Thousandths of a millimetre: finer than any press. */
function rounded(millimetres: number): number {
  return Math.round(millimetres * 1000) / 1000;
}

async function encode(link: string, type: PictureType): Promise<Grid> {
  // It brings a hundred symbologies: not to be loaded by a command that draws nothing.
  const { default: bwipjs } = await import('bwip-js/generic');
  const { bcid, options, quietZone } = symbologies[type];
  const [symbol] = bwipjs.raw({ bcid, text: link, ...options });
  if (!symbol || !('pixs' in symbol)) throw new Error(`${bcid} gave no modules.`);
  const { pixs, pixx: side } = symbol;
  return {
    modules: side + 2 * quietZone,
    isDark(x, y) {
      const [column, row] = [x - quietZone, y - quietZone];
      return column >= 0 && column < side && row >= 0 && row < side && pixs[row * side + column] === 1;
    },
  };
}

/** The height of a digit, as a share of the width of the symbol: 19 characters fit into it. */
const digitHeight = 1 / 11;

function svg(grid: Grid, link: string, sizeMm: number, lines: readonly string[]): string {
  const { modules } = grid;
  const size = rounded(modules * digitHeight);
  const lineHeight = size * 1.4;
  const height = rounded(modules + lines.length * lineHeight);
  const heightMm = rounded((sizeMm * height) / modules);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${sizeMm}mm" height="${heightMm}mm" viewBox="0 0 ${modules} ${height}" shape-rendering="crispEdges">`,
    `<title>${escaped(link)}</title>`,
    `<path fill="#fff" d="M0 0h${modules}v${height}h-${modules}z"/>`,
    `<path fill="#000" d="${outlines(grid)}"/>`,
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

/**
 * The outlines of the dark patches. Single modules would show hairlines between them where a renderer smooths edges.
 */
function outlines(grid: Grid): string {
  const edges = patchEdges(grid);
  let path = '';
  for (const [start, ends] of edges) {
    while (ends.length > 0) path += outline(closedWalk(edges, start), grid.modules + 1);
  }
  return path;
}

/** From a corner to the corners at the other ends of its edges, of which it has at most two. */
type Edges = Map<number, number[]>;

/** The edges between dark and light modules, clockwise around the dark ones. */
function patchEdges({ modules, isDark }: Grid): Edges {
  const edges: Edges = new Map();
  const corner = (x: number, y: number): number => y * (modules + 1) + x;
  const addEdge = (from: number, to: number): void => void edges.set(from, [...(edges.get(from) ?? []), to]);
  const addModule = (x: number, y: number): void => {
    if (!isDark(x, y - 1)) addEdge(corner(x, y), corner(x + 1, y));
    if (!isDark(x + 1, y)) addEdge(corner(x + 1, y), corner(x + 1, y + 1));
    if (!isDark(x, y + 1)) addEdge(corner(x + 1, y + 1), corner(x, y + 1));
    if (!isDark(x - 1, y)) addEdge(corner(x, y + 1), corner(x, y));
  };
  for (let y = 0; y < modules; y += 1) {
    for (let x = 0; x < modules; x += 1) {
      if (isDark(x, y)) addModule(x, y);
    }
  }
  return edges;
}

/** Takes edges until the walk is back at its start. It always gets there: a corner has as many edges in as out. */
function closedWalk(edges: Edges, start: number): number[] {
  const walk = [start];
  for (let next = edges.get(start)?.pop(); next !== undefined && next !== start; next = edges.get(next)?.pop()) {
    walk.push(next);
  }
  return walk;
}

/** A closed walk along the edges, by its turns alone: across and down in turn. */
function outline(walk: number[], width: number): string {
  const turns = walk.filter(
    (at, index) => at - (walk.at(index - 1) ?? at) !== (walk[(index + 1) % walk.length] ?? at) - at,
  );
  const [first = { x: 0, y: 0 }, ...others] = turns.map((at) => ({ x: at % width, y: Math.floor(at / width) }));
  let before = first;
  const lines = others.map((corner) => {
    const line = corner.x === before.x ? `V${corner.y}` : `H${corner.x}`;
    before = corner;
    return line;
  });
  return `M${first.x} ${first.y}${lines.join('')}z`;
}

/** A PNG with one bit a pixel, 0 for black. Each module has `scale` pixels on a side. */
function png({ modules, isDark }: Grid, scale: number, dpi: number): Buffer {
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
