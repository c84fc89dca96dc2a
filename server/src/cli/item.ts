/** The items of a model: from a file, and together with their model. */
import type { PassportValueInput } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { gatherStatistics } from '../database/statement.ts';
import { activateItems, addItems, fitsLink, type ItemRow, type Outcome } from '../items/add.ts';
import { requireModel, type UnfinishedChange } from '../items/model.ts';
import {
  abandonChange,
  beginChange,
  changeItems,
  endChange,
  resumeChange,
  type Written,
  walkItems,
  writtenItems,
} from '../items/set.ts';
import { OperatorError } from '../operator-error.ts';
import { listValues } from '../passports/store.ts';
import { lockGtin } from '../products/gtins.ts';
import { templateOf } from '../templates/catalogue.ts';
import {
  argument,
  type Context,
  command,
  confirmations,
  dryRun,
  flag,
  type Noun,
  option,
  type Subjects,
  settingOption,
  texts,
} from './command.ts';
import { contractBody, inContract, inputName, readValues } from './files.ts';
import { counted, escaped, Warnings, warn } from './output.ts';
import { blockingSentence } from './review.ts';
import {
  batchesOf,
  Columns,
  type FileRow,
  maxListed,
  newRefusals,
  type Refused,
  RowFault,
  readRows,
  rowsOf,
} from './rows.ts';

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

const setOptions = {
  dryRun,
  continue: flag('--continue', 'finish a change that did not reach all items'),
  abandon: flag('--abandon', 'give up a change that did not reach all items; those that have it keep it'),
  open: confirmations.open,
};

export const commands: Noun = {
  name: 'item',
  description: 'add items of a model, each a product with a passport of its own, and change them with their model',
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
    command({
      name: 'set',
      about: '<product>',
      open: { unlimited: true },
      progress: 'products',
      summary: 'change a model together with its items',
      description:
        'write values to the passport of a model, the product, and to those of its items, of every status, that have the same ' +
        'values as the model. An item with another value keeps it, and every item its levels. The items come first: if the ' +
        'command is killed, go on with --continue, or give the change up with --abandon, which names the items that have it.',
      example: 'item set usb-c-cable values.json --tenant my-shop',
      arguments: [
        argument('[file]', 'JSON file with an array of values, as in the body of putPassport; - reads standard input'),
      ],
      options: setOptions,
      async prepare({ continue: isContinued, abandon }, _product, file) {
        const given = [file, isContinued, abandon].filter((one) => one !== undefined);
        if (given.length !== 1) throw new OperatorError('name a file, or add either --continue or --abandon.', 2);
        return file === undefined ? undefined : readValues(file);
      },
      run: setFrom,
      text: setLines,
    }),
  ],
};

type Setting = Context<typeof setOptions, PassportValueInput[] | undefined> & Subjects<Knex>['<product>'];

function setFrom(setting: Setting, file = ''): Promise<Changed | Abandoned> {
  return setting.options.abandon ? abandonFrom(setting) : changeFrom(setting, file);
}

interface Abandoned {
  model: string;
  /** The items that keep the change. */
  abandoned: string[];
  dry_run?: true;
}

async function abandonFrom({ database, tenant, product, options, change }: Setting): Promise<Abandoned> {
  const unfinished = await change((transaction) => abandonChange(transaction, tenant.id, product.slug));
  const abandoned: string[] = [];
  for await (const slugs of writtenItems(database, tenant.id, product, unfinished)) abandoned.push(...slugs);
  return { model: product.slug, abandoned, ...(options.dryRun && { dry_run: true }) };
}

interface Changed extends Omit<Written, 'refused'> {
  model: string;
  fields: string[];
  /** Of these, those that the model keeps, because somebody wrote them since the change was stored. */
  kept: string[];
  /** Items that could not be written. */
  refused: number;
  refusals: Written['refused'];
  dry_run?: true;
  seconds: number;
}

const on = (transaction: Knex.Transaction) => ({ database: transaction, now: () => new Date() });

/** Warns of what does not fit before the first item is written. */
async function beginFrom(
  { tenant, product, options, prepared = [], change }: Setting,
  file: string,
): Promise<UnfinishedChange | undefined> {
  const begun = await inContract(inputName(file), () =>
    change((transaction) => beginChange(on(transaction), tenant, product.slug, prepared, options)),
  );
  if (begun && begun.blocking.length > 0) {
    warn(`some values do not fit the template, and are stored as they are. ${blockingSentence({ product, ...begun })}`);
  }
  return begun?.change;
}

/** @returns the fields that the model keeps */
async function endFrom({ tenant, product: { slug }, change }: Setting, found: UnfinishedChange): Promise<string[]> {
  const kept = await change((transaction) => endChange(on(transaction), tenant, slug, found));
  if (kept.length > 0) warn(`${slug} keeps what was written since the change began: ${escaped(kept.join(', '))}.`);
  return kept;
}

