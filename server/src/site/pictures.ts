import { readFileSync } from 'node:fs';
import type { PassportValue } from '@product-passport/openapi';
import { type TemplateField, templateKeys, templateOf } from '../templates/catalogue.ts';
import type { ShownValue } from './values.ts';

/** A small drawing of a value. Screen readers skip it, because the text of the value says the same. */
export type Picture =
  /** A composition. The parts fill the bar from 0 to 100. */
  | { kind: 'bar'; parts: BarPart[] }
  /** A percentage. */
  | { kind: 'meter'; percent: number }
  /** What was measured before, as points of a line. */
  | { kind: 'line'; width: number; height: number; points: { x: number; y: number }[] }
  /** The classes from best to worst, with their letters and the colours of the labels. `letter`: the drawing says the value. */
  | {
      kind: 'scale';
      steps: { colour: string; isValue: boolean; letter: string | undefined }[];
      letter: string | undefined;
    }
  /** Hazard pictograms, in place of the value, because they have the names. Other systems' codes have no drawing. */
  | { kind: 'pictograms'; pictograms: { code: string; name: string }[] }
  /** A symbol of the law, such as the crossed-out wheeled bin. */
  | { kind: 'symbol'; code: SymbolCode };

/** `separate_collection_bar` has the bar of EN 50419, which electrical equipment must have. */
export type SymbolCode = 'separate_collection' | 'separate_collection_bar' | '3pmsf' | 'ce' | 'under_36_months';

interface BarPart {
  start: number;
  width: number;
  /** The number of the colour. */
  colour: number;
  share: string;
  name: ShownValue;
}

/** The colours that the stylesheet has for the parts of a bar. */
const colours = 6;

/** A composition of more parts is a table only: nobody can tell the colours apart. */
const maxParts = 8;

let meters: ReadonlySet<string> | undefined;

/** Whether a percentage is a part of a whole. Others, such as a tolerance, would look wrong in a meter. */
function isMeter(key: string): boolean {
  meters ??= new Set(templateKeys.flatMap(metersOf));
  return meters.has(key);
}

function metersOf(group: string): string[] {
  const { fields, facts } = templateOf(group);
  const shown = facts.filter(({ show }) => show === 'meter').flatMap((fact) => fact.fields);
  const recycled = fields.filter(({ key, unit }) => unit === '%' && /recycled|renewable|biobased/.test(key));
  return [...shown, ...recycled.map(({ key }) => key)];
}

/** The drawing for a value, if its field and its form have one. */
export function pictureOf(
  { value, unit }: PassportValue,
  field: TemplateField | undefined,
  shown: ShownValue,
): Picture | undefined {
  if (!field) return undefined;
  const code = symbolFor[field.key]?.(value);
  if (code) return { kind: 'symbol', code };
  if (Array.isArray(value))
    return field.items?.words === 'pictograms' ? pictograms(value, shown) : bar(value, shown, field);
  if (field.scale && typeof value === 'string') return scale(value, field);
  // A meter of 0 % would be an empty line.
  const isShare = unit === '%' && isMeter(field.key) && typeof value === 'number' && value > 0 && value <= 100;
  return isShare ? { kind: 'meter', percent: value } : undefined;
}

/** From the best class to the worst. */
const labelColours = ['#00a651', '#50b848', '#bfd730', '#fff200', '#fdb913', '#f37021', '#ed1c24'];

/** The classes of the label that EPREL has of a product. */
export const labelFields = [
  'energy_efficiency_class',
  'fuel_efficiency_class',
  'wet_grip_class',
  'rolling_noise_class',
];

/** Nothing if one of the codes has no drawing: half of the hazards would look like all of them. */
function pictograms(codes: unknown[], shown: ShownValue): Picture | undefined {
  if (shown.kind !== 'list' || shown.items.length !== codes.length) return undefined;
  const drawn = shown.items.flatMap((item, index) => {
    const code = codes[index];
    const isDrawn = typeof code === 'string' && /^GHS\d\d$/.test(code) && layersOf(code) !== undefined;
    return isDrawn && 'text' in item ? [{ code, name: item.text }] : [];
  });
  return drawn.length === codes.length ? { kind: 'pictograms', pictograms: drawn } : undefined;
}

function scale(value: string, { options = [] }: TemplateField): Extract<Picture, { kind: 'scale' }> | undefined {
  const codes = options.map(({ code }) => code);
  if (!codes.includes(value) || codes.length < 2) return undefined;
  const steps = codes.map((code, index) => ({
    colour: String(labelColours[Math.round((6 * index) / (codes.length - 1))]),
    isValue: code === value,
    letter: code.length === 1 ? code : undefined,
  }));
  return { kind: 'scale', steps, letter: value.length === 1 ? value : undefined };
}

