/** The status over HTTP: what it asks, refuses and notes. */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { changeStatus } from '../../../server/src/lifecycle/lifecycle.ts';
import { lockProduct, updateProduct } from '../../../server/src/products/store.ts';
import {
  type Database,
  databaseKinds,
  expectRightCounts,
  newDatabase,
  onStatement,
  untilBlocked,
} from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { type Client, type Reply, type Service, startService } from '../../support/service.ts';

describe.each(databaseKinds)('on %s', (kind) => {
  let address: string;
  let service: Service;
  let plain: Client;
  let publisher: Client;

  beforeAll(async () => {
    address = await newDatabase(kind);
    service = await startService(kind, { on: address });
    plain = await service.newTenant({ slug: 'first' });
    publisher = await service.publisherOf(plain);
  });

  const change = (client: Client, slug: string, body: object): Promise<Reply> =>
    client.call({ method: 'POST', path: `/api/v1/products/${slug}/status`, body });
  const messageOf = ({ json }: Reply): string => Object(json).error?.message;
  const changesOf = (slug: string) =>
    service
      .database('status_changes')
      .join('products', 'products.id', 'status_changes.product_id')
      .where({ slug })
      .orderBy('status_changes.id')
      .select('from_status', 'to_status', 'key_id', 'changed_by');
  const ready = [
    { field_key: 'manufacturer_name', value: 'Skellig' },
    { field_key: 'country_of_origin', value: 'IE' },
    { field_key: 'product_description', value: 'Black tea' },
    { field_key: 'recycling_instructions', value: 'Compost' },
  ];
  const concern = { field_key: 'substances_of_concern', value: [], access_level: 'public' };

  test('a product is published, archived and published again, and each change names the key', async () => {
    const { slug } = await plain.create('Tea');
    await plain.write(slug, ready);
    expect(await change(publisher, slug, { status: 'active' })).toMatchObject({
      status: 200,
      json: { slug, status: 'active' },
    });
    expect((await plain.call({ path: `/p/first/${slug}`, key: null })).status).toBe(200);
    expect((await change(publisher, slug, { status: 'archived' })).json).toEqual(await plain.product(slug));
    const { activated_at } = await service.database('products').where({ slug }).first();
    await change(publisher, slug, { status: 'active' });
    expect(await service.database('products').where({ slug }).first()).toMatchObject({
      status: 'active',
      activated_at,
    });
    const by = { key_id: publisher.keyId, changed_by: 'test' };
    expect(await changesOf(slug)).toEqual([
      { from_status: 'draft', to_status: 'active', ...by },
      { from_status: 'active', to_status: 'archived', ...by },
      { from_status: 'archived', to_status: 'active', ...by },
    ]);
  });

  test('a write that makes an item of a product waits for a change of its status', async () => {
    const { database } = service;
    const tenantId = plain.tenant.id;
    await plain.publish({ name: 'Bottle', slug: 'bottle' });
    const { write } = await database.transaction(async (transaction) => {
      const product = await lockProduct(transaction, tenantId, 'bottle');
      if (!product) throw new Error('There is no product.');
      const write = plain.write('bottle', [{ field_key: 'serial_number', value: 'B-1' }]);
      await untilBlocked(write, transaction);
      await updateProduct(transaction, tenantId, product, { status: 'archived' }, new Date());
      return { write };
    });
    expect(await write).toMatchObject({ updated: 1 });
    await expectRightCounts(database);
  });

  test('a key without the right is refused after an unknown product and before everything else', async () => {
    const { slug } = await plain.create('Mug');
    expect((await change(plain, 'none', { status: 'active' })).outcome).toBe('404 not_found');
    expect((await change(plain, slug, {})).outcome).toBe('400 invalid_request');
    expect((await change(plain, slug, { status: 'draft' })).outcome).toBe('400 invalid_request');
    expect((await change(plain, slug, { status: 'active' })).outcome).toBe('403 key_cannot_publish');
    expect((await plain.product(slug)).status).toBe('draft');
  });

  test('a passport that is not ready needs accept_findings, and a level that is too open its field in open', async () => {
    const { slug } = await plain.create('Lamp');
    await plain.write(slug, [concern]);
    const refused = await change(publisher, slug, { status: 'active' });
    expect([refused.outcome, messageOf(refused)]).toEqual([
      '409 not_ready',
      'The passport is not ready. More open than the template: substances_of_concern. Write their access_level, or name them in ' +
        'open. Required and without a value: manufacturer_name, country_of_origin, ' +
        'product_description, recycling_instructions. Write these values, or publish it ' +
        'anyway with accept_findings.',
    ]);
    const accepting = { status: 'active', accept_findings: true };
    const open = await change(publisher, slug, accepting);
    expect([open.outcome, messageOf(open)]).toEqual([
      '409 not_ready',
      'The passport is not ready. More open than the template: substances_of_concern. Write their access_level, or name them in open.',
    ]);
    expect(await changesOf(slug)).toEqual([]);
    expect((await change(publisher, slug, { ...accepting, open: ['substances_of_concern', 'note'] })).outcome).toBe(
      '200',
    );
    const { confirmed } = await service.database('products').where({ slug }).first();
    expect(JSON.parse(confirmed)).toEqual({ open: ['substances_of_concern'], own: [] });
    // The confirmation stays.
    await change(publisher, slug, { status: 'archived' });
    expect((await change(publisher, slug, accepting)).outcome).toBe('200');
  });

  test('the message names 20 fields at most', async () => {
    const { slug } = await plain.create({ name: 'Accumulator', product_group: 'battery' });
    await plain.write(slug, [{ field_key: 'battery_category', value: 'industrial' }]);
    const message = messageOf(await change(publisher, slug, { status: 'active' }));
    const [, fields = ''] = /without a value: (.*?)\. Write/.exec(message) ?? [];
    expect(fields.split(', ')).toHaveLength(21);
    expect(fields).toMatch(/, \d+ more$/);
  });

  test('the GTIN of another tenant is refused without its name', async () => {
    const gtin = '9520001000089';
    const other = await service.newTenant({ slug: 'secretive' });
    const { slug: theirs } = await other.create({ name: 'Theirs', gtin });
    await service.activate(other, theirs);
    const { slug } = await plain.create({ name: 'Ours', gtin: `0${gtin}` });
    const refused = await change(publisher, slug, { status: 'active', accept_findings: true });
    expect([refused.outcome, refused.text.includes('secretive')]).toEqual(['409 gtin_in_use', false]);
  });

  test('a passport is judged before the transaction, and again if it changed or is large and waited', async () => {
    const { slug } = await plain.create({ name: 'Large', gtin: '9520001000133' });
    const text = { field_key: 'note', value: 'x'.repeat(40_000) };
    await plain.write(slug, [...ready, text]);
    const reads: boolean[] = [];
    const stop = onStatement(service.database, (sent) => {
      if (/json_(group_array|agg)\(/.test(sent.sql)) reads.push('__knexTxId' in sent && sent.__knexTxId !== undefined);
    });
    let waits = 0;
    const waitAsLarge = () => {
      waits += 1;
      return waits === 1 ? Promise.resolve() : undefined;
    };
    const publication = { status: 'active', acceptFindings: false, by: 'command' } as const;
    const changing = (database: Database) =>
      changeStatus({ database, now: () => new Date() }, plain.tenant, slug, publication, waitAsLarge);
    await changing(service.database);
    expect([waits, reads]).toEqual([2, [false, false]]);
    await service.archive(plain, slug);
    // Somebody writes between the two.
    const between = new Proxy(service.database, {
      get: (target, name) =>
        name === 'transaction'
          ? (work: never) => plain.write(slug, [concern]).then(() => target.transaction(work))
          : Reflect.get(target, name),
    });
    reads.length = 0;
    await expect(changing(between)).rejects.toMatchObject({ code: 'not_ready' });
    expect(reads.at(-1)).toBe(true);
    stop();
    expect((await plain.product(slug)).status).toBe('archived');
  });

  test('fields that were shown are confirmed if the product has not changed since', async () => {
    const { slug } = await plain.create('Shown');
    await plain.write(slug, [...ready, concern]);
    const { updated_at } = await plain.product(slug);
    const publication = { status: 'active', acceptFindings: true } as const;
    const changing = (at: string) =>
      changeStatus({ database: service.database, now: () => new Date() }, plain.tenant, slug, {
        ...publication,
        shown: { updated_at: at, open: ['substances_of_concern'] },
      });
    await plain.write(slug, [{ field_key: 'note', value: 'x' }]);
    await expect(changing(updated_at)).rejects.toMatchObject({ code: 'not_ready' });
    expect(await changing((await plain.product(slug)).updated_at)).toMatchObject({ used: ['substances_of_concern'] });
  });

  test('of two changes at once one counts, and both succeed', async () => {
    const second = await openDatabase(address);
    ending.defer(() => second.destroy());
    const other = (await startService(kind, { on: second })).clientOf(publisher);
    for (let round = 0; round < 10; round += 1) {
      const { slug } = await plain.create({ name: `Pair ${round}`, gtin: '9520001000096' });
      const body = { status: 'active', accept_findings: true };
      const replies = await Promise.all([change(publisher, slug, body), change(other, slug, body)]);
      expect(replies.map(({ outcome }) => outcome)).toEqual(['200', '200']);
      expect(await changesOf(slug)).toHaveLength(1);
      expect((await plain.carriers(slug)).items).toHaveLength(1);
    }
  });
});
