import { readFileSync, writeFileSync } from 'node:fs';
import { checkDigit } from '../article.ts';
import { type Field, groupColumn, groups, gtinColumn, modelColumn, nameColumn, numberColumn } from '../columns.ts';
import { type Cells, type Family, families, type Variant } from './families.ts';

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
  return cell !== undefined && kind.read(cell, 'de') !== undefined ? cell : undefined;
}

function germanCell(value: unknown): string | undefined {
  if (typeof value === 'boolean') return value ? 'ja' : 'nein';
  if (typeof value === 'number') return String(value).replace('.', ',');
  if (Array.isArray(value)) {
    if (value.length === 0) return 'keine';
    return value.every((item) => typeof item === 'string') ? value.join('|') : undefined;
  }
  if (typeof value !== 'string') return undefined;
  return value.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$3.$2.$1').replace(/^(\d{4})-(\d{2})$/, '$2.$1');
}

function quotedCell(cell: string): string {
  return /[;"\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""').replaceAll('\n', '\r\n')}"` : cell;
}

/** A row with a deliberate fault, of a kind that real exports have. */
export interface Fault {
  /** The article of the row before it. */
  readonly after: string;
  /** The cells that differ from the row before it. Without `Artikelnummer` the row repeats the article. */
  readonly cells: Cells;
  /** A column whose cell contains a `;` but is not in quotes. */
  readonly unquoted?: string;
}

const article = (number: string, name: string, cells: Cells = {}): Cells => ({
  Artikelnummer: number,
  Bezeichnung: name,
  GTIN: '',
  ...cells,
});

/** Takes the GTIN of the row before. */
const sameGtin = '(same)';

export const faults: readonly Fault[] = [
  { after: 'TX-41009', cells: article('TX-90001', 'Merinopullover Förde, Größe M', { GTIN: '9520001090018' }) },
  { after: 'TX-41021', cells: article('TX-90002', 'Merinopullover Förde, Größe L', { GTIN: '952000109009' }) },
  { after: 'TX-41022', cells: article('TX-90003', 'Merinopullover Förde, Größe XL', { GTIN: '95200010900' }) },
  { after: 'TX-41030', cells: {} },
  { after: 'TX-42004', cells: { Pflegehinweis: 'Maschinenwäsche 60 °C' } },
  { after: 'TX-42011', cells: article('TX-90004', 'Bio-Baumwoll-T-Shirt Sylt', { GTIN: '9,52E+12' }) },
  { after: 'TX-42018', cells: article('TX-90005', 'Bio-Baumwoll-T-Shirt Föhr', { GTIN: '952000109ABC4' }) },
  { after: 'TX-42026', cells: article('', 'Bio-Baumwoll-T-Shirt Amrum') },
  { after: 'EN-10003', cells: article('EN-90006', 'Lötstation für Akkus', { Warengruppe: 'Werkstattbedarf' }) },
  { after: 'EN-10008', cells: article('EN-90007', 'E-Bike-Akku PowerDrive 1000 Wh', { 'Gewicht kg': '5.2' }) },
  {
    after: 'EN-20002',
    cells: article('EN-90008', 'Heimspeicher HomeCell Prüfmuster', { Fertigungsdatum: '31.02.2026' }),
  },
  { after: 'MO-70005', cells: article('MO-90009', '') },
  { after: 'MO-50002', cells: article('MO-90010', `Smartphone Aurora 6 ${'für Überlänge '.repeat(40)}`.trim()) },
  { after: 'KB-24015', cells: article('KB-90011', 'USB-C-Kabel 240 W Rückläufer', { 'Länge m': '05. Jan' }) },
  { after: 'KB-24030', cells: article('KB-90012', 'USB-C-Kabel Vorführware', { Art: 'Lightning', Halogenfrei: 'x' }) },
  { after: 'RE-16010', cells: {} },
  { after: 'RE-16014', cells: article('RE-90013', 'Winterreifen Polarspur für Oldtimer', { Nasshaftung: 'F' }) },
  { after: 'VP-11014', cells: article('VP 11.014', 'Mehrwegflasche Klarwasser, Altbestand') },
  {
    after: 'VP-22006',
    cells: article('VP-90014', 'Karton Übergröße', { Zusammensetzung: '98 % Wellpappe\n5 % Papier' }),
  },
  { after: 'FA-25012', cells: article('FA-90015', 'Holzschutzlasur Birke, 0,75 l', { GTIN: sameGtin }) },
  { after: 'HH-45005', cells: article('HH-90016', 'Thermobecher Kaje, Müsterstück', { Herkunftsland: 'China' }) },
  {
    after: 'HH-45010',
    cells: article('HH-90017', 'Thermobecher Kaje; zweite Wahl', { Zusammensetzung: '' }),
    unquoted: 'Bezeichnung',
  },
  {
    after: 'RM-15007',
    cells: article('RM-90018', 'Waschmittel Flüssig, Würfel', { Warengruppe: 'Möbel', 'Belastung kg': 'ca. 3' }),
  },
];

if (import.meta.main) writeFileSync(new URL('../inventory.csv', import.meta.url), makeInventory());
