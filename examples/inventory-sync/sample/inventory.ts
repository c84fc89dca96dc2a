import { readFileSync } from 'node:fs';
import { type Field, groupColumn, groups, gtinColumn, modelColumn, nameColumn, numberColumn } from '../columns.ts';
import { checkDigit } from '../gtin.ts';
import { type Cells, type Family, families, type Variant } from './families.ts';
import { type Fault, faults, sameGtin } from './faults.ts';

interface DemoProduct {
  slug: string;
  model: string | null;
  values: { field_key: string; value: unknown; is_unknown?: boolean }[];
}

const demo: { products: DemoProduct[] } = JSON.parse(
  readFileSync(new URL('../../../server/data/demo_products.json', import.meta.url), 'utf8'),
);

/** The columns in the order of the inventory. Some of them are internal. */
const header = [
  ...[numberColumn, nameColumn, groupColumn, gtinColumn, modelColumn, 'Lagerort', 'Bestand', 'EK netto'],
  ...new Set(Object.values(groups).flatMap(({ fields }) => Object.keys(fields))),
].filter((column, index, all) => all.indexOf(column) === index);

/** The whole CSV file: UTF-8 with a byte order mark, `;`, `\r\n`, as a German Excel and most systems export it. */
export function makeInventory(): string {
  const good = families.flatMap((family) => rowsOf(family)).map(withGtin);
  const lines = good.flatMap((row) => {
    const planted = faults.filter(({ after }) => after === row[numberColumn]);
    return [lineOf(row), ...planted.map((fault) => faultyLine(row, fault))];
  });
  lines.splice(100, 0, ';'.repeat(header.length - 1)); // an empty row, as spreadsheets leave behind
  return `\uFEFF${[header.join(';'), ...lines].join('\r\n')}\r\n`;
}

function lineOf(row: Cells, unquoted?: string): string {
  return header.map((column) => (column === unquoted ? row[column] : quotedCell(row[column] ?? ''))).join(';');
}

function faultyLine(before: Cells, { cells, unquoted }: Fault): string {
  const gtin = cells[gtinColumn] === sameGtin ? before[gtinColumn] : cells[gtinColumn];
  return lineOf({ ...before, ...cells, ...(gtin !== undefined && { [gtinColumn]: gtin }) }, unquoted);
}

function rowsOf(family: Family): Cells[] {
  const product = demo.products.find(({ slug }) => slug === family.from);
  const group = groups[family.group];
  if (!product || !group) throw new Error(`There is no ${family.from} or no ${family.group}.`);
  const base = Object.fromEntries(
    Object.entries(group.fields).flatMap(([column, field]) => {
      const cell = cellOf(field, product);
      return cell === undefined ? [] : [[column, cell]];
    }),
  );
  return combinations(family.axes).map((variants, index) => {
    const number = `${family.prefix}${String(index + 1).padStart(3, '0')}`;
    const row: Cells = {
      ...base,
      ...family.cells,
      ...Object.assign({}, ...variants.map(([, cells]) => cells)),
      [numberColumn]: number,
      [nameColumn]: `${family.name}, ${variants.map(([piece]) => piece).join(', ')}`,
      [groupColumn]: family.group,
      [modelColumn]: product.model ? `${product.model}-${String(index + 1).padStart(2, '0')}` : '',
      Lagerort: `Halle ${1 + (index % 3)}; Regal ${String.fromCodePoint(65 + (index % 7))}${index % 12}`,
      Bestand: String((index * 37) % 240),
      'EK netto': `${3 + ((index * 13) % 90)},${String((index * 7) % 100).padStart(2, '0')}`,
    };
    return withGaps(row, index);
  });
}

/** Every few rows a value is missing, or marked as unknown. */
function withGaps(row: Cells, index: number): Cells {
  const missing = index % 7 === 3 ? ['Herstelleranschrift', 'Rezyklatanteil %', 'Reparaturanleitung'] : [];
  const unknown = index % 11 === 5 ? ['Herkunftsland', 'Sicherheitsdatenblatt', 'Schwermetalle mg/kg'] : [];
  return Object.fromEntries(
    Object.entries(row).flatMap(([column, cell]) => {
      if (missing.includes(column)) return [];
      return [[column, unknown.includes(column) ? 'unbekannt' : cell]];
    }),
  );
}

/** GTINs with GS1's prefix for examples, 952. They differ from those of the demo. A few articles have no GTIN yet. */
function withGtin(row: Cells, index: number): Cells {
  if (index % 13 === 6) return row;
  const digits = `952000101${String(index).padStart(3, '0')}`;
  const gtin = digits + checkDigit(digits);
  return { ...row, [gtinColumn]: index % 17 === 4 ? `${gtin.slice(0, 7)} ${gtin.slice(7)}` : gtin };
}

function combinations(axes: readonly (readonly Variant[])[]): Variant[][] {
  return axes.reduce<Variant[][]>((made, axis) => made.flatMap((some) => axis.map((one) => [...some, one])), [[]]);
}

/** A value of the demo as the inventory writes it, or `undefined`. The family provides the German texts. */
function cellOf({ key, kind }: Field, { values }: DemoProduct): string | undefined {
  const found = values.find(({ field_key }) => field_key === key);
  if (!found) return undefined;
  if (found.is_unknown) return 'unbekannt';
  const cell = germanCell(found.value);
  return cell !== undefined && kind.read(cell) !== undefined ? cell : undefined;
}

function germanCell(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'ja' : 'nein';
  if (typeof value === 'number') return String(value).replace('.', ',');
  if (Array.isArray(value)) {
    if (value.length === 0) return 'keine';
    return value.every((item) => typeof item === 'string') ? value.join('|') : undefined;
  }
  if (typeof value !== 'string') return undefined;
  return value.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3.$2.$1');
}

function quotedCell(cell: string): string {
  return /[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""').replaceAll('\n', '\r\n')}"` : cell;
}
