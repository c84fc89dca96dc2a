import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { languages } from '../../server/src/languages/languages.ts';
import { wordsOf } from '../../server/src/languages/words.ts';
import { explanationOf } from '../../server/src/site/entries.ts';
import { templateKeys, templateOf } from '../../server/src/templates/catalogue.ts';
import type { Client } from '../support/client.ts';
import { useService } from '../support/service.ts';

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

  test('stand under each value of the template, closed, and name the hint of its source', () => {
    const found = [...page.matchAll(/<dd class="about"><details>([\s\S]*?)<\/details>/g)].map(([, text]) => text);
    const shown = values.filter(({ field_key, access_level }) => field_key !== 'own_field' && !access_level);
    const fields = templateOf('textile').fields.filter(({ key }) => shown.some(({ field_key }) => field_key === key));
    expect(fields.length).toBeGreaterThan(1);
    expect(found).toHaveLength(fields.length);
    for (const field of fields) {
      const text = found.find((each) => each?.includes(`Explanation: ${field.label.en}"`));
      expect(text).toContain('(no legal advice).');
      expect(text).toContain(field.source.replaceAll('&', '&amp;'));
    }
  });

  test('exist for every field of every template', () => {
    for (const key of templateKeys) {
      for (const field of templateOf(key).fields) {
        const { meaning, source } = explanationOf(field, 'de');
        expect(meaning).toMatch(/^(?:[A-ZÜ„\d].*\. )?(?:Pflichtangabe|Freiwillig)\.$/);
        expect(source).toContain(field.source);
      }
    }
  });

  test.each([
    [
      'tyre',
      'wet_grip_class',
      'How soon the vehicle stops on a wet road: A is best. Required.',
      'Wie schnell das Fahrzeug auf nasser Straße hält: A ist am besten. Pflichtangabe.',
    ],
    [
      'textile',
      'carbon_footprint',
      'Greenhouse gases of one product, expressed as the amount of CO₂ with the same effect. Optional.',
      'Treibhausgase eines Produkts, ausgedrückt als Menge CO₂ mit derselben Wirkung. Freiwillig.',
    ],
    ['cable', 'cable_length', 'Usual unit: m. Required.', 'Übliche Einheit: m. Pflichtangabe.'],
  ])('of %s %s says what it means', (group, key, english, german) => {
    const field = templateOf(group).fields.find((each) => each.key === key);
    if (!field) throw new Error(`${group} has no field ${key}.`);
    expect([explanationOf(field, 'en').meaning, explanationOf(field, 'de').meaning]).toEqual([english, german]);
  });

  test('say what a field means where its label does not, in sentences short enough for a phone', () => {
    const words = wordsOf('en');
    const keys = new Set(templateKeys.flatMap((group) => templateOf(group).fields.map(({ key }) => key)));
    expect(Object.keys(words.meanings).filter((key) => !keys.has(key))).toEqual([]);
    expect(Object.keys(words.meanings).length).toBeGreaterThan(120);
    for (const language of languages) {
      for (const meaning of Object.values(wordsOf(language).meanings)) {
        expect(meaning).toMatch(/^.{20,110}[.]$/);
      }
    }
  });

  test('have a link to each section', () => {
    const [nav = ''] = /<nav class="jump"[\s\S]*?<\/nav>/.exec(page) ?? [];
    const targets = [...nav.matchAll(/href="#([a-z_]+)"/g)].map(([, id]) => id);
    expect(targets.length).toBeGreaterThan(1);
    const headings = [...page.matchAll(/<section aria-labelledby="([a-z_]+)">/g)].map(([, id]) => id);
    expect(targets).toEqual(headings);
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
