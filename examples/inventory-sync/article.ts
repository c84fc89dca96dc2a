import type { CreateProduct, PassportValueInput } from '@product-passport/sdk';
import { checkFor, templates } from '@product-passport/sdk/templates';
import {
  type Group,
  groupColumn,
  groupOf,
  gtinColumn,
  modelColumn,
  nameColumn,
  numberColumn,
  titleOf,
} from './columns.ts';
import type { ExportRecord } from './export.ts';
import { type Language, plain, shown } from './kinds.ts';

/** A value of the passport with all its properties, so that the service's defaults do not matter. */
export type ArticleValue = Required<
  Pick<PassportValueInput, 'field_key' | 'value' | 'unit' | 'access_level' | 'is_unknown'>
>;

/** An article of the inventory: the wanted product, and the values of its passport. */
export interface Article {
  readonly line: number;
  readonly number: string;
  readonly product: Required<Pick<CreateProduct, 'name' | 'product_group' | 'gtin' | 'model'>> & {
    readonly slug: string;
  };
  readonly values: readonly ArticleValue[];
}

/** A row that is not imported, and the reason. */
export interface Rejection {
  readonly line: number;
  readonly number: string;
  readonly reason: string;
}

export function isRejection(row: Article | Rejection): row is Rejection {
  return 'reason' in row;
}

/**
 * Makes an article from a record. It checks only the inventory's own rules. The service checks its own, such as a
 * missing or too long name.
 */
export function readArticle({ line, cells, isWhole, language }: ExportRecord): Article | Rejection {
  const cell = (column: string) => plain(cells[column] ?? '');
  const title = (column: string) => titleOf(column, language);
  const number = cell(numberColumn);
  const reject = (reason: string): Rejection => ({ line, number, reason });

  if (!isWhole)
    return reject('it has more or fewer cells than the file has columns: is a cell with a separator not in quotes?');
  if (number === '') return reject(`${title(numberColumn)} is empty`);
  if (shown(number) !== number)
    return reject(`${title(numberColumn)} ${quoted(number)} has a character that nobody sees`);
  const slug = slugOf(number);
  if (slug === '') return reject(`${title(numberColumn)} has no digit and no letter from a to z`);
  const group = groupOf(cells);
  if (!group) return reject(`${title(groupColumn)} ${quoted(cell(groupColumn))} is not known`);

  const faults: string[] = [];
  const gtin = cell(gtinColumn).replaceAll(' ', '') || null;
  const fault = gtin === null ? undefined : faultOfGtin(gtin);
  if (fault) faults.push(fault);

  const read = readValues(group, cell, language);
  faults.push(...read.faults);
  if (faults.length > 0) return reject(faults.join('; '));

  const model = cell(modelColumn) || null;
  return {
    line,
    number,
    product: { slug, name: cell(nameColumn), product_group: group.template, gtin, model },
    values: read.values,
  };
}

/** The values of the cells, and the faults of cells in the wrong format or against the template. */
function readValues(group: Group, cell: (column: string) => string, language: Language) {
  const values: ArticleValue[] = [];
  const faults: string[] = [];
  const template = templates[group.template] ?? templates.other;
  for (const [column, { key, kind }] of Object.entries(group.fields)) {
    const written = cell(column);
    if (written === '') continue; // the passport keeps its value
    const title = titleOf(column, language);
    const is_unknown = ['unbekannt', 'unknown'].includes(written.toLowerCase());
    const read = is_unknown ? null : kind.read(written, language);
    if (read === undefined) {
      faults.push(`${title}: ${quoted(written)} is not ${kind.expected[language]}`);
      continue;
    }
    const field = template.fields.find((own) => own.key === key);
    if (!field) throw new Error(`The template ${group.template} has no field ${key}: correct columns.ts.`);
    const value = { field_key: key, value: read, unit: field.unit, access_level: field.access_level, is_unknown };
    values.push(value);
    faults.push(...checkFor(template)([value]).map(({ message }) => `${title}: ${message.replace('[0].', '')}`));
  }
  return { values, faults };
}

/** The same article number always gives the same slug, so that the next run finds the product. */
export function slugOf(number: string): string {
  return number
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

function quoted(written: string): string {
  return `"${shown(written.length > 40 ? `${written.slice(0, 40)}…` : written)}"`;
}

/** The fault of a GTIN, or `undefined`. The service checks the digits, but not the check digit. */
function faultOfGtin(gtin: string): string | undefined {
  if (/^\d(?:[.,]\d+)?E\+?\d+$/i.test(gtin)) {
    return `GTIN ${gtin}: a spreadsheet has rounded it; export the column as text`;
  }
  if (!/^[0-9]+$/.test(gtin)) return `GTIN ${shown(gtin)}: it has other characters than digits`;
  if (![8, 12, 13, 14].includes(gtin.length)) return `GTIN ${gtin}: it has ${gtin.length} digits, not 8, 12, 13 or 14`;
  const expected = checkDigit(gtin.slice(0, -1));
  if (gtin.at(-1) !== expected) return `GTIN ${gtin}: its check digit is wrong, ${expected} would be right`;
  return undefined;
}

/** GS1's check digit: from the right, the digits have the weights 3 and 1 in turn. */
function checkDigit(digits: string): string {
  const sum = [...digits]
    .reverse()
    .reduce((total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 3 : 1), 0);
  return String((10 - (sum % 10)) % 10);
}
