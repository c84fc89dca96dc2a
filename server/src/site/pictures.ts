import type { PassportValue } from '@product-passport/openapi';
import { type TemplateField, templateKeys, templateOf } from '../templates/catalogue.ts';
import type { ShownValue } from './values.ts';

/** A small drawing of a value. Screen readers skip it, because the text of the value says the same. */
export type Picture =
  /** A composition. The parts fill the bar from 0 to 100. */
  | { kind: 'bar'; parts: BarPart[] }
  /** A percentage. */
  | { kind: 'meter'; percent: number }
  /** The classes from best to worst. `hue` is 0 for the best and 6 for the worst. */
  | { kind: 'scale'; steps: { hue: number; isValue: boolean }[]; range: string }
  /** Stands in place of the value, because it has the names. */
  | { kind: 'pictograms'; pictograms: (Pictogram & { name: string })[] };

interface BarPart {
  start: number;
  width: number;
  /** The number of the colour. */
  colour: number;
  share: string;
  name: string;
}

/** The colours that the stylesheet has for the parts of a bar. */
const colours = 6;

/** A composition of more parts is a table only: nobody can tell so many colours apart. */
const mostParts = 8;

/** Percentages that are a part of a whole. Others, such as a tolerance, would look wrong in a meter. */
const meters = new Set(
  templateKeys.flatMap((group) => {
    const { fields, facts } = templateOf(group);
    const shown = facts.filter(({ show }) => show === 'meter').flatMap((fact) => fact.fields);
    const recycled = fields.filter(({ key, unit }) => unit === '%' && /recycled|renewable|biobased/.test(key));
    return [...shown, ...recycled.map(({ key }) => key)];
  }),
);

/** The drawing for a value, if its field and its form have one. */
export function pictureOf(
  { value, unit }: PassportValue,
  field: TemplateField | undefined,
  shown: ShownValue,
): Picture | undefined {
  if (!field) return undefined;
  if (Array.isArray(value))
    return field.items?.words === 'pictograms' ? pictograms(value, shown) : bar(value, shown, field);
  if (field.scale && typeof value === 'string') return scale(value, field);
  const isShare = unit === '%' && meters.has(field.key) && typeof value === 'number' && value >= 0 && value <= 100;
  return isShare ? { kind: 'meter', percent: value } : undefined;
}

/** Nothing if one of the codes has no drawing: half of the hazards would look like all of them. */
function pictograms(codes: unknown[], shown: ShownValue): Picture | undefined {
  if (shown.kind !== 'list' || shown.items.length !== codes.length) return undefined;
  const drawn = shown.items.flatMap((item, index) => {
    const pictogram = pictogramOf(String(codes[index]));
    return pictogram && 'text' in item ? [{ ...pictogram, name: item.text }] : [];
  });
  return drawn.length === codes.length ? { kind: 'pictograms', pictograms: drawn } : undefined;
}

function scale(value: string, { options = [] }: TemplateField): Picture | undefined {
  const codes = options.map(({ code }) => code);
  if (!codes.includes(value) || codes.length < 2) return undefined;
  const steps = codes.map((code, index) => ({
    hue: Math.round((6 * index) / (codes.length - 1)),
    isValue: code === value,
  }));
  return { kind: 'scale', steps, range: `${codes[0]}–${codes.at(-1)}` };
}

/** A stacked bar, if the shares add up to about 100 and the page shows all of them. */
function bar(values: unknown[], shown: ShownValue, { members = [] }: TemplateField): Picture | undefined {
  const hasShares = members.some(({ key, unit }) => key === 'share' && unit === '%');
  if (!hasShares || shown.kind !== 'table' || shown.rows.length !== values.length) return undefined;
  if (values.length > mostParts) return undefined;
  const rows = values as Record<string, unknown>[];
  const shares = rows.map(({ share }) => (typeof share === 'number' && share >= 0 ? share : Number.NaN));
  const sum = shares.reduce((total, share) => total + share, 0);
  // Rounded shares of three parts may miss 100 by one or two.
  if (!(sum >= 98 && sum <= 102)) return undefined;
  const keys = [...new Set(rows.flatMap(Object.keys))];
  const named = ['fibre', 'material', 'name', 'part'].map((key) => keys.indexOf(key)).find((index) => index >= 0) ?? 0;
  const textAt = (row: number, column: number): string => {
    const cell = shown.rows[row]?.[column];
    return cell && 'text' in cell ? cell.text : '';
  };
  let start = 0;
  const parts = shares.map((share, row) => {
    const width = rounded((100 * share) / sum);
    const part = {
      start: rounded(start),
      width,
      colour: row % colours,
      share: textAt(row, keys.indexOf('share')),
      name: textAt(row, named),
    };
    start += width;
    return part;
  });
  return { kind: 'bar', parts };
}

