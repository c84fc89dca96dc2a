import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Schemas } from '@product-passport/openapi';
import { verifyContentHash, verifyPassport } from '../../../sdk/src/verify.ts';
import { unsetFields, writePassport } from '../../../server/src/passports/write.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase, untilBlocked } from '../../support/database.ts';
import { type Client, type Service, startService } from '../../support/service.ts';

function command(line: string, database: string): Promise<Outcome> {
  return runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: database });
}

describe.each(databaseKinds)('passport unset on %s', (kind) => {
  let address = '';
  let service: Service;

  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    service = await startService(kind, { on: address });
  });

  /** An active pullover of a new tenant. */
  async function pullover(slug: string, values: readonly object[]): Promise<Client> {
    const client = await service.newTenant({ slug });
    await client.create({ name: 'Pullover', product_group: 'textile' });
    await service.activate(client, 'pullover');
    await client.write('pullover', values);
    return client;
  }

  const unset = (words: string, database = address): Promise<Outcome> =>
    command(`passport unset pullover ${words}`, database);

  test('removes the values of every language', async () => {
    const client = await pullover('languages', [{ field_key: 'note', value: 'Hallo' }]);
    const values = service.database('passport_values').where({ tenant_id: client.tenant.id });
    const [row] = await values.clone();
    await service.database('passport_values').insert({ ...row, locale: 'fr' });
    expect(JSON.parse((await unset('note --yes --json --tenant languages')).stdout)).toMatchObject({ values: 2 });
    expect(await values.clone()).toEqual([]);
  });

  describe('between two public versions', () => {
    const secret = 'Erika Mustermann';
    const text = (value: string) => [{ field_key: 'person', value }];

    /** Everything that the public side and the API send of the product, and the content hashes of the public versions. */
    async function everything(client: Client): Promise<{ texts: string[]; hashes: Map<number, string> }> {
      const texts = [JSON.stringify(await client.passport('pullover'))];
      const hashes = new Map<number, string>();
      const queries = ['lang=en', ...Array.from({ length: 9 }, (_, index) => `version=${index + 1}`)];
      const token = await client.token('inspector');
      for (const query of queries.flatMap((each) => [each, `${each}&zugang=${token}`])) {
        const path = `/p/${client.tenant.slug}/pullover`;
        const page = await client.call({ path, query, key: null });
        const { status, text } = await client.call({ path: `${path}/jsonld`, query, key: null });
        texts.push(page.text, text);
        if (status === 404) continue;
        const document: Schemas['PassportDocument'] = JSON.parse(text);
        expect((await verifyPassport(document)).ok).toBe(true);
        const { version, identifier } = document.hasDigitalProductPassport;
        if (query.startsWith('version')) hashes.set(version, identifier.value);
      }
      return { texts, hashes };
    }

    /** Versions 2 to 4 have the secret, 5 removes it, 7 writes the field again. */
    async function removed(slug: string): Promise<{ client: Client; before: Map<number, string> }> {
      const client = await pullover(slug, [
        { field_key: 'care_instructions', value: 'wash by hand' },
        ...text(`${secret} 1`),
        { field_key: 'zebra', value: [1e21, 'ä'] },
      ]);
      await client.write('pullover', text(`${secret} 2`));
      await client.write('pullover', [{ field_key: 'care_instructions', value: 'do not wash' }]);
      const { hashes: before, texts } = await everything(client);
      expect(texts.filter((each) => each.includes(secret)).length).toBeGreaterThan(10);
      expect(await unset(`person --yes --tenant ${slug}`)).toMatchObject({ code: 0 });
      await client.write('pullover', [{ field_key: 'aardvark', value: 1 }]);
      await client.write('pullover', text('nobody'));
      return { client, before };
    }

    async function expectHashes(database: string, { tenant }: Client, expected: object): Promise<void> {
      const { code, stdout } = await command(`check-hashes --json --tenant ${tenant.slug}`, database);
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, problems: [], ...expected });
    }

    async function expectNoSecret(client: Client, versions: number[]): Promise<Map<number, string>> {
      const { texts, hashes } = await everything(client);
      expect(texts.filter((each) => each.includes(secret))).toEqual([]);
      expect(texts.some((each) => each.includes('nobody'))).toBe(true);
      expect([...hashes.keys()]).toEqual(versions);
      return hashes;
    }

    test('older versions no longer show the value, and keep their hashes', async () => {
      const { client, before } = await removed('between');
      const hashes = await expectNoSecret(client, [1, 2, 3, 4, 5, 6, 7]);
      for (const [version, hash] of before) expect([version, hashes.get(version)]).toEqual([version, hash]);
      const { text: second } = await client.call({ path: '/p/between/pullover/jsonld', query: 'version=2', key: null });
      expect(JSON.parse(second).additionalProperty.map(({ propertyID }: { propertyID: string }) => propertyID)).toEqual(
        ['care_instructions', 'zebra'],
      );
      const page = (await client.call({ path: '/p/between/pullover', query: 'lang=en', key: null })).text;
      const [history = ''] = /<details class="history">[\s\S]*?<\/details>/.exec(page) ?? [];
      expect([...history.matchAll(/Changed: .*person.*/g)].map(([line]) => line)).toEqual([
        expect.stringContaining('person (now: nobody)'),
      ]);
      await expectHashes(address, client, { older_versions: 6, versions_without_values: 0 });
    });
  });

  describe('while somebody writes', () => {
    const values = [
      { field_key: 'colur', value: 'red' },
      { field_key: 'size', value: 'M' },
    ];

    test('a write that was prepared before follows the removal', async () => {
      const client = await pullover('prepared', values);
      const { database } = service;
      let write: Promise<unknown> = Promise.resolve();
      await database.transaction(async (removal) => {
        await unsetFields(removal, client.tenant, 'pullover', ['colur']);
        await new Promise<void>((resolve) => {
          // The clock is read after the product.
          const now = () => {
            resolve();
            return new Date();
          };
          write = writePassport({ database, now }, client.tenant, 'pullover', [{ field_key: 'size', value: 'L' }]);
        });
      });
      await write;
      const passport = await client.passport('pullover');
      expect(passport.values).toMatchObject([{ field_key: 'size', value: 'L' }]);
      expect(await verifyContentHash(passport)).toMatchObject({ ok: true });
      expect(await command('check-hashes --tenant prepared', address)).toMatchObject({ code: 0 });
    });

    test('a removal waits for a write that is not committed yet', async () => {
      const client = await pullover('waits', values);
      const { database } = service;
      let removal: Promise<unknown> = Promise.resolve();
      await database.transaction(async (write) => {
        const more = [{ field_key: 'size', value: 'L' }];
        await writePassport({ database: write, now: () => new Date() }, client.tenant, 'pullover', more);
        removal = database.transaction((transaction) => unsetFields(transaction, client.tenant, 'pullover', ['colur']));
        await untilBlocked(removal, write);
      });
      await removal;
      const passport = await client.passport('pullover');
      expect(passport.values).toMatchObject([{ field_key: 'size', value: 'L' }]);
      expect(await verifyContentHash(passport)).toMatchObject({ ok: true });
      expect(await command('check-hashes --tenant waits', address)).toMatchObject({ code: 0 });
    });
  });
});
