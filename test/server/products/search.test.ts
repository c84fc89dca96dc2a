import { beforeAll, describe, expect, test } from '@jest/globals';
import { fold } from '@product-passport/openapi';
import { connect } from '../../../server/src/database/connection.ts';
import { observeStatements } from '../../../server/src/database/knex-clients.ts';
import type { Client } from '../../support/client.ts';
import { databaseKinds, newDatabase } from '../../support/database.ts';
import { useService } from '../../support/service.ts';

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);

  test('the total of a text that was searched before has the products that were created since', async () => {
    const [shop, other] = [await service.newTenant(), await service.newTenant()];
    const sent: string[] = [];
    observeStatements(service.database, (sql) => sent.push(sql));
    const total = async (of: Client): Promise<number> => (await of.list({ search: 'lampe', limit: 1 })).total;
    // Behind the end of a list, the products are counted.
    expect(await shop.list({ search: 'lampe', limit: 1, offset: 50 })).toMatchObject({ items: [], total: 0 });
    for (const name of ['Lampe rot', 'Stuhl', 'Lampe blau']) await shop.create(name);
    expect([await total(shop), await total(other)]).toEqual([2, 0]);
    for (const name of ['Lampe gelb', 'Tisch', 'Stehlampe']) await shop.create(name);
    for (const name of ['Lampe', 'Lampe 2']) await other.create(name);
    expect([await total(shop), await total(other)]).toEqual([4, 2]);
    await shop.create('Tisch 2');
    sent.length = 0;
    expect([await total(shop), await total(other)]).toEqual([4, 2]);
    // On PostgreSQL the count of many matches is what takes time. The products before the last count are not read again.
    const counts = sent.filter((sql) => sql.includes('count(*)::integer'));
    expect(counts.map((sql) => sql.includes('"position" > '))).toEqual(kind === 'PostgreSQL' ? [true, true] : []);
    const { slug } = await shop.create('Lampe weiß');
    await service.activate(shop, slug);
    expect((await shop.list({ search: 'lampe', status: 'active', limit: 1 })).total).toBe(1);
  });

  test('a name that another program changed is found under the new name only', async () => {
    const shop = await service.newTenant();
    for (const name of ['Lampe rot', 'Lampe blau']) await shop.create(name);
    const change = { name: 'Stuhl grün', name_folded: fold('Stuhl grün') };
    await service.database('products').where({ tenant_id: shop.tenant.id, slug: 'lampe-rot' }).update(change);
    const found = async (search: string) => (await shop.list({ search })).items.map(({ slug }) => slug);
    expect([await found('lampe'), await found('STUHL')]).toEqual([['lampe-blau'], ['lampe-rot']]);
  });

  test('SRCH-3 a search of 1,000 characters finds a name whose folded form contains it; one of 1,001 finds nothing', async () => {
    const long = await service.newTenant();
    await long.create('ﬃ'.repeat(500));
    const contained = 'ffi'.repeat(500);
    for (const [length, total] of [
      [999, 1],
      [1000, 1],
      [1001, 0],
    ] as const)
      expect([length, (await long.list({ search: contained.slice(0, length) })).total]).toEqual([length, total]);
  });

  test('SRCH-2 bytes that are not UTF-8 find nothing, and a plus means a space', async () => {
    const client = await service.newTenant();
    await client.create('100% Wolle');
    const broken = await client.call({ path: '/api/v1/products', query: 'search=%ff%e4' });
    expect(broken.json).toMatchObject({ total: 0 });
    const plus = await client.call({ path: '/api/v1/products', query: 'search=100%25+wolle' });
    expect(plus.json).toMatchObject({ items: [{ name: '100% Wolle' }] });
    const bare = await client.call({ path: '/api/v1/products', query: 'search=100%' });
    expect(bare.json).toMatchObject({ total: 1 });
  });
});

interface Row {
  character: string;
  folded: string;
}

/** Each character that Unicode has assigned, except private ones. */
let characters: readonly Row[] = [];

beforeAll(async () => {
  const database = connect(await newDatabase('PostgreSQL'));
  ({ rows: characters } = await database.raw(`
    SELECT chr(code) AS character, casefold(normalize(chr(code), NFC) COLLATE pg_unicode_fast) AS folded
    FROM generate_series(1, 983039) AS code
    WHERE code NOT BETWEEN 55296 AND 63743 AND unicode_assigned(chr(code))`));
  await database.destroy();
});

test('a character and its Unicode folding fold to the same text', () => {
  expect(characters.filter(({ character, folded }) => character !== folded).length).toBeGreaterThan(1500);
  const different = characters.filter(({ character, folded }) => fold(character) !== fold(folded));
  expect(different).toEqual([]);
});

test('two characters with different Unicode foldings fold to different texts', () => {
  const seen = new Map<string, string>();
  const alike = characters.filter(({ character, folded }) => {
    const expected = folded.normalize('NFC');
    const other = seen.get(fold(character));
    seen.set(fold(character), other ?? expected);
    return other !== undefined && other !== expected;
  });
  expect(alike).toEqual([]);
});
