import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ContractError } from '@product-passport/openapi';
import { Encoded } from '../../../server/src/http/encoded.ts';
import { PassportCache } from '../../../server/src/passports/read.ts';
import { writePassport } from '../../../server/src/passports/write.ts';
import { changeLanguage } from '../../../server/src/tenants/store.ts';
import { databaseKinds, untilBlocked } from '../../support/database.ts';
import { type Client, type Service, startService, useService } from '../../support/service.ts';

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  beforeAll(async () => {
    client = await service.newTenant();
  });

  test('the passport of an archived product can be written', async () => {
    const { slug } = await client.create('Alt');
    await service.archive(client, slug);
    await client.write(slug, [{ field_key: 'a', value: 1 }]);
    expect(await client.passport(slug)).toMatchObject({ product: { status: 'archived' }, values: [{ value: 1 }] });
  });

  test('a newer template adds no version: writing the stored values changes nothing', async () => {
    const { id, slug } = await client.create('Ware');
    await client.write(slug, [{ field_key: 'a', value: 1 }]);
    const versions = () => service.database('passport_versions').where({ product_id: id });
    await versions().update({ template_version: 0 });
    await client.write(slug, [{ field_key: 'a', value: 1 }]);
    expect(await versions()).toHaveLength(2);
    await client.write(slug, [{ field_key: 'a', value: 2 }]);
    expect((await versions()).map(({ template_version }) => template_version)).toEqual([0, 0, 2]);
  });

  test('a write that another one overtakes is judged with the values of both', async () => {
    const { slug } = await client.create({ name: 'Akku', product_group: 'battery' });
    const { database } = service;
    const values = (field_key: string) => [{ field_key, value: 'ev' }];
    let write: Promise<unknown> = Promise.resolve();
    await database.transaction(async (first) => {
      await writePassport({ database: first, now: () => new Date() }, client.tenant, slug, values('battery_category'));
      await new Promise<void>((resolve) => {
        // The clock is read after the product.
        const now = () => {
          resolve();
          return new Date();
        };
        write = writePassport({ database, now }, client.tenant, slug, values('battery_catgory'));
      });
    });
    expect(await write).toMatchObject({ updated: 1, findings: 0 });
  });

  test('a write to a large passport waits as a large one, and then changes what others have written meanwhile', async () => {
    const { slug } = await client.create('Lang');
    const { database } = service;
    const write = (field_key: string, value: unknown, wait?: () => Promise<void> | undefined): Promise<unknown> =>
      writePassport({ database, now: () => new Date() }, client.tenant, slug, [{ field_key, value }], wait);
    const waits: string[] = [];
    const waitOnce = (): Promise<void> | undefined => {
      waits.push('asked');
      return waits.length > 1 ? undefined : write('b', 'meanwhile').then(() => undefined);
    };
    await write('a', 'x'.repeat(32_000), waitOnce);
    expect(waits).toEqual([]);
    await write('a', 'x'.repeat(33_000), waitOnce);
    expect(waits).toEqual([]);
    await write('c', 1, waitOnce);
    expect(waits).toEqual(['asked', 'asked']);
    expect((await client.passport(slug)).values).toMatchObject([{}, { value: 'meanwhile' }, { value: 1 }]);
    await expect(write('d', 1, () => Promise.reject(new ContractError('service_unavailable')))).rejects.toMatchObject({
      code: 'service_unavailable',
    });
    expect((await client.passport(slug)).values).toHaveLength(3);
  });

  test('the size of a passport is counted in bytes', async () => {
    const { slug } = await client.create('Voll');
    for (const field_key of ['a', 'b']) await client.write(slug, [{ field_key, value: 'ü'.repeat(500_000) }]);
    const body = [{ field_key: 'c', value: 'ü'.repeat(100_000) }];
    const { json } = await client.call({ method: 'PUT', path: `/api/v1/products/${slug}/passport`, body });
    expect(json).toMatchObject({
      error: { code: 'invalid_request', message: expect.stringContaining(' 2097152 bytes ') },
    });
  });
});

const kilobyte = 1024;