/** Counts what becomes of items, and warns of those that stay as they are. The command then ends with 1. */
function newTally() {
  const total = { written: 0, same: 0, own: 0 };
  const refusals: Written['refused'] = [];
  const warnings = new Warnings('items stay as they are');
  return {
    add(part: Written): void {
      for (const name of ['written', 'same', 'own'] as const) total[name] += part[name];
      for (const one of part.refused) {
        warnings.add(`${one.item} stays as it is: ${one.error.replace(/\.$/, '')}.`);
        if (refusals.length < maxListed) refusals.push(one);
      }
    },
    end() {
      warnings.end();
      if (warnings.count > 0) process.exitCode = 1;
      return { ...total, refused: warnings.count, refusals };
    },
  };
}

async function changeFrom(setting: Setting, file: string): Promise<Changed> {
  const { database, tenant, product, options, change, progress } = setting;
  const { slug } = product;
  const found = options.continue
    ? await change((transaction) => resumeChange(transaction, tenant, slug, options.open))
    : await beginFrom(setting, file);
  const tally = newTally();
  let done = 0;
  for await (const items of found ? walkItems(database, tenant.id, product) : []) {
    if (!found || items.length === 0) continue;
    const part = await change((transaction) =>
      changeItems(on(transaction), tenant, slug, items, found, !options.dryRun),
    );
    tally.add(part);
    done += items.length;
    progress.report(done);
  }
  const total = tally.end();
  const kept = found && !options.dryRun ? await endFrom(setting, found) : [];
  return {
    model: slug,
    fields: found?.new.map(({ field_key }) => field_key) ?? [],
    ...total,
    kept,
    ...(options.dryRun && { dry_run: true }),
    seconds: progress.seconds,
  };
}

function setLines(result: Changed | Abandoned): string[] {
  const { model, dry_run } = result;
  if ('abandoned' in result) {
    const { abandoned } = result;
    const done = `The change of ${model} ${dry_run ? 'would be' : 'was'} given up`;
    return abandoned.length === 0 ? [`${done}. No item has it.`] : [`${done}. These items have it:`, ...abandoned];
  }
  const { fields, written, same, own, refused, seconds } = result;
  if (fields.length === 0) return [`${model} has these values.`];
  const what = `${counted(fields.length, 'value')} of ${model} and ${counted(written, 'item')}`;
  return [
    `${dry_run ? `${what} can be changed` : `Changed ${what} in ${seconds} seconds`}. Items that had the new values: ${same}. ` +
      `Items that keep a value of their own: ${own}.${refused > 0 ? ` Items that could not be written: ${refused}.` : ''}`,
  ];
}

type Adding = Context<typeof options> & Subjects<Knex>['<product>'];

async function addFrom({ database, tenant, product, options, change, progress }: Adding, file: string) {
  const { activate = false, serialLevel, urnNamespace, dryRun: isDry = false } = options;
  const ofModel = await listValues(database, tenant.id, product.id);
  requireModel(product, ofModel);
  const atOnce = Math.max(1, Math.min(max.items, Math.floor(max.characters / JSON.stringify(ofModel).length)));
  const columns = new Columns(templateOf(product.product_group), options.own);
  const itemRow = await rowReader(columns);
  const adding = { tenant, model: product.slug, serialLevel, own: options.own };
  const now = () => new Date();
  const counts = { added: 0, there: 0, activated: 0, drafts: 0 };
  const refusals = newRefusals();
  let waiting: string | undefined;
  let batches = 0;

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
    // A file of one batch is too short to gain by it.
    batches += 1;
    if (batches === 2 && !isDry) await gatherStatistics(database);
    const { rows, refused } = await readRows(batch, itemRow);
    const publish = (transaction: Knex.Transaction, outcomes: readonly Outcome[]) =>
      activateItems({ database: transaction, now }, tenant, product, outcomes);
    const addAll = async (transaction: Knex.Transaction) => {
      // Before the product, as every change of a status.
      if (activate && isDry) await lockGtin(transaction, product.gtin);
      const added = await addItems({ database: transaction, urnNamespace, now }, rows, adding);
      // Another transaction would not find what a dry run undoes.
      if (activate && isDry) await publish(transaction, added);
      return added;
    };
    const outcomes = rows.length > 0 ? await change(addAll) : [];
    if (activate && !isDry) await change((transaction) => publish(transaction, outcomes));
    refusals.add([...refused, ...count(outcomes)]);
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
async function rowReader(columns: Columns): Promise<(row: FileRow) => Promise<ItemRow>> {
  const { ofValue } = await contractBody('putPassport');
  // The rows of a batch are stored together, and a dry run stores nothing that a later one would find.
  const tried = new Set<string>();
  return async (row) => {
    const values = columns.valuesOf(row);
    const serial = values.find(({ field_key }) => field_key === 'serial_number')?.value;
    const column = columns.nameOf('serial_number');
    if (serial === undefined) throw new RowFault('is empty', column);
    if (typeof serial !== 'string' || !fitsLink(serial)) {
      throw new RowFault('must have 1 to 20 characters that a GS1 Digital Link can have', column);
    }
    if (tried.size === tried.add(serial).size) throw new RowFault('is in the file twice', column);
    await ofValue(values);
    return { line: row.line, serial, values };
  };
}
