import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { languages } from '../../../server/src/languages/languages.ts';
import { wordsOf } from '../../../server/src/languages/words.ts';
import { basisOf } from '../../../server/src/site/basis.ts';
import { templateKeys, templateOf } from '../../../server/src/templates/catalogue.ts';
import type { Client } from '../../support/client.ts';
import { useService } from '../../support/service.ts';

const run = promisify(execFile);

const values = [
  { field_key: 'recycled_content_share', value: 12.5, unit: '%' },
  { field_key: 'care_instructions', value: 'wash by hand' },
  { field_key: 'disassembly_instructions', value: 'unscrew the seven bolts', access_level: 'restricted' },
  { field_key: 'own_field', value: { '～': [1e21, 0.1, null], '𝄞': "it's", a: false }, unit: 'kg' },
  { field_key: 'warranty_months', value: null, is_unknown: true },
];

describe('the explanations of a page', () => {
  const service = useService('SQLite');
  let client: Client;
  let path = '';
  let page = '';
  beforeAll(async () => {
    client = await service.newTenant();
    const { slug } = await client.create({ name: 'Pullover', product_group: 'textile' });
    await client.write(slug, values);
    await service.activate(client, slug);
    path = `/p/${client.tenant.slug}/${slug}`;
    page = (await client.call({ path, query: 'lang=en', key: null })).text;
  });

  test('stand under each value whose label does not say what it means, closed', () => {
    const found = [
      ...page.matchAll(/<dd class="about"><details><summary aria-label="Explanation: ([^"]*)">i<\/summary>([^<]*)/g),
    ];
    const shown = values.filter(({ access_level }) => !access_level).map(({ field_key }) => field_key);
    const fields = templateOf('textile').fields.filter(({ key, meaning }) => shown.includes(key) && meaning);
    expect(fields.length).toBeGreaterThan(0);
    expect(found.map(([, label, text]) => [label, text?.trim()]).sort()).toEqual(
      fields.map(({ label, meaning }) => [label.en, meaning?.en]).sort(),
    );
  });

  test('name the law, the unit and the rules of each value of the template in one fold', () => {
    const [fold = ''] = /<details class="bases">[\s\S]*?<\/details>/.exec(page) ?? [];
    const shown = values.filter(({ field_key, access_level }) => field_key !== 'own_field' && !access_level);
    const fields = templateOf('textile').fields.filter(({ key }) => shown.some(({ field_key }) => field_key === key));
    expect(fold).toContain('not legal advice.');
    expect([...fold.matchAll(/<dt>([^<]*)/g)].map(([, label]) => label)).toEqual(fields.map(({ label }) => label.en));
    for (const { source } of fields) expect(fold).toContain(source.replaceAll('&', '&amp;'));
  });

  test.each([
    ['tyre', 'wet_grip_class', 'How soon the vehicle stops on a wet road: A is best.', 'Required.'],
    [
      'textile',
      'carbon_footprint',
      expect.stringContaining('Greenhouse gases of one product'),
      expect.stringMatching(/^Optional\. Usual unit: kg/),
    ],
    ['cable', 'cable_length', undefined, 'Required. Usual unit: m.'],
    ['packaging', 'recycled_content_post_consumer', expect.stringContaining('plastic'), 'Required. Usual unit: %.'],
    ['aluminium', 'recycled_content_post_consumer', expect.stringContaining('aluminium'), 'Required. Usual unit: %.'],
  ])('of %s %s say what it means, and its rules', (group, key, meaning, rules) => {
    const field = templateOf(group).fields.find((each) => each.key === key);
    if (!field) throw new Error(`${group} has no field ${key}.`);
    expect([field.meaning?.en, basisOf(field, 'en').rules]).toEqual([meaning, rules]);
    expect(basisOf(field, 'de').rules).toMatch(/^(?:Pflichtangabe|Freiwillig)\./);
  });

  test('name a unit that is a word in the language of the page', () => {
    const field = templateOf('furniture').fields.find(({ unit }) => unit === 'year');
    expect(field && (['en', 'fr', 'pl'] as const).map((language) => basisOf(field, language).rules)).toEqual([
      'Optional. Usual unit: year.',
      'Facultatif. Unité habituelle\u00a0: année.',
      'Opcjonalne. Zwykła jednostka: rok.',
    ]);
  });

  test('name the plural of a unit in the language of the page', () => {
    const field = templateOf('battery').fields.find(({ key }) => key === 'charge_cycles');
    expect(field && (['en', 'de', 'pl'] as const).map((language) => basisOf(field, language).rules)).toEqual([
      expect.stringMatching(/: cycles\.$/),
      expect.stringMatching(/: Zyklen\.$/),
      expect.stringMatching(/: cykle\.$/),
    ]);
  });

  test.each(languages.filter((language) => language !== 'en'))('name the sources of a battery in %s', (language) => {
    const sources = templateOf('battery').fields.map((field) => basisOf(field, language).source);
    expect(sources.filter((source) => /\b(?:Reg\.|Annex|ESPR|GPSR)/.test(source))).toEqual([]);
  });

  test('name the source in German on a German page', () => {
    const fields = templateKeys.flatMap((key) => templateOf(key).fields);
    const sourceOf = (key: string) =>
      fields.filter((field) => field.key === key).map((field) => basisOf(field, 'de').source);
    expect(sourceOf('remaining_capacity')).toEqual([
      'Batterieverordnung (EU) 2023/1542 Anhang XIII 4(a); Anhang XIII 4(b)',
    ]);
    expect(sourceOf('wet_grip_class')).toEqual(['Reifenkennzeichnung (EU) 2020/740 Anhang I Teil B']);
    const english =
      /\b(?:Annex|Arts|Part|Reg|Dir|Dec|delegated|EC|and|section|point|entry|label|years|anticipated|from|of)\b/;
    expect(fields.map((field) => basisOf(field, 'de').source).filter((source) => english.test(source))).toEqual([]);
    expect(fields.every((field) => basisOf(field, 'en').source === field.source)).toBe(true);
    const all = fields.map(({ source }) => source).join('\n');
    expect(Object.keys(wordsOf('de').sources).filter((word) => !all.includes(word))).toEqual([]);
  });

  test('say what a field means where its label does not, in sentences short enough for a phone', () => {
    const words = wordsOf('en');
    const keys = new Set(
      templateKeys.flatMap((group) => templateOf(group).fields.flatMap(({ key }) => [key, `${group}.${key}`])),
    );
    expect(Object.keys(words.meanings).filter((key) => !keys.has(key))).toEqual([]);
    expect(Object.keys(words.meanings).length).toBeGreaterThan(120);
    for (const language of languages) {
      for (const meaning of Object.values(wordsOf(language).meanings)) {
        expect(meaning).toMatch(/^.{20,110}[.]$/);
      }
    }
  });

  test('have a link to each section and to the documents, which opens a folded one', async () => {
    const { slug } = await client.create({ name: 'Jacke', product_group: 'textile' });
    const more = [
      { field_key: 'repair_instructions', value: 'https://docs.example.com/fix' },
      { field_key: 'country_of_weaving', value: 'IT' },
    ];
    await client.write(slug, [...values, ...more]);
    await service.activate(client, slug);
    const { text } = await client.call({ path: `/p/${client.tenant.slug}/${slug}`, query: 'lang=en', key: null });
    const [nav = ''] = /<nav class="jump"[\s\S]*?<\/nav>/.exec(text) ?? [];
    const targets = [...nav.matchAll(/href="#([a-z_-]+)"/g)].map(([, id]) => id);
    expect(targets).toEqual([...['composition', 'use', 'documents'], ...['supply_chain-values', 'own-values']]);
    const folded = [
      ...text.matchAll(/<details><summary><h2 id="(\w+)">[^<]*<\/h2><\/summary>\s*<dl class="entries" id="([\w-]+)">/g),
    ];
    expect(folded.map(([, key, id]) => [key, id])).toEqual([
      ['supply_chain', 'supply_chain-values'],
      ['own', 'own-values'],
    ]);
    for (const id of targets) expect(text.split(` id="${id}"`)).toHaveLength(2);
  });

  /** The command as a reader copies it, run by a shell. */
  async function checked(command: string): Promise<string> {
    return (await run('sh', ['-c', command])).stdout;
  }

  test('print a command that checks the public hash, and that notices a change', async () => {
    const [, escaped = ''] = /<pre[^>]*><code>([\s\S]*?)<\/code>/.exec(page) ?? [];
    const command = escaped
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
    const [, hash] = /"dpp:publicContentHash":"([0-9a-f]{64})"/.exec(page) ?? [];
    expect(command).not.toContain('\n');
    expect(await checked(command)).toBe(`OK ${hash}\n`);
    const { text } = await client.call({ path: `${path}/jsonld`, key: null });
    const changed = Buffer.from(text.replace('wash by hand', 'boil')).toString('base64');
    const [address = ''] = /'http[^']*'$/.exec(command) ?? [];
    const result = await checked(command.replace(address, `'data:application/json;base64,${changed}'`));
    expect(result).toMatch(/^DIFFERENT [0-9a-f]{64}\n$/);
  });
});