describe('the passports kept in memory', () => {
  /** A cache of 100 KB, whose entries have 10 KB. Notes which entries were made. */
  function small() {
    const cache = new PassportCache(100 * kilobyte);
    const made: string[] = [];
    const get = (key: string, size = 10 * kilobyte): Promise<Encoded<string>> =>
      cache.get(key, async () => {
        made.push(key);
        return Encoded.of('x'.repeat(size));
      });
    return { cache, made, get };
  }

  test('take bounded memory, and the least recently used one is dropped first', async () => {
    const { made, get } = small();
    await get('used');
    for (let number = 0; number < 100; number += 1) {
      await get('used');
      await get(`${number}`);
    }
    made.length = 0;
    // Nine of them fit.
    for (const key of ['used', '99', '92', '91']) await get(key);
    expect(made).toEqual(['91']);
  });

  test('each compressed one is an entry with its own size', async () => {
    const { cache, made, get } = small();
    await get('used');
    // Compression does not shorten them.
    const compress = (key: string) =>
      cache.gzipped(key, async () => {
        made.push(key);
        return Encoded.of(randomBytes(10 * kilobyte));
      });
    for (const key of ['1', '2', '3', '4', '5', '6', '7', '8', '1']) expect((await compress(key)).isGzip).toBe(true);
    await compress('9');
    for (const key of ['1', '9', 'used']) await (key === 'used' ? get(key) : compress(key));
    expect(made.join()).toBe('used,1,2,3,4,5,6,7,8,9,used');
  });

  test('concurrent requests share one that is being made, and a failure is not kept', async () => {
    const cache = new PassportCache();
    let failures = 0;
    const fail = async (): Promise<Encoded<string>> => {
      failures += 1;
      await new Promise(setImmediate);
      throw new Error('No.');
    };
    const outcomes = await Promise.allSettled([cache.get('a', fail), cache.get('a', fail)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(failures).toBe(1);
    const { bytes } = await cache.get('a', async () => Encoded.of('text'));
    expect(bytes.toString()).toBe('text');
  });

  test('one whose place is taken while it is made reaches its readers', async () => {
    const { cache, get } = small();
    const gate = Promise.withResolvers<Encoded<string>>();
    const late = cache.get('late', () => gate.promise);
    for (let number = 0; number < 20; number += 1) await get(`${number}`);
    gate.resolve(Encoded.of('late'));
    expect((await late).bytes.toString()).toBe('late');
  });
});

describe.each(databaseKinds)('the language of a tenant on %s', (kind) => {
  let service: Service;
  beforeAll(async () => {
    service = await startService(kind);
  });

  const values = [{ field_key: 'a', value: 1 }];

  test('a value that was prepared before the change has the new language', async () => {
    const { database } = service;
    const client = await service.newTenant({ language: 'de' });
    const { slug } = await client.create('Tasse');
    let write: Promise<unknown> = Promise.resolve();
    await database.transaction(async (change) => {
      expect(await changeLanguage(change, client.tenant.id, 'en')).toBeUndefined();
      await new Promise<void>((resolve) => {
        // The clock is read after the product and its language.
        const now = () => {
          resolve();
          return new Date();
        };
        write = writePassport({ database, now }, client.tenant, slug, values);
      });
    });
    await write;
    expect((await client.passport(slug)).values).toMatchObject([{ locale: 'en' }]);
  });

  test('the change waits for a value that is not committed yet, and is refused', async () => {
    const { database } = service;
    const client = await service.newTenant({ language: 'de' });
    const { slug } = await client.create('Tasse');
    let change: Promise<string | undefined> = Promise.resolve(undefined);
    await database.transaction(async (write) => {
      await writePassport({ database: write, now: () => new Date() }, client.tenant, slug, values);
      change = database.transaction((transaction) => changeLanguage(transaction, client.tenant.id, 'en'));
      await untilBlocked(change, write);
    });
    expect(await change).toBe(slug);
    const { language } = await database('tenants').where({ id: client.tenant.id }).first('language');
    expect(language).toBe('de');
  });
});
