import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from '@jest/globals';
import { findPassport, type PassportRow, updateOfPassport } from '../../../server/src/passports/store.ts';
import { runHere } from '../../support/command.ts';
import { databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { newFolder } from '../../support/files.ts';
import { type Client, type Service, startService } from '../../support/service.ts';

const folder = newFolder();

/** What makes the passport of a cable complete. */
const complete = [
  ...[
    ['manufacturer_name', 'Cable AG'],
    ['country_of_origin', 'DE'],
    ['recycling_instructions', 'Recycle it.'],
    ['cable_type', 'usb_c'],
  ],
  ...[
    ['connector_a', 'USB-C'],
    ['connector_b', 'USB-C'],
    ['cable_length', 2, 'm'],
    ['max_power', 60, 'W'],
  ],
].map(([field_key, value, unit]) => ({ field_key, value, ...(unit && { unit }) }));
const reports = { field_key: 'test_reports', value: 'https://cable.example/reports' };
const wrong = [
  { field_key: 'cable_length', value: 120, unit: null },
  { field_key: 'country_of_origin', value: 'Deutschland' },
  { field_key: 'weee_category', value: 'Stuhl' },
  { field_key: 'plug_cycles', value: -1 },
  { field_key: 'manufacturer_addres', value: 'Wien' },
];

test('every command but the demo writes the values of its user with writeForCommand', async () => {
  const commands = new URL('../../../server/src/cli/', import.meta.url);
  const texts = (await readdir(commands)).map(async (name) => [name, await readFile(new URL(name, commands), 'utf8')]);
  const writers = (await Promise.all(texts)).filter(([, text]) => /\b(writePassport|upsertValues)\b/.test(text ?? ''));
  expect(writers.map(([name]) => name)).toEqual(['demo.ts']);
});

describe.each(databaseKinds)('a passport that does not fit on %s', (kind) => {
  let address = '';
  let service: Service;
  let client: Client;
  let products = 0;

  beforeEach(async () => {
    address = await newMigratedDatabase(kind);
    service = await startService(kind, { on: address });
    client = await service.newTenant({ slug: 'shop' });
  });

  const command = (line: string, database = address) =>
    runHere(`product-passport ${line} --tenant shop`, { PRODUCT_PASSPORT_DATABASE: database });
  const shown = async (slug: string, database = address) =>
    JSON.parse((await command(`product show ${slug} --json`, database)).stdout);

  /** A complete draft with some more values. */
  async function draft(...values: object[]): Promise<string> {
    products += 1;
    const slug = `cable-${products}`;
    await client.create({ slug, name: 'Cable', product_group: 'cable' });
    await client.write(slug, [...complete, ...values]);
    return slug;
  }

  async function file(...values: object[]): Promise<string> {
    const path = join(folder, 'values.json');
    await writeFile(path, JSON.stringify(values));
    return path;
  }

  test('no command calls it ready', async () => {
    const slug = await draft();
    const written = await command(`passport set ${slug} ${await file(reports, ...wrong)}`);
    expect(written.stdout).toContain('100 % complete. 6 values do not fit the template.');
    expect(written.stdout).not.toContain('Make it public');
    const lines = written.stderr.split('\n').filter((line) => /^ {2}\w+ {2}/.test(line));
    expect(lines[1]).toContain('access_level must be "authority" (got "public")');

    const fitting = await draft();
    const all = await command('product activate --all-complete');
    expect(all).toMatchObject({ code: 0, stdout: `${fitting} is now active.\n` });
    expect(all.stderr).toMatch(
      `left out, because its values do not fit its template: ${slug}: access_level of test_reports must`,
    );
    const readiness = await command('template readiness cable --status draft --json');
    expect(JSON.parse(readiness.stdout)).toMatchObject({ products: 1, ready: 0, with_findings: 1, incomplete: 0 });
    const incomplete = await command('template readiness cable --json --on 2026-01-01');
    expect(JSON.parse(incomplete.stdout)).toMatchObject({ products: 1, ready: 1, with_findings: 0, incomplete: 0 });

    expect(await command(`passport unset ${slug} test_reports weee_category plug_cycles --yes`)).toMatchObject({
      stdout: expect.stringContaining('100 % complete. 3 values do not fit'),
    });
    await command(`passport set ${slug} ${await file(...complete)}`);
    expect(await command('product activate --all-complete')).toMatchObject({
      stderr: expect.stringContaining(
        '"manufacturer_addres" is not a field of cable. The closest is "manufacturer_address"',
      ),
      stdout: expect.stringContaining('has no complete draft that fits its template'),
    });
    expect(await command('product activate --all-complete --own manufacturer_addres')).toMatchObject({
      stdout: `${slug} is now active.\n`,
    });
    expect((await shown(slug)).confirmed).toEqual({ open: [], own: ['manufacturer_addres'] });
  });

  test('product activate publishes no value that is too open, with and without --yes, and goes on', async () => {
    const [open, misfit] = [await draft(reports), await draft(...wrong)];
    for (const yes of ['', ' --yes']) {
      const { code, stdout, stderr } = await command(`product activate ${open}${yes}`);
      expect([code, stdout]).toEqual([1, '']);
      expect(stderr).toContain('confirm the present one with --open test_reports');
      expect((await shown(open)).product.status).toBe('draft');
    }
    const both = await command(`product activate ${open} ${misfit}`);
    expect(both.code).toBe(1);
    expect(both.stdout).toContain(`${misfit} is now active.`);

    const fitting = await command(`product activate ${open} ${await draft()}`);
    expect(fitting).toMatchObject({ code: 1, stderr: expect.not.stringContaining('activated anyway') });

    const unknown = await command(`product activate ${open} --open cable_lenght`);
    expect(unknown.code).toBe(1);
    const before = await client.passport(open);
    expect(await command(`product activate ${open} --open test_reports`)).toMatchObject({ code: 0 });
    expect((await shown(open)).findings).toEqual([]);
    expect((await client.passport(open)).latest_version).toEqual(before.latest_version);
    expect(await command(`product archive ${open}`)).toMatchObject({ code: 0 });
    expect(await command(`product activate ${open}`)).toMatchObject({ code: 0, stderr: '' });
  });

  test('passport set opens no field of an active product, but corrects one that is open', async () => {
    const slug = await draft({ ...reports, access_level: 'authority' });
    expect(await command(`product activate ${slug}`)).toMatchObject({ code: 0 });
    const openFile = () => file({ ...reports, access_level: 'public' });
    const refused = await command(`passport set ${slug} ${await openFile()}`);
    expect(refused).toMatchObject({ code: 1, stdout: '' });
    expect(refused.stderr).toContain(
      `nothing was written, because ${slug} is public: access_level of test_reports must`,
    );
    expect(
      (await client.passport(slug)).values.find(({ field_key }) => field_key === 'test_reports')?.access_level,
    ).toBe('authority');
    // A removed value has no level to keep.
    await command(`passport unset ${slug} test_reports --yes`);
    expect(await command(`passport set ${slug} ${await file(reports)}`)).toMatchObject({ code: 1 });

    await client.write(slug, [reports]);
    const corrected = await command(`passport set ${slug} ${await file({ ...reports, value: 'https://b.example' })}`);
    expect(corrected).toMatchObject({ code: 0, stderr: expect.stringContaining('access_level must be "authority"') });
    expect(await command(`passport set ${slug} ${await openFile()} --open test_reports`)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect((await shown(slug)).confirmed).toEqual({ open: ['test_reports'], own: [] });
  });

  test('a confirmation changes no response, and ends with the level', async () => {
    const slug = await draft(reports);
    await service.activate(client, slug);
    const zugang = await client.token('recycler');
    const inspector = {
      path: `/p/shop/${slug}`,
      query: { zugang: await client.token('inspector'), lang: 'en' },
      key: null,
    };
    const everything = async () => [
      await client.call({ path: `/api/v1/products/${slug}` }),
      await client.call({ path: `/api/v1/products/${slug}/passport` }),
      await client.call({ path: '/api/v1/products' }),
      await client.call({ path: `/p/shop/${slug}`, key: null }),
      await client.call({ path: `/p/shop/${slug}`, query: { zugang }, key: null }),
      await client.call({ path: `/p/shop/${slug}/jsonld`, key: null }),
    ];
    const seen = (responses: Awaited<ReturnType<typeof everything>>) =>
      responses.map(({ text, headers }) => [text, headers.etag, headers['last-modified']]);
    const before = seen(await everything());
    const found = (await client.call(inspector)).text;
    expect(found).toContain('More open than the template (1)');
    expect(found.indexOf('More open than')).toBeLessThan(found.indexOf('Registry'));

    const row = await findPassport(service.database, { tenantId: client.tenant.id, slug });
    const value = await file(reports);
    expect(await command(`passport set ${slug} ${value} --open test_reports`)).toMatchObject({ code: 0 });
    expect(seen(await everything())).toEqual(before);
    // A write that was prepared before the confirmation would take it back.
    const stale = { completeness: 0, serial_number: null, public_serial: null, confirmed: null };
    const update = service.database.transaction((transaction) =>
      updateOfPassport(transaction, client.tenant.id, row as PassportRow, stale, new Date().toISOString()),
    );
    expect(await update).toBe(false);
    expect((await client.call(inspector)).text).not.toContain('More open than');

    const path = `/api/v1/products/${slug}/passport`;
    const put = async (value: object) => {
      const { headers } = await client.call({ method: 'PUT', path, body: [{ ...reports, ...value }] });
      return headers['passport-findings'];
    };
    expect(await put({ value: 'https://b.example' })).toBe('0');
    expect((await shown(slug)).confirmed.open).toEqual(['test_reports']);
    expect(await put({ access_level: 'restricted' })).toBe('1');
    expect(await shown(slug)).toMatchObject({ confirmed: { open: [] }, findings: [{ code: 'weak_access_level' }] });
  });

  test('a confirmation survives an export, an import, a backup and a restore, which count what is too open', async () => {
    const slug = await draft(reports);
    await command(`passport set ${slug} ${await file(reports)} --open test_reports`);
    await draft(reports);
    const [exported, backup] = [join(folder, `${kind}.jsonl`), join(folder, `${kind}.backup`)];
    expect(await command(`export ${exported}`)).toMatchObject({ code: 0 });
    expect(await runHere(`product-passport backup ${backup} --database ${address}`)).toMatchObject({ code: 0 });
    for (const into of databaseKinds) {
      for (const line of [`import ${exported}`, `restore ${backup}`]) {
        const database = into === 'SQLite' ? join(newFolder(), 'new.sqlite') : await newMigratedDatabase(into);
        const { code, stdout, stderr } = await runHere(`product-passport ${line} --json --database ${database}`);
        expect([code, JSON.parse(stdout).too_open]).toEqual([0, 1]);
        expect(stderr).toContain('1 value is more open than the template');
        expect((await shown(slug, database)).confirmed).toEqual({ open: ['test_reports'], own: [] });
      }
    }
  });
});
