/** Whether a backup, and an export, carry everything that the program writes. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import type { ReadLine } from '../../../server/src/transfer/reader.ts';
import { type Content, newBatch } from '../../../server/src/transfer/write.ts';
import { runHere } from '../../support/command.ts';
import {
  columnsOf,
  contentOf,
  type DatabaseKind,
  databaseKinds,
  expectRightCounts,
  newDatabase,
  newMigratedDatabase,
  ofTenant,
  type Row,
} from '../../support/database.ts';
import { ending, newFolder } from '../../support/files.ts';
import { filledDatabase } from '../../support/filled-database.ts';
import { halves } from '../../support/pictures.ts';
import { startService } from '../../support/service.ts';

const filled = {} as Record<DatabaseKind, Awaited<ReturnType<typeof filledDatabase>>>;
const folder = newFolder();

beforeAll(async () => {
  for (const kind of databaseKinds) filled[kind] = await filledDatabase(kind);
});

const pairs = databaseKinds.flatMap((from) => databaseKinds.map((to) => [from, to] as const));

/** What the migrations write themselves, and the index of names, which has no values to read. */
const unread = ['migrations', 'migrations_lock', 'product_names'];

describe.each(databaseKinds)('the filled installation on %s', (kind) => {
  test('has a value in every column of every table', async () => {
    const { address } = filled[kind];
    const database = connect(address);
    ending.defer(() => database.destroy());
    const empty: string[] = [];
    for (const [table, columns] of await columnsOf(address)) {
      for (const column of unread.includes(table) ? [] : columns) {
        if (!(await database(table).whereNotNull(column).first(column))) empty.push(`${table}.${column}`);
      }
    }
    expect(empty).toEqual([]);
  });
});

describe.each(pairs)('a backup of %s', (from, to) => {
  test(`is restored into ${to} with every row of every table`, async () => {
    const { address, key } = filled[from];
    const file = join(folder, `${from}-${to}.backup`);
    expect(await runHere(`product-passport backup ${file} --database ${address}`)).toMatchObject({
      code: 0,
      stderr: '',
    });
    expect((await stat(file)).mode & 0o777).toBe(0o600);

    const target = await newDatabase(to);
    const restored = await runHere(`product-passport restore ${file} --json --database ${target}`);
    expect(restored).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(restored.stdout)).toMatchObject({ tenants: 2, products: 15 });
    if (to === 'SQLite') expect((await stat(target)).mode & 0o777).toBe(0o600);
    const { audit_entries: trail = [], ...content } = await contentOf(target);
    const { audit_entries: oldTrail = [], ...oldContent } = await contentOf(address);
    expect(content).toEqual(oldContent);
    // The restore itself is the only new entry.
    const isRestore = ({ command }: Row) => command === 'restore';
    expect(trail.filter((entry) => !isRestore(entry))).toEqual(oldTrail);
    expect(trail.filter(isRestore)).toHaveLength(1);

    const hashes = await runHere(`product-passport check-hashes --json --database ${target}`);
    expect(JSON.parse(hashes.stdout)).toMatchObject({ products: 15, older_versions: 16, images: 1, problems: [] });

    const service = await startService(to, { on: target });
    const [tenant] = await service.database('tenants').where({ slug: 'shop' });
    const client = service.clientOf({ ...(await service.newTenant({ slug: 'third' })), tenant, key } as never);
    expect(await client.list({ search: 'LAMPE SS' })).toMatchObject({ total: 1, items: [{ slug: 'lampe-ss-9' }] });
  });
});

test('a backup carries the longest text that each option accepts, and the option refuses a longer one', async () => {
  const { address } = await filledDatabase('PostgreSQL');
  const picture = join(folder, 'picture.png');
  await writeFile(picture, await halves(600, 400).png().toBuffer());
  const run = async (line: string) => (await runHere(`product-passport ${line} --database ${address}`)).code;
  for (const status of ['ready', 'submitted']) await run(`registry set lamp ${status} --tenant other`);
  const url = 'https://shop.example/';
  const options: [string, number, string?][] = [
    ['tenant create third --country DE --name', 500],
    ['tenant brand other --name', 500],
    ['tenant legal other --imprint', 500, url],
    ['key create --tenant other --label', 500],
    ['product create second --tenant other --name', 500],
    ['product create third --tenant other --name third --model', 500],
    [`product image set lamp ${picture} --tenant other --alt`, 250],
    ['registry set lamp registered --tenant other --registry-id', 1000],
  ];
  for (const [line, longest, start = ''] of options) {
    // The limits count code points. An address is ASCII.
    const text = start + (start === '' ? '😀' : 'x').repeat(longest - start.length);
    expect([line, await run(`${line} '${text}x'`), await run(`${line} '${text}'`)]).toEqual([line, 2, 0]);
  }
  expect(await run(`backup ${join(folder, 'longest.backup')}`)).toBe(0);
});

/** What an export leaves where it is, and why. */
const staysBehind = {
  scans: 'their hashes depend on a secret of the installation',
  installation: 'belongs to the operator',
  audit_entries: 'belongs to the operator, and may name other tenants',
};

/** What only an export with secrets has. */
const secrets = ['access_tokens', 'api_keys', 'token_secrets'];

describe.each(pairs)('an export of %s', (from, to) => {
  test.each([
    ['', secrets],
    ['--with-secrets', []],
  ] as const)(`is imported into ${to} with every row of the tenant, %s`, async (option, left) => {
    const { address, key } = filled[from];
    const file = join(folder, `${from}-${to}${option}.jsonl`);
    const exported = await runHere(`product-passport export ${option} --tenant shop --database ${address} ${file}`);
    expect(exported).toMatchObject({ code: 0, stderr: '' });
    expect(await readFile(file, 'utf8')).not.toContain(key);

    const target = await newMigratedDatabase(to);
    const imported = await runHere(`product-passport import --database ${target} ${file}`);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    // A secret signs nothing in the new installation. It is accepted until its last token expires.
    const leaveOut = [...Object.keys(staysBehind), ...left, 'token_secrets.accepted_until'];
    expect(await contentOf(target, leaveOut)).toEqual(ofTenant(await contentOf(address, leaveOut), 'shop'));
    const database = connect(target);
    ending.defer(() => database.destroy());
    expect(await expectRightCounts(database)).toBe(14);
    expect(await database('audit_entries').select('command', 'changes')).toEqual([{ command: 'import', changes: 1 }]);
  });
});

test('a transaction of an import ends with the line that reaches 4 MiB, and PostgreSQL counts rows before the next', async () => {
  const stored: (number | string)[] = [];
  const database = connect(await newMigratedDatabase('PostgreSQL'));
  ending.defer(() => database.destroy());
  database.on('query', ({ sql }: { sql: string }) => stored.push(sql));
  const batch = newBatch(database, async (contents) => void stored.push(contents.length));
  const sizes = [1024, 1024, 1024, 1024, 1024, 1023].map((size) => size * 1024);
  for (const [number, size] of sizes.entries()) await batch.add({ number, size } as ReadLine, {} as Content['line']);
  await batch.flush();
  expect(stored).toEqual([4, 'ANALYZE products, passport_values', 2]);
});
