import {
  citationOf,
  kindOf,
  rangesOf,
  requirementOf,
  type Template,
  templateKeys,
  templateOf,
} from '../templates/catalogue.ts';
import { argument, command, jsonFlag, type Noun } from './command.ts';
import { readiness, templateOfGroup } from './readiness.ts';
import { section, wrapped } from './table.ts';

export const commands: Noun = {
  name: 'template',
  description: 'list the product groups, and show the fields that the passport of each should have',
  commands: [
    command({
      name: 'list',
      about: 'nothing',
      description: 'list the product groups: the values of product_group in the API',
      example: 'template list',
      options: { json: jsonFlag },
      run: () =>
        templateKeys.map(templateOf).map(({ key, version, title, fields }) => ({
          key,
          version,
          title,
          fields: fields.length,
          required_fields: fields.filter(({ required }) => required).length,
        })),
      table: {
        header: ['GROUP', 'FIELDS', 'REQUIRED', 'VERSION', 'TITLE'],
        row: (each) => [
          each.key,
          String(each.fields),
          String(each.required_fields),
          String(each.version),
          each.title.en,
        ],
        empty: () => 'There are no templates.',
      },
    }),
    command({
      name: 'show',
      about: 'nothing',
      description:
        'show the fields of a product group: key, label, type, possible values, whether it is required, for which category, ' +
        'and who may see it',
      example: 'template show textile',
      arguments: [argument('<group>', 'product group', templateOfGroup)],
      options: { json: jsonFlag },
      run: (_context, template) => template,
      text: linesOf,
    }),
    readiness,
  ],
};

function linesOf(template: Template): string[] {
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
  return [
    `${key}: ${title.en}, version ${version}`,
    ...section(['FIELD', 'TYPE', 'REQUIRED', ...(list ? ['POINT'] : []), 'ACCESS', 'LABEL', 'SOURCE HINT'], rows),
    ...section(['FIELD', 'VALUES'], values),
    ...(list ? ['', ...wrapped(citationOf(list))] : []),
    '',
    ...wrapped(
      `Your server shows an example of each value, and a body that completes a passport, at /docs/fields/${key}.`,
    ),
    ...(scans ? [] : ['Views of its passports are not counted: the law forbids to track their use.']),
    'A source hint says where the idea of a field comes from. It is not legal advice.',
  ];
}
