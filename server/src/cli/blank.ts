/** `template blank`: an empty file for the values of a passport, with what each field is. */
import { dayOf, didYouMean, requirementsOn } from '@product-passport/openapi';
import { OperatorError } from '../operator-error.ts';
import { kindOf, rangesOf, type Template, type TemplateField } from '../templates/catalogue.ts';
import { type ArgumentOf, command, dayOption, option } from './command.ts';
import { csvLine } from './output.ts';

/** Marks the rows below the header that say what the columns are. */
const noteMark = '#';

/** @param group the argument with a template */
export const blankCommand = (group: ArgumentOf<Template>) =>
  command({
    name: 'blank',
    about: 'nothing',
    summary: 'print an empty file for the values of a product group',
    description:
      'print an empty file for the values of a product group, with label, unit, options, data points and a sentence for each ' +
      'field: as CSV for `item add` and `passport import`, which skip these rows, or as JSON for `passport set`, which skips ' +
      'these members. Fields that nobody asks for on the day are left out.',
    example: 'template blank battery --category lmt --format csv',
    arguments: [group],
    options: {
      category: option('--category <category>', 'category whose rules apply, such as lmt (default: those of all)'),
      on: dayOption,
      format: option('--format <format>', 'what to print', ['csv', 'json'], 'csv'),
    },
    prepare({ category }, template) {
      const { data_points: list } = template;
      const known = Object.keys(list?.points[0]?.rules ?? {});
      if (category === undefined || known.includes(category)) return;
      const advice = list
        ? `Use one of ${known.join(', ')}.${didYouMean(category, known)}`
        : `Leave out --category: ${template.key} has none.`;
      throw new OperatorError(`${template.key} has no rules for the category ${category}. ${advice}`, 2);
    },
    run({ options: { category, on = dayOf(new Date()) } }, template) {
      const { data_points: list } = template;
      const values = list && category !== undefined ? [{ field_key: list.category, value: category }] : [];
      const { rules } = requirementsOn(template, values, on);
      return template.fields
        .map((field) => ({ ...field, rule: rules.get(field.key)?.rule ?? 'optional' }))
        .filter(({ rule }) => !['later', 'not shown'].includes(rule));
    },
    text: (fields, { options: { format } }) => (format === 'json' ? jsonOf(fields) : csvOf(fields)),
  });

type Field = TemplateField & { rule: string };

function optionsOf({ options = [], codes = [] }: Field): string {
  return options.map(({ code }) => code).join(', ') || (codes.length > 0 ? 'a text, or codes with + between them' : '');
}

/** What the file says of a field, in the order of its rows. */
const notes: readonly [name: string, cell: (field: Field) => string][] = [
  ['label', ({ label }) => label.en],
  ['type', (field) => [kindOf(field), ...rangesOf(field)].join('; ')],
  ['options', optionsOf],
  ['data points', ({ points = [] }) => points.join(', ')],
  ['rule', ({ rule }) => rule],
  ['belongs to', ({ belongs }) => belongs.to],
  ['help', ({ meaning, label }) => meaning?.en ?? `${label.en}.`],
];

/** Whether the first cell of a row is that of what `template blank` prints below the header. */
export function isBlankNote(cell: string): boolean {
  return notes.some(([name]) => cell.startsWith(`${noteMark} ${name}:`));
}

/** The serial number and the other fields of an item come first: those of its model may stay empty. */
function csvOf(fields: readonly Field[]): string[] {
  const rank = ({ key, belongs }: Field) => (key === 'serial_number' ? 0 : belongs.to === 'item' ? 1 : 2);
  const columns = [...fields]
    .sort((one, other) => rank(one) - rank(other))
    .map((field) => [field.key, ...notes.map(([, cell]) => cell(field))]);
  if (columns[0]?.[0] !== 'serial_number') {
    columns.unshift([
      'serial_number',
      'Serial number',
      'text',
      '',
      '',
      '',
      'item',
      'It tells an item from the others.',
    ]);
  }
  const rows = ['', ...notes.map(([name]) => `${noteMark} ${name}: `)].map((start, row) =>
    csvLine(columns.map((cells, column) => (column === 0 ? start : '') + cells[row])),
  );
  // The mark tells a spreadsheet that the file is UTF-8.
  return [`\ufeff${rows[0]}`, ...rows.slice(1)];
}

/** An array of one element on each line. */
function jsonOf(fields: readonly Field[]): string[] {
  const elements = fields.map((field) =>
    JSON.stringify({
      field_key: field.key,
      value: null,
      unit: field.unit,
      access_level: field.access_level,
      ...Object.fromEntries(notes.map(([name, cell]) => [name.replace(' ', '_'), cell(field)])),
    }),
  );
  return ['[', elements.map((element) => `  ${element}`).join(',\n'), ']'];
}