/** Two decimals are finer than a pixel. */
function rounded(value: number): number {
  return Math.round(100 * value) / 100;
}

/** A hazard pictogram of the CLP regulation, drawn for the diamond of the views from 0 to 100. */
interface Pictogram {
  code: string;
  /** Filled areas. */
  fill: string;
  /** Lines. */
  line: string;
}

const drawings: Readonly<Record<string, Omit<Pictogram, 'code'>>> = {
  // Exploding bomb: the fragments fly away from the ball.
  GHS01: {
    fill: 'M50 45a13 13 0 1 0 0 26a13 13 0 1 0 0-26zM28 48l6 3-6 3-5-3zM72 48l5 3-5 4-6-4zM33 68l5-1-2 6-5 1zM64 67l6 1 2 6-6-1zM37 37l4 6-7-2zM63 37l-4 6 7-2zM50 28l3 12h-6z',
    line: 'M41 30l4 10M59 30l-4 10M27 61l8-2M73 61l-8-2M50 73v5',
  },
  // Flame
  GHS02: {
    fill: 'M50 22c2 9 13 14 13 28 3-2 4-5 4-8 5 7 6 15 1 21-4 6-11 7-18 7s-14-2-17-8c-4-7-1-14 4-20 0 3 1 6 3 7-1-11 8-16 10-27zM34 73h32v4H34z',
    line: '',
  },
  // Flame over circle
  GHS03: {
    fill: 'M50 18c2 7 11 10 11 21 2-1 3-3 3-5 4 5 3 12 0 15-2-3-8-6-14-6s-12 3-14 6c-4-5-1-11 2-15 0 2 1 4 2 5 0-9 8-13 10-21zM34 75h32v4H34z',
    line: 'M50 48a12 12 0 1 0 0 24a12 12 0 1 0 0-24z',
  },
  // Gas cylinder
  GHS04: {
    fill: 'M24 57l37-16c5-2 9-1 10 2s0 6-5 8L29 67c-3 1-6 0-8-3s0-6 3-7zM71 41l5-3 2 4-5 3z',
    line: '',
  },
  // Corrosion: two liquids drop on a surface and on a hand.
  GHS05: {
    fill: 'M24 32l22 8-1 4-22-8zM54 40l22-8 1 4-22 8zM39 48c2 3 3 4 3 6a3 3 0 1 1-6 0c0-2 1-3 3-6zM61 48c2 3 3 4 3 6a3 3 0 1 1-6 0c0-2 1-3 3-6zM22 64h11l3 4h5l3-4h3v8H22zM53 67c4-3 9-5 13-2l8 4c2 1 1 4-1 4H53z',
    line: 'M35 58l1 4M43 58l-1 4M58 58l-2 5M64 58l2 4',
  },
  // Skull and crossbones
  GHS06: {
    fill: 'M50 22c-12 0-19 8-19 17 0 6 3 9 6 11v8h26v-8c3-2 6-5 6-11 0-9-7-17-19-17zM42 35a5 5 0 1 1 0 10a5 5 0 1 1 0-10zM58 35a5 5 0 1 1 0 10a5 5 0 1 1 0-10zM50 45l3 6h-6z',
    line: 'M28 62l44 15M72 62L28 77',
  },
  // Exclamation mark
  GHS07: {
    fill: 'M44 24h12l-3 34h-6zM50 63a6.500 6.500 0 1 0 0 13a6.500 6.500 0 1 0 0-13z',
    line: '',
  },
  // Health hazard: a person with a star on the chest.
  GHS08: {
    fill: 'M50 20a9 9 0 1 0 0 18a9 9 0 1 0 0-18zM28 70c0-18 8-27 22-29c14 2 22 11 22 29l-8 6h-28zM50 45l-4 10-10-1 7 8-5 10 10-5 7 8 1-10 10-4-10-4z',
    line: '',
  },
  // Environment: a dead tree and a dead fish.
  GHS09: {
    fill: 'M52 66c7-8 17-8 24 0l6-4v9l-6-4c-7 7-17 7-24-1zM40 71l-2-25-9-9 2-2 7 6 1-17h3l2 13 8-7 2 2-9 10 4 29zM20 71h34v3H20z',
    line: '',
  },
};

/** @param code as in `GHS07`. Other systems write `GHS7` or put the text behind the code. */
function pictogramOf(code: string): Pictogram | undefined {
  const drawing = drawings[code];
  return drawing && { code, ...drawing };
}
