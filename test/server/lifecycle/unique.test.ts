/** Values that only one active product of a tenant has: its serial number within a GTIN, and what its template calls unique. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { openDatabase } from '../../../server/src/index.ts';
import { uniqueFields } from '../../../server/src/templates/catalogue.ts';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newDatabase, newMigratedDatabase } from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { type Client, type Reply, type Service, startService } from '../../support/service.ts';

/** More with ROUNDS=50. */
const rounds = Number(process.env.ROUNDS ?? 5);
const serial = { field_key: 'serial_number', value: 'SN-1' };
const passportId = { field_key: 'battery_passport_id', value: 'urn:battery:1' };

describe.each(databaseKinds)('on %s', (kind) => {
  let address: string;
  let service: Service;
  let publisher: Client;
  let count = 0;
  /** Of each tenant. */
  let gtin = '';

  beforeEach(async () => {
    address = await newDatabase(kind);
    service = await startService(kind, { on: address });
  });

  async function newPublisher(): Promise<Client> {
    count += 1;
    gtin = `952${String(count).padStart(10, '0')}`;
    publisher = await service.publisherOf(await service.newTenant({ slug: `${kind}-${count}`.toLowerCase() }));
    return publisher;
  }
  async function draft(values: readonly object[], product: object = { gtin }, client = publisher): Promise<string> {
    count += 1;
    const { slug } = await client.create({ name: `Battery ${count}`, product_group: 'battery', ...product });
    await client.write(slug, values);
    return slug;
  }
  const setStatus = (slug: string, body: object, client = publisher): Promise<Reply> =>
    client.call({ method: 'POST', path: `/api/v1/products/${slug}/status`, body });
  const activate = (slug: string, client = publisher) =>
    setStatus(slug, { status: 'active', accept_findings: true }, client);
  const command = (line: string, database = address) =>
    runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: database });

  test('the second product is refused and names the first, whatever the levels, the texts of the GTIN and the status before', async () => {
    await newPublisher();
    const first = await draft([serial, passportId]);
    expect((await activate(first)).outcome).toBe('200');
    const long = { field_key: 'serial_number', value: 'x'.repeat(300) };
    await activate(await draft([long]));
    const rows: [object[], object, string | undefined][] = [
      [[serial], { gtin }, 'serial_number'],
      [[{ ...serial, access_level: 'authority' }], { gtin: `0${gtin}` }, 'serial_number'],
      [[passportId], {}, 'battery_passport_id'],
      [[{ ...passportId, access_level: 'restricted' }, serial], { gtin: '9520001000119' }, 'battery_passport_id'],
      [[serial], {}, undefined],
      [[serial], { gtin: '9520001000119' }, undefined],
      [[{ ...serial, value: 'sn-1' }], { gtin }, undefined],
      [
        [
          { ...serial, is_unknown: true },
          { ...passportId, is_unknown: true },
        ],
        { gtin },
        undefined,
      ],
      [
        [
          { ...serial, is_unknown: true },
          { ...passportId, is_unknown: true },
        ],
        { gtin },
        undefined,
      ],
      [[{ ...long, value: `${'x'.repeat(299)}y` }], { gtin }, undefined],
      // Only a template calls a field unique.
      [[passportId], { product_group: 'cable' }, undefined],
    ];
    for (const [values, product, field] of rows) {
      const slug = await draft(values, product);
      const refused = await activate(slug);
      const message = `The active product ${first} has the same ${field}. Correct the value or archive that product.`;
      expect(refused.json).toMatchObject(
        field === undefined ? { status: 'active' } : { error: { code: 'value_in_use', message } },
      );
      const { status } = await publisher.product(slug);
      expect(status).toBe(field === undefined ? 'active' : 'draft');
      if (field === undefined) await setStatus(slug, { status: 'archived' });
    }
  });

  test('a product is compared with active ones of its tenant, before what is missing', async () => {
    const other = await newPublisher();
    const theirs = await draft([passportId]);
    await activate(theirs);
    await newPublisher();
    const first = await draft([passportId]);
    expect((await activate(first)).outcome).toBe('200');
    const second = await draft([passportId]);
    expect((await setStatus(second, { status: 'active' })).outcome).toBe('409 value_in_use');
    await setStatus(first, { status: 'archived' });
    expect((await setStatus(second, { status: 'active' })).outcome).toBe('409 not_ready');
    expect((await activate(second)).outcome).toBe('200');
    expect((await activate(first)).json).toMatchObject({ error: { message: expect.stringContaining(second) } });
    // Another business with the GTIN comes first.
    const shared = (await other.product(theirs)).gtin;
    const refused = await activate(await draft([passportId], { gtin: shared }));
    expect([refused.outcome, refused.text.includes(theirs)]).toEqual(['409 gtin_in_use', false]);
  });

  test('a write of a value in use is stored and counted', async () => {
    await newPublisher();
    const first = await draft([serial, passportId]);
    await activate(first);
    const second = await draft([]);
    await activate(second);
    const put = async (slug: string, ...body: object[]) => {
      const reply = await publisher.call({ method: 'PUT', path: `/api/v1/products/${slug}/passport`, body });
      return [reply.status, reply.headers['passport-findings']];
    };
    expect(await put(second, serial, passportId)).toEqual([200, '2']);
    expect(await put(second, serial)).toEqual([200, '1']);
    expect(await put(second, { field_key: 'note', value: 'x' })).toEqual([200, '0']);
    expect(await put(second, { ...serial, value: 7 })).toEqual([200, '1']);
    expect(await put(first, serial)).toEqual([200, '0']);
    expect((await publisher.passport(second)).values.map(({ value }) => value)).toContain(passportId.value);
  });

  test('of two activations of one value at once one succeeds', async () => {
    await newPublisher();
    const second = await openDatabase(address);
    ending.defer(() => second.destroy());
    const other = (await startService(kind, { on: second })).clientOf(publisher);
    for (let round = 0; round < rounds; round += 1) {
      const [field, product] = round % 2 === 0 ? [serial, { gtin }] : [passportId, {}];
      const value = { ...field, value: `race-${round}` };
      const slugs = [
        await draft([value], product),
        await draft([{ ...value, access_level: 'restricted' }], product),
      ] as const;
      const replies = await Promise.all([activate(slugs[0]), activate(slugs[1], other)]);
      expect(replies.map(({ outcome }) => outcome).toSorted()).toEqual(['200', '409 value_in_use']);
    }
  });

  test('commands refuse, show, warn and count', async () => {
    const { tenant } = await newPublisher();
    const of = `--tenant ${tenant.slug}`;
    const [first, second, third] = [await draft([serial]), await draft([serial]), await draft([serial])];
    const same = (slug: string) => `The active product ${slug} has the same serial_number.`;
    const dry = await command(`product activate ${first} ${second} --dry-run ${of}`);
    expect(dry).toMatchObject({ code: 1, stdout: expect.stringContaining(`${first} can become active.`) });
    expect(dry.stdout).toContain(`${second} failed: ${second} was not activated. ${same(first)}`);

    await command(`product activate ${first} ${of}`);
    for (const option of ['', '--dry-run', '--yes']) {
      const refused = await command(`product activate ${second} ${option} ${of}`);
      expect([refused.code, refused.stderr]).toEqual([
        1,
        expect.stringContaining(`${second} was not activated. ${same(first)}`),
      ]);
    }
    const shown = await command(`product show ${second} --json ${of}`);
    expect(JSON.parse(shown.stdout).values_in_use).toEqual([{ field_key: 'serial_number', slug: first }]);
    const file = join(newFolder(), 'values.json');
    await writeFile(file, JSON.stringify([serial]));
    const written = await command(`passport set ${third} ${file} --json ${of}`);
    expect([JSON.parse(written.stdout).findings, written.stderr]).toEqual([1, expect.stringContaining(same(first))]);
    const strict = await command(`passport set ${third} ${file} --strict ${of}`);
    const also = `value of serial_number is also that of the active product ${first}`;
    expect([strict.code, strict.stderr]).toEqual([1, expect.stringContaining(also)]);

    // As a PUT leaves them.
    await service.activate(publisher, second);
    await service.activate(publisher, third);
    await publisher.write(first, [passportId]);
    await publisher.write(third, [passportId]);
    const [exported, backup] = [`${file}.jsonl`, `${file}.backup`];
    await command(`export ${exported} ${of}`);
    await command(`backup ${backup}`);
    for (const into of databaseKinds) {
      for (const line of [`import ${exported}`, `restore ${backup}`]) {
        const database = into === 'SQLite' ? join(newFolder(), 'new.sqlite') : await newMigratedDatabase(into);
        const { stdout, stderr } = await command(`${line} --json`, database);
        expect(JSON.parse(stdout).values_in_use).toBe(3);
        expect(stderr).toContain('3 active products have the serial number or another unique value of an earlier one.');
      }
    }
  });

  test('each unique field has an index', async () => {
    const [query, name] =
      kind === 'SQLite' ? [service.database('sqlite_master'), 'name'] : [service.database('pg_indexes'), 'indexname'];
    const names = (await query.select(name)).map((row) => row[name]);
    expect(names).toEqual(expect.arrayContaining(uniqueFields.map((field) => `passport_values_${field}`)));
  });
});
