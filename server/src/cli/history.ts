/** The earlier values of fields that are measured again and again. */
import { didYouMean, fieldTypes, type ReplacedValue } from '@product-passport/openapi';
import { snapshot } from '../database/connection.ts';
import { OperatorError } from '../operator-error.ts';
import { type HistoryRow, measurementsOf, type Series } from '../passports/published-versions.ts';
import { listValues, type Replaced } from '../passports/store.ts';
import { templateOf } from '../templates/catalogue.ts';
import { versionRows } from '../transfer/hashes.ts';
import { command, flag, option, texts } from './command.ts';
import { csvLine, escaped, section } from './output.ts';

/** A measurement on each line, the oldest of its field first. */
const columns = ['field_key', 'date', 'version', 'value', 'unit'] as const;

export const historyCommand = command({
  name: 'history',
  about: '<product>',
  summary: 'show the earlier values of what is measured again and again',
  description:
    'show the earlier values of the fields that are measured again and again, such as the state of health of a battery, also ' +
    'those that were not public. The date is that of the measurement, or else the time of the version. A removed field has none.',
  example: 'passport history usb-c-cable --csv --tenant my-shop',
  options: {
    field: option('--field <key>', 'key of a field; you can repeat it (default: all)', texts),
    csv: flag('--csv', 'print rows of comma-separated values instead of text').conflicts('json'),
  },
  async run({ database, tenant, product, options: { field: wanted } }): Promise<Series[]> {
    const { key, measured = { date: '', fields: [] } } = templateOf(product.product_group);
    const unknown = wanted?.find((each) => !measured.fields.includes(each));
    if (unknown !== undefined) {
      const known = measured.fields.length === 0 ? 'no fields' : measured.fields.join(', ');
      const hint = didYouMean(unknown, measured.fields);
      throw new OperatorError(`${escaped(unknown)} is not measured again and again: ${key} has ${known}.${hint}`, 2);
    }
    const fields = wanted ?? measured.fields;
    const everything = { isOperator: true, sees: () => true };
    /** Without what is not read, because all versions are in memory. */
    const short = ({ value: before, ...one }: ReplacedValue): ReplacedValue => {
      const isRead = typeof before?.value === 'number' || fieldTypes.date.test(before?.value);
      return before ? { ...one, value: isRead ? before : { ...before, value: null } } : one;
    };
    return snapshot(database, async (transaction) => {
      const current = await listValues(transaction, tenant.id, product.id);
      const rows: HistoryRow[] = [];
      // All versions: the bounds of a page are not those of the operator.
      for await (const row of versionRows(transaction, tenant.id, product.id)) {
        const before: Replaced | null = JSON.parse(row.replaced ?? 'null');
        const values = before?.values.filter((one) => [measured.date, ...fields].includes(one.field_key)).map(short);
        rows.push({ ...row, replaced: before && JSON.stringify({ ...before, values }) });
      }
      return measurementsOf(rows, current, [], { ...measured, fields }, everything).filter(
        ({ measurements }) => measurements.length > 0,
      );
    });
  },
  json: (fields, { product }) => ({ product: product.slug, fields }),
  text(fields, { product, options: { csv } }) {
    const rows = fields.flatMap(({ field_key, measurements }) =>
      measurements.map(({ date, version, value, unit }) => [field_key, date, `${version}`, `${value}`, unit ?? '']),
    );
    if (csv) return [columns, ...rows].map(csvLine);
    if (rows.length === 0) return `${product.slug} has no value that is measured again and again.`;
    return section(
      columns.map((column) => column.replace('_key', '').toUpperCase()),
      rows,
    ).slice(1);
  },
});
