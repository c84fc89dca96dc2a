import { didYouMean } from '@product-passport/openapi';
import { type Command, InvalidArgumentError } from 'commander';
import { commandHint } from '../database/address.ts';
import {
  citationOf,
  kindOf,
  rangesOf,
  requirementOf,
  type Template,
  templateKeys,
  templateOf,
} from '../templates/catalogue.ts';
import { print, printJson, printTable, Table } from './output.ts';
import { addReadinessCommand } from './readiness.ts';
import { wrapped } from './wrap.ts';

export function addTemplateCommands(program: Command): void {
  const template = program
    .command('template')
    .description('list the product groups, and show the fields that the passport of each should have');

  template
    .command('list')
    .description('list the product groups: the values of product_group in the API')
    .option('--json', 'print one line of JSON instead of text')
    .action(({ json }: { json?: boolean }) => {
      const items = templateKeys.map(templateOf).map(({ key, version, title, fields }) => ({
        key,
        version,
        title,
        fields: fields.length,
        required_fields: fields.filter(({ required }) => required).length,
      }));
      if (json) printJson({ items });
      else {
        const rows = items.map((each) => [
          each.key,
          String(each.fields),
          String(each.required_fields),
          String(each.version),
          each.title.en,
        ]);
        printTable(['GROUP', 'FIELDS', 'REQUIRED', 'VERSION', 'TITLE'], rows, 'There are no templates.');
      }
    });

  template
    .command('show')
    .argument('<group>', 'product group', templateOfGroup)
    .description(
      'show the fields of a product group: key, label, type, possible values, whether it is required, for which category, ' +
        'and who may see it',
    )
    .option('--json', 'print one line of JSON instead of text')
    .action((template: Template, { json }: { json?: boolean }) => {
      if (json) printJson(template);
      else printTemplate(template);
    });

  addReadinessCommand(template, templateOfGroup);
}

function templateOfGroup(group: string): Template {
  if (templateKeys.includes(group)) return templateOf(group);
  throw new InvalidArgumentError(
    `List the product groups with ${commandHint('template list', undefined)}.${didYouMean(group, templateKeys)}`,
  );
}

function printTemplate(template: Template): void {
  const { key, version, title, scans, fields, data_points: list } = template;
  const rows = fields.map((field) => [
    field.key,
    kindOf({ type: field.type, unit: field.unit }),
    requirementOf(field, template),
    ...(list ? [field.points?.join(', ') ?? ''] : []),
    field.access_level,
    field.label.en,
    field.source,
  ]);
  const values = fields.flatMap((field) => {
    const options = field.options?.map(({ code }) => code).join(', ');
    const shape = field.items || field.members ? kindOf(field) : undefined;
    const texts = [options, shape, ...rangesOf(field)].filter((text) => text !== undefined);
    return texts.length > 0 ? [[field.key, texts.join('; ')]] : [];
  });
  print(
    `${key}: ${title.en}, version ${version}`,
    '',
    ...new Table([
      ...['FIELD', 'TYPE', 'REQUIRED', ...(list ? ['POINT'] : [])],
      ...['ACCESS', 'LABEL', 'SOURCE HINT'],
    ]).lines(rows),
    ...(values.length > 0 ? ['', ...new Table(['FIELD', 'VALUES']).lines(values)] : []),
    ...(list ? ['', ...wrapped(citationOf(list))] : []),
    '',
    ...wrapped(
      `Your server shows an example of each value, and a body that completes a passport, at /docs/fields/${key}.`,
    ),
    ...(scans ? [] : ['Views of its passports are not counted: the law forbids to track their use.']),
    'A source hint says where the idea of a field comes from. It is not legal advice.',
  );
}
