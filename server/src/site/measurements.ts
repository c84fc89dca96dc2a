/** The earlier values of a number, as a picture and its table. */
import { dayOf, type PassportValue } from '@product-passport/openapi';
import { type Language, labelAt } from '../languages/languages.ts';
import type { Template, TemplateField } from '../templates/catalogue.ts';
import type { PublicPassport } from './public-passport.ts';
import { pageBudget, presenterOf, type ShownValue } from './values.ts';

/** Measurements of a field on a page: ten years of months. The document has all of them. */
const maxMeasurements = 120;
/** The picture in its own units. A point has a radius of 2. */
const [rowWidth, height, edge] = [200, 48, 4];

/** A page does not embed a document with more of them. */
const maxEmbedded = 500;

/** Whether the measurements are too many for the document that the page embeds. */
export function hasManyMeasurements({ measurements }: PublicPassport): boolean {
  return measurements.reduce((count, series) => count + series.measurements.length, 0) > maxEmbedded;
}

/** The picture of a field that was measured more than once, and the rows of its table. `undefined` if it has no numbers. */
export function chartOf(
  value: PassportValue,
  { measurements: all }: PublicPassport,
  { fields, measured }: Template,
  language: Language,
  width = rowWidth,
) {
  const series = all.find(({ field_key }) => field_key === value.field_key);
  const shown = series?.measurements.slice(-maxMeasurements) ?? [];
  const numbers = shown.map((each) => each.value).filter((each) => typeof each === 'number');
  if (numbers.length < 2 || numbers.length < shown.length) return undefined;
  const presenter = presenterOf(language);
  const fieldOf = (key: string | undefined): TemplateField | undefined => fields.find((each) => each.key === key);
  const cellOf = (key: string | undefined, cell: unknown, unit: string | null): ShownValue => {
    return presenter.entry({ ...value, value: cell, unit }, fieldOf(key), { ...pageBudget }).value;
  };
  const rows = shown.map(({ date, value: number, unit }) => [
    cellOf(measured?.date, date.length > 10 ? dayOf(date) : date, null),
    cellOf(value.field_key, number, unit),
  ]);
  const field = fieldOf(value.field_key);
  const columns = [presenter.label(labelAt('members', 'date')), field ? presenter.label(field.label) : value.field_key];
  return {
    ...{
      width,
      height,
      points: pointsOf(
        shown.map(({ date }) => Date.parse(date)),
        numbers,
        width,
      ),
    },
    table: { kind: 'table', columns, rows } satisfies ShownValue,
    isShortened: shown.length < (series?.measurements.length ?? 0),
  };
}

/** The points of a line, from the first to the last time and from the lowest to the highest number. */
function pointsOf(times: readonly number[], numbers: readonly number[], width: number): { x: number; y: number }[] {
  const place = (one: number, among: readonly number[], length: number): number => {
    const [low, high] = [Math.min(...among), Math.max(...among)];
    const share = high === low ? 0.5 : (one - low) / (high - low);
    return Math.round((edge + share * (length - 2 * edge)) * 10) / 10;
  };
  return numbers.map((number, index) => ({
    x: place(times[index] ?? 0, times, width),
    y: Math.round((height - place(number, numbers, height)) * 10) / 10,
  }));
}
