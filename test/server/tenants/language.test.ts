import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { writePassport } from '../../../server/src/passports/write.ts';
import { changeLanguage } from '../../../server/src/tenants/store.ts';
import { databaseKinds } from '../../support/database.ts';
import { type Service, startService } from '../../support/service.ts';

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
      let hasEnded = false;
      change = database
        .transaction((transaction) => changeLanguage(transaction, client.tenant.id, 'en'))
        .finally(() => {
          hasEnded = true;
        });
      // On SQLite it begins after the write: there is one writer.
      const waits = () => kind === 'SQLite' || write('pg_locks').where({ granted: false }).first('pid');
      while (!hasEnded && !(await waits())) await setTimeout(20);
    });
    expect(await change).toBe(slug);
    const { language } = await database('tenants').where({ id: client.tenant.id }).first('language');
    expect(language).toBe('de');
  });
});