/** A stacked bar, if the shares add up to about 100 and the page shows all of them. */
function bar(values: unknown[], shown: ShownValue, { members = [] }: TemplateField): Picture | undefined {
  const hasShares = members.some(({ key, unit }) => key === 'share' && unit === '%');
  if (!hasShares || shown.kind !== 'table' || shown.rows.length !== values.length) return undefined;
  if (values.length > maxParts) return undefined;
  const rows = values as Record<string, unknown>[];
  const shares = rows.map(({ share }) => (typeof share === 'number' && share >= 0 ? share : Number.NaN));
  const sum = shares.reduce((total, share) => total + share, 0);
  // Rounded shares of three parts may miss 100 by one or two.
  if (!(sum >= 98 && sum <= 102)) return undefined;
  const keys = [...new Set(rows.flatMap(Object.keys))];
  const isName = (key: string) => ['fibre', 'material', 'name', 'part'].includes(key);
  const named = keys.indexOf(keys.find(isName) ?? keys.find((key) => key !== 'share') ?? '');
  const shareAt = (row: number): string => {
    const cell = shown.rows[row]?.[keys.indexOf('share')];
    return cell && 'text' in cell ? cell.text : '';
  };
  let start = 0;
  const parts = shares.map((share, row) => {
    const width = rounded((100 * share) / sum);
    const part = {
      start: rounded(start),
      width,
      colour: row % colours,
      share: shareAt(row),
      name: shown.rows[row]?.[named] ?? { kind: 'absent' as const, text: '' },
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

interface Symbols {
  sources: string[];
  groups: Record<string, string>;
  shapes: Record<string, string>;
}

/** `data/symbols.json` names the law and the source of each symbol. Shapes have codes as in `GHS07`. */
const { groups, shapes }: Symbols = JSON.parse(
  readFileSync(new URL('../../data/symbols.json', import.meta.url), 'utf8'),
);

/** The sign of a product group, where a product has no picture. */
export function emblemOf(productGroup: string | null): string {
  return groups[productGroup ?? 'other'] ?? '';
}

interface Layer {
  fill: string;
  d: string;
  transform?: string;
}

const red = '#e2001a';

const diamond: Layer[] = [
  { fill: red, d: 'M500 0 1000 500 500 1000 0 500z' },
  { fill: '#fff', d: 'M500 80 920 500 500 920 80 500z' },
];
const prohibition: Layer[] = [
  {
    fill: red,
    d: 'M0 500a500 500 0 1 1 1000 0a500 500 0 1 1-1000 0zM80 500a420 420 0 1 0 840 0a420 420 0 1 0-840 0zM172 229l57-57 600 600-57 57z',
  },
];
const barBelow: Layer = { fill: '#000', d: 'M220 890h560v110H220z' };

/** The layers of a symbol, the lowest first, on a grid of 1000 by 1000. */
export function layersOf(code: string): Layer[] | undefined {
  const [, name = code, hasBar] = /^(.*)(_bar)$/.exec(code) ?? [];
  const d = Object.hasOwn(shapes, name) ? shapes[name] : undefined;
  if (d === undefined) return undefined;
  const shape = { fill: '#000', d };
  if (hasBar) return [{ ...shape, transform: 'matrix(.84 0 0 .84 80 0)' }, barBelow];
  return [...(name.startsWith('GHS') ? diamond : name === 'under_36_months' ? prohibition : []), shape];
}

/** Many inventory systems write booleans as text. */
export const isTrue = (value: unknown): boolean => value === true || value === 'true';

/** Fields whose values ask for a symbol. */
const symbolFor: Readonly<Record<string, (value: unknown) => SymbolCode | undefined>> = {
  separate_collection_symbol: (value) => (isTrue(value) ? 'separate_collection' : undefined),
  weee_category: (value) => (value === null || value === '' ? undefined : 'separate_collection_bar'),
  ce_marking: (value) => (isTrue(value) ? 'ce' : undefined),
  // The code of the warning, not its words: nobody guesses what a text means.
  safety_warnings: (value) => {
    const codes = [value].flat().flatMap((warning) => (typeof warning === 'string' ? warning.split(/\s*\+\s*/) : []));
    return codes.includes('under_36_months') ? 'under_36_months' : undefined;
  },
  snow_grip: (value) => (isTrue(value) ? '3pmsf' : undefined),
};
