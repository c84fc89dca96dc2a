/** A sheet of labels: pages of A4 in one HTML file, with nothing to load. */
import { fileURLToPath } from 'node:url';
import { Eta } from 'eta';
import type { Size } from '../images/rules.ts';
import { drawOutlines } from './image.ts';

const page = { width: 210, height: 297 };

/** Self-adhesive labels on A4, in millimetres. The grid stands in the middle of the page. */
const layouts = {
  '52.5x29.7': { columns: 4, rows: 10, gap: 0 },
  '63.5x38.1': { columns: 3, rows: 7, gap: 2.54 },
  '70x36': { columns: 3, rows: 8, gap: 0 },
  '70x37': { columns: 3, rows: 8, gap: 0 },
  '105x57': { columns: 2, rows: 5, gap: 0 },
} as const;
export type LabelSize = keyof typeof layouts;
export const labelSizes = Object.keys(layouts) as LabelSize[];

export interface Label {
  name: string;
  /** The link in the code. */
  link: string;
  /** Printed under the code. */
  text: string | undefined;
  /** Printed under the name. */
  serial?: string | undefined;
  /** What to do with the code, above the name. */
  call?: string | undefined;
}

interface SheetOptions {
  size: LabelSize;
  /** The language of the names. */
  language: string;
  /** The title of the file. */
  title: string;
  /** Labels on the first page that are used already. */
  skip: number;
  /** The tenant's, above the name on each label. Left out where it leaves no line for the name. */
  logo: (Size & { bytes: Buffer }) | undefined;
}

const eta = new Eta({ views: fileURLToPath(new URL('./views/', import.meta.url)), cache: true });

/**
 * Draws labels with a QR code, its text and the name of the product. Each code has its quiet zone of 4 modules within the
 * label, and stays away from the edge, where a cut or the printer may be off.
 *
 * @returns the HTML, the number of its pages, and the width of a module of the finest code
 */
export async function drawSheet(
  labels: readonly Label[],
  { size, language, title, skip, logo }: SheetOptions,
): Promise<{ content: string; pages: number; module_mm: number }> {
  const measures = measuresOf(size);
  const codes = new Map<string, Awaited<ReturnType<typeof drawOutlines>>>();
  const drawn = [];
  for (const { link, ...label } of labels) {
    const code = codes.get(link) ?? (await drawOutlines(link, 'qr'));
    codes.set(link, code);
    drawn.push({ ...label, ...code });
  }
  const cells = [...Array<undefined>(skip).fill(undefined), ...drawn];
  const { onPage, code } = measures;
  const pages = Array.from({ length: Math.ceil(cells.length / onPage) }, (_, index) =>
    cells.slice(index * onPage, (index + 1) * onPage),
  );
  const finest = Math.max(...drawn.map(({ modules }) => modules));
  return {
    content: eta.render('./sheet', { ...measures, language, title, pages, ...roomFor(labels, logo, measures) }),
    pages: pages.length,
    module_mm: Math.round((code / finest) * 1000) / 1000,
  };
}

/** The labels of a page. */
export function labelsOnPage(size: LabelSize): number {
  return measuresOf(size).onPage;
}

/**
 * The logo, unless it leaves no line for the name, and how many lines of a name fit below it, between the call and the
 * serial number. An M or W is 0.95 em wide or less, and any other letter 0.7 em.
 */
function roomFor<Logo>(
  labels: readonly Label[],
  logo: Logo | undefined,
  { width, height, padding, code, letter }: ReturnType<typeof measuresOf>,
): { logo: Logo | undefined; lines: number } {
  const emOf = (text: string) => 0.7 * text.length + 0.25 * (text.match(/[MW]/g)?.length ?? 0);
  const linesOf = (text = '') => Math.ceil((emOf(text) * letter) / (width - 2 * padding - code - 2));
  const others = Math.max(...labels.map(({ call, serial }) => linesOf(call) + linesOf(serial)));
  const linesBelow = (top: number) => Math.floor((height - 2 * padding - top - 2) / (1.25 * letter)) - others;
  const hasLogo = logo !== undefined && linesBelow(7) > 0;
  return { logo: hasLogo ? logo : undefined, lines: Math.min(6, Math.max(1, linesBelow(hasLogo ? 7 : 0))) };
}

/** The cells of a page, the margins, and the sides of a label and of its code, in millimetres. */
function measuresOf(size: LabelSize) {
  const { columns, rows, gap } = layouts[size];
  const [width = 0, height = 0] = size.split('x').map(Number);
  const padding = 3;
  // Below the code is a line of text, which is a seventh as high with the space above it.
  const code = Math.min((height - 2 * padding) / 1.14, width * 0.45);
  return {
    columns,
    onPage: columns * rows,
    width,
    height,
    gap,
    padding,
    left: (page.width - columns * width - (columns - 1) * gap) / 2,
    top: (page.height - rows * height) / 2,
    code: Math.floor(code * 100) / 100,
    letter: Math.min(width / 20, 3.2),
  };
}
