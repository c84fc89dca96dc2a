/** The items of a model: from a file, and together with their model. */
import type { Knex } from 'knex';
import { addItems, fitsLink, type ItemRow, type Outcome, requireModel } from '../items/add.ts';
import { listValues } from '../passports/store.ts';
import { templateOf } from '../templates/catalogue.ts';
import {
  argument,
  type Context,
  command,
  dryRun,
  flag,
  type Noun,
  option,
  type Subjects,
  settingOption,
  texts,
} from './command.ts';
import { contractBody } from './files.ts';
import { counted, escaped, warn } from './output.ts';
import { batchesOf, Columns, type FileRow, newRefusals, type Refused, RowFault, readRows, rowsOf } from './rows.ts';

/** Items of one transaction, and characters of the values of its model that are copied. */
const max = { items: 100, characters: 8 * 1024 * 1024 };

const options = {
  dryRun,
  activate: flag('--activate', 'publish the items that are complete and fit the template, also those that are there'),
  serialLevel: option(
    '--serial-level <level>',
    "who may see the serial numbers (default: the template's level, otherwise public)",
    ['public', 'restricted', 'authority'],
  ),
  own: option('--own <column>', 'store a column as a field of your own; you can repeat it', texts),
  urnNamespace: settingOption('urnNamespace'),
};

export const commands: Noun = {
  name: 'item',
  description: 'add the items of a model from a file, each a product with a passport of its own',
  commands: [
    command({
      name: 'add',
      about: '<product>',
      open: { unlimited: true },
      progress: 'rows',
      summary: 'add items of a model from a file',
      description:
        'add items of a model, the product, from a CSV file with a header or from JSON Lines. A row is an item: it starts with ' +
        "the model's values that belong to the model, and those of the row replace them. Columns are keys or labels of " +
        'fields; one is the serial number. A row that does not fit is refused with its line, and the others are stored. A row ' +
        'that is there is skipped, so you can run a command again that was killed. `template blank` prints an empty file.',
      example: 'item add usb-c-cable items.csv --tenant my-shop',
      arguments: [argument('<file>', 'CSV or JSON Lines in UTF-8; - reads standard input')],
      options,
      run: addFrom,
      text({ model, added, there, activated, refused, seconds }, { options: { dryRun: isDry, activate } }) {
        const items = `${counted(added, 'item')} of ${model}`;
        return [
          isDry ? `${items} can be added` : `Added ${items} in ${seconds} seconds`,
          ...(there > 0 ? [`${there} ${there === 1 ? 'was' : 'were'} there`] : []),
          ...(activate ? [`${activated} ${isDry ? 'can become' : 'became'} active`] : []),
          ...(refused > 0 ? [`${counted(refused, 'row')} ${refused === 1 ? 'was' : 'were'} refused`] : []),
        ]
          .join('; ')
          .concat('.');
      },
    }),
  ],
};

type Adding = Context<typeof options> & Subjects<Knex>['<product>'];

async function addFrom({ database, tenant, product, options, change, progress }: Adding, file: string) {
  const { activate = false, serialLevel, urnNamespace, dryRun: isDry = false } = options;
  const ofModel = await listValues(database, tenant.id, product.id);
  requireModel(product, ofModel);
  const atOnce = Math.max(1, Math.min(max.items, Math.floor(max.characters / JSON.stringify(ofModel).length)));
  const columns = new Columns(templateOf(product.product_group), options.own);
  const itemRow = await rowReader(columns, isDry);
  const adding = { tenant, model: product.slug, activate, serialLevel, own: options.own };
  const counts = { added: 0, there: 0, activated: 0, drafts: 0 };
  const refusals = newRefusals();
  let waiting: string | undefined;

  /** @returns the refused rows */
  function count(outcomes: readonly Outcome[]): Refused[] {
    return outcomes.flatMap((outcome) => {
      if (outcome.is === 'refused') {
        const { line, field_key, error } = outcome;
        return [{ line, column: columns.nameOf(field_key), error }];
      }
      counts[outcome.is] += 1;
      if (outcome.isActivated) counts.activated += 1;
      if (outcome.status === 'draft') counts.drafts += 1;
      waiting ??= outcome.notActivated;
      return [];
    });
  }

  const read = rowsOf(file, (names) => {
    columns.check(names);
    if (!columns.has('serial_number')) throw new RowFault('no column is the serial number');
  });
  for await (const batch of batchesOf(read, atOnce)) {
    const { rows, refused } = await readRows(batch, itemRow);
    const add = (transaction: Knex.Transaction) =>
      addItems({ database: transaction, urnNamespace, now: () => new Date() }, rows, adding);
    refusals.add([...refused, ...count(rows.length > 0 ? await change(add) : [])]);
    progress.report(counts.added + counts.there + refusals.count);
  }
  refusals.end();
  if (waiting !== undefined) {
    warn(`items that stay drafts: ${counts.drafts}. The reason of the first one: ${escaped(waiting)}`);
  }
  return {
    model: product.slug,
    ...counts,
    ...{ refused: refusals.count, refusals: refusals.listed },
    ...(isDry && { dry_run: true }),
    seconds: progress.seconds,
  };
}

/** Reads a row as an item. @throws RowFault, ContractError */
async function rowReader(columns: Columns, isDry: boolean): Promise<(row: FileRow) => Promise<ItemRow>> {
  const { ofValue } = await contractBody('putPassport');
  // A dry run stores nothing that a later batch would find.
  const tried = new Set<string>();
  return async (row) => {
    const values = columns.valuesOf(row);
    const serial = values.find(({ field_key }) => field_key === 'serial_number')?.value;
    const column = columns.nameOf('serial_number');
    if (serial === undefined) throw new RowFault('is empty', column);
    if (typeof serial !== 'string' || !fitsLink(serial)) {
      throw new RowFault('must have 1 to 20 characters that a GS1 Digital Link can have', column);
    }
    if (isDry && tried.size === tried.add(serial).size) throw new RowFault('is in the file twice', column);
    await ofValue(values);
    return { line: row.line, serial, values };
  };
}
