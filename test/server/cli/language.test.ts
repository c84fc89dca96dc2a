import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { writePassport } from '../../../server/src/passports/write.ts';
import { changeLanguage } from '../../../server/src/tenants/store.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { ending } from '../../support/ending.ts';
import { databaseKinds, newDatabase, newMigratedDatabase, type Service, startService } from '../../support/service.ts';

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'language-'));
  ending.defer(() => rm(folder, { recursive: true }));
});

describe.each(databaseKinds)('the language of a tenant on %s', (kind) => {
  let service: Service;
  let address = '';

  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    service = await startService(kind, { on: address });
  });

  const command = (line: string, database = address): Promise<Outcome> =>
    runHere(`product-passport ${line} --database ${database}`);

  async function languageOf(tenant: string, database = address): Promise<string> {
    const shown = await command(`tenant show ${tenant}`, database);
    const { language } = JSON.parse((await command(`tenant show ${tenant} --json`, database)).stdout);
    expect(shown.stdout).toMatch(new RegExp(`^Language +${language}$`, 'm'));
    return language;
  }

  test('is that of the country, or another one', async () => {
    await command("tenant create by-country --name 'Laden' --country AT");
    await command("tenant create chosen --name 'Shop' --country AT --language sl");
    expect([await languageOf('by-country'), await languageOf('chosen')]).toEqual(['de', 'sl']);
    expect((await command('tenant list')).stdout).toMatch(/^chosen +Shop +AT +sl +starter/m);
  });

  test.each([
    "tenant create wrong --name 'Shop' --country SE --language se",
    'tenant language by-country EN',
    'tenant language by-country german',
    'tenant language by-country zz',
  ])('%s names the codes', async (line) => {
    expect(await command(line)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(/Use one of: bg, cs, da, .*, sv\./),
    });
  });

  test('marks the texts on pages and in documents, whatever the country', async () => {
    const client = await service.newTenant({ slug: 'english', country: 'DE', language: 'en' });
    const { slug } = await client.create({ name: 'Jumper', product_group: 'textile' });
    await client.write(slug, [{ field_key: 'care_instructions', value: 'wash by hand' }]);
    await service.activate(client, slug);
    const path = `/p/english/${slug}`;
    const page = (await client.call({ path, key: null, headers: { 'accept-language': 'de' } })).text;
    expect(page).toMatch(/<h1[^>]* lang="en"/);
    expect(page).toMatch(/lang="en"[^>]*>wash by hand/);
    // A reader who asks for no language gets that of the tenant.
    expect((await client.call({ path, key: null })).headers['content-language']).toBe('en');
    const { text } = await client.call({ path: `${path}/jsonld`, key: null });
    expect(JSON.parse(text)).toMatchObject({
      'gs1:productName': { '@language': 'en' },
      hasDigitalProductPassport: { inLanguage: 'en' },
      additionalProperty: [{ name: 'Care instructions', 'dpp:locale': 'en' }],
    });
  });

  test('changes while no passport has a value, and then stays', async () => {
    const client = await service.newTenant({ slug: 'changing' });
    const other = await service.newTenant({ slug: 'neighbour' });
    const { slug } = await client.create('Tasse');
    await other.create('Tasse');
    await other.write('tasse', [{ field_key: 'a', value: 1 }]);
    expect(await command('tenant language changing en')).toMatchObject({
      code: 0,
      stdout: 'The language of changing is en.\n',
    });
    await client.write(slug, [{ field_key: 'a', value: 1, access_level: 'authority' }]);
    expect((await client.passport(slug)).values).toMatchObject([{ locale: 'en' }]);
    const refused = await command('tenant language changing fr');
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toMatch(
      /changing keeps the language en, because its passports have values, such as that of tasse\..*Create another tenant with --language fr\.\n$/,
    );
    expect(await languageOf('changing')).toBe('en');
    expect(await command('tenant language changing en --json')).toMatchObject({
      code: 0,
      stdout: '{"slug":"changing","language":"en"}\n',
    });
    const { stdout } = await command('audit');
    expect(stdout).toMatch(/ tenant language changing en$/m);
    expect(stdout).not.toMatch(/changing fr$/m);
  });

  test('is kept by an export and by a backup', async () => {
    await service.newTenant({ slug: 'kept', country: 'DE', language: 'mt' });
    const [exported, backup] = [join(folder, `${kind}.jsonl`), join(folder, `${kind}.backup`)];
    await command(`export ${exported} --tenant kept`);
    await command(`backup ${backup}`);
    for (const to of databaseKinds) {
      const [imported, restored] = [await newMigratedDatabase(to), await newDatabase(to)];
      expect(await command(`import ${exported}`, imported)).toMatchObject({ code: 0 });
      expect(await command(`restore ${backup}`, restored)).toMatchObject({ code: 0 });
      expect([await languageOf('kept', imported), await languageOf('kept', restored)]).toEqual(['mt', 'mt']);
    }
  });

  describe('while somebody writes the first value', () => {
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
});
