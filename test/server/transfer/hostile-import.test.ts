import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { imageHash } from '../../../server/src/images/rules.ts';
import { contentHash } from '../../../server/src/passports/write.ts';
import { maxLineBytes } from '../../../server/src/transfer/format.ts';
import { runHere } from '../../support/command.ts';
import { contentOf, databaseKinds, newDatabase, newMigratedDatabase, ofTenant } from '../../support/database.ts';
import { type AnyLine, ending, newFolder, readLines, writeLines } from '../../support/files.ts';
import { filledDatabase } from '../../support/filled-database.ts';
import { startService } from '../../support/service.ts';

jest.setTimeout(240_000);

const folder = newFolder();
let whole: AnyLine[];
/** The product without a GTIN. */
let hat: AnyLine;
/** A product of another tenant. */
let foreign: string;
let file: string;
let bytes: Buffer;
/** The database that `file` is from. */
let source: string;

beforeAll(async () => {
  const { address } = await filledDatabase('SQLite');
  source = address;
  file = join(folder, 'whole.jsonl');
  await runHere(`product-passport export --with-secrets --tenant shop --database ${address} ${file}`);
  whole = await readLines(file);
  bytes = await readFile(file);
  hat = whole.find((line) => line.type === 'product' && product(line).slug === 'wool-hat-red-1') as AnyLine;
});

type Lines = (AnyLine | string | Buffer)[];

/** The first line of a type; `lamp` is the last product, which has values. */
function find(lines: Lines, type: string): AnyLine {
  const isWanted = (line: Lines[number]) => (line as AnyLine).type === (type === 'lamp' ? 'product' : type);
  return (type === 'lamp' ? lines.findLast(isWanted) : lines.find(isWanted)) as AnyLine;
}

/** The lines with one of them changed. */
function changed(type: string, change: (line: AnyLine) => unknown): Lines {
  const lines: Lines = structuredClone(whole);
  change(find(lines, type));
  return lines;
}

/** Sets a member, as in `product.slug`; `undefined` removes it. */
function set(line: AnyLine, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce(
    (object, name) => object[name] as Record<string, unknown>,
    line as Record<string, unknown>,
  );
  parent[last] = value;
}

/** The lines with a part of their text replaced once. */
function replaced(part: string, by: string): Lines {
  const texts = whole.map((line) => JSON.stringify(line));
  const index = texts.findIndex((text) => text.includes(part));
  if (index < 0) throw new Error(`No line has ${part}.`);
  return texts.with(index, texts[index]?.replace(part, by) ?? '');
}

const items = (line: AnyLine): Record<string, unknown>[] => line.items as Record<string, unknown>[];
const product = (line: AnyLine): Record<string, unknown> => line.product as Record<string, unknown>;
const someId = '00000000-0000-7000-8000-000000000000';

/** Changes the values of the lamp, and gives its passport their hash, as an attacker can. */
function rehashed(change: (values: Record<string, unknown>[]) => unknown): Lines {
  return changed('lamp', (line) => {
    const passport = line.passport as Record<string, unknown>;
    change(passport.values as Record<string, unknown>[]);
    const latest = passport.latest_version as { salt: string; content_hash: string };
    latest.content_hash = contentHash(latest.salt, Number(passport.template_version), passport.values as never);
  });
}

/** A number in place of a value, with the hash of what JSON.parse makes of it. */
function numberAsValue(literal: string): Lines {
  const lines = rehashed(([value]) => Object.assign(value as object, { value: 9_007_199_254_740_992 }));
  return lines.map((line) => JSON.stringify(line).replace('9007199254740992', literal));
}

/** Changes the bytes of an image or logo, and gives it their hash. */
function garbage(image: Record<string, unknown>): void {
  const bytes = Buffer.from(String(image.bytes), 'base64').fill(0xff, 30);
  Object.assign(image, { bytes: bytes.toString('base64'), sha256: imageHash(bytes) });
}

const secret = { type: 'token_secret', kid: 'a', created_at: '2026-01-01T00:00:00.000Z' };
const accepted_until = '2100-01-01T00:00:00.000Z';
const deep = '['.repeat(100_000) + ']'.repeat(100_000);

/** The type of a line, its member, and the value of this member. */
const members: [type: string, path: string, value: unknown][] = [
  ['header', 'version', 2],
  ['header', 'secrets', false],
  ['header', 'kind', 'all'],
  ['tenant', 'pages', { color: 'card' }],
  ['tenant', 'pages', { imprint_url: 'javascript:alert(1)' }],
  ['tenant', 'pages', { contact_url: 'https://a:b@shop.example/' }],
  ['tenant', 'pages.logo.bytes', 'UklGRg=='],
  ['tenant', 'tenant.language', 'de"'],
  ['tenant', 'tenant.language', undefined],
  ['tenant', 'tenant.slug', 'importing:x'],
  ['image', 'bytes', btoa('<script>alert(1)</script>')],
  ['image', 'width', 400],
  ['image', 'sha256', '0'.repeat(64)],
  ['product', 'type', 'x'],
  ['product', 'type', 'toString'],
  ['product', 'product.name', { toString: 1 }],
  ['product', 'product.price', 1],
  ['product', 'product.model', 'a\0b'],
  ['product', 'product.slug', '../x'],
  ['product', 'position', 2],
  ['lamp', 'product.gtin', '4006381333x31'],
  ['lamp', 'product.product_group', 'spaceship'],
  ['lamp', 'product.registry_status', 'none'],
  ['lamp', 'product.registry_id', null],
  ['lamp', 'activated_at', null],
  ['lamp', 'confirmed', { open: ['none'], own: [] }],
  ['lamp', 'public_hash', 'b'.repeat(64)],
  ['lamp', 'passport.product.slug', 'other'],
  ['lamp', 'passport.template_version', 999],
  ['lamp', 'passport.latest_version.content_hash', 'a'.repeat(64)],
  ['lamp', 'passport.latest_version.salt', 'a'.repeat(32)],
  ['lamp', 'passport.values.0.value', 7],
  ['carriers', 'items.0.status', undefined],
  ['versions', 'items.0.version', 50],
];

/** A part of the text, and what replaces it. */
const texts: [part: string, by: string][] = [
  ['"model":null', '"model":"\\ud800"'],
  ['{"a":[1,null,"x"]}', '{"a\\u0000":1}'],
  ['"locale":"fr"', '"locale":"fr\\"><a>"'],
  ['[1,null,"x"]', '['.repeat(500) + ']'.repeat(500)],
  ['[1,null,"x"]', deep],
  ['"L 1"', deep],
  ['"L 1"', `"${'\\n'.repeat(4_000_000)}"`],
  ['"position":1,', '"position":9007199254740993,'],
  ['"position":1,', '"position":4294967297,'],
  ['"count":', '"count":9999999999'],
];

/** Lines, which get a trailer that fits them, or the bytes of a whole file. */
type Hostile = [what: string, make: () => Lines | Buffer];

const files: Hostile[] = [
  ['another file', () => ['{"a":1}', ...whole.slice(1)]],
  ['an array', () => ['[]', ...whole.slice(1)]],
  ['null', () => ['null', ...whole.slice(1)]],
  ['an empty line', () => [...whole.slice(0, 3), '', ...whole.slice(3)]],
  ['a header only', () => [whole[0] as AnyLine, 'trailer']],
  ['a trailer twice', () => [...whole, 'trailer']],
  ['nested arrays as a line', () => [whole[0] as AnyLine, deep, 'trailer']],
  ['invalid UTF-8', () => replaced('Wool H', '\xff\xfe').map((line) => Buffer.from(line as string, 'latin1'))],
  ['two images', () => whole.flatMap((line) => (line.type === 'image' ? [line, line] : [line]))],
  [
    'bytes after an image',
    () => changed('image', (line) => set(line, 'bytes', `${String(line.bytes).replace(/=+$/, '')}AAAA`)),
  ],
  ['an image of garbage', () => changed('image', garbage)],
  [
    'a logo of garbage',
    () => changed('tenant', ({ pages }) => garbage((pages as { logo: Record<string, unknown> }).logo)),
  ],
  ...['A', 'A'.repeat(42), `${'A'.repeat(42)}B`, 'A'.repeat(44)].map(
    (value): Hostile => [
      `a secret of tokens that has not 256 bits: ${value}`,
      () => whole.toSpliced(1, 0, { ...secret, value, accepted_until }),
    ],
  ),
  [
    'a draft that was active',
    () =>
      changed('lamp', (line) => {
        for (const path of ['product.status', 'passport.product.status']) set(line, path, 'draft');
      }),
  ],
  ['a field twice', () => rehashed((values) => values.push({ ...values.at(-1) }))],
  [
    'values of more than 2 MiB',
    () => rehashed(([value]) => Object.assign(value as object, { value: 'x'.repeat(2 ** 21) })),
  ],
  ['a value beyond 2^53', () => numberAsValue('9007199254740993')],
  ['a value beyond all doubles', () => numberAsValue('1e400')],
  // Without what it replaced, which no line without it can have.
  [
    'a missing version',
    () => changed('versions', (line) => items(line).pop()).filter((line) => (line as AnyLine).type !== 'history'),
  ],
  ['a missing product', () => whole.filter(({ position }) => position !== 13)],
  ['a second tenant', () => whole.toSpliced(-1, 0, ...whole.filter(({ type }) => /^tenant/.test(type)))],
  ['a line outside of the tenant', () => whole.toSpliced(1, 0, find(whole, 'product'))],
  [
    'raw scans',
    () => {
      const scan = { id: someId, product_id: someId, scanned_at: secret.created_at, role: 'consumer' };
      return whole.toSpliced(-2, 0, { type: 'scans', items: [{ ...scan, visitor_hash: 'a'.repeat(64) }] });
    },
  ],
  ...[0, 0.001, 0.3, 0.99].map(
    (share): Hostile => [`the first ${share} of the file`, () => bytes.subarray(0, Math.floor(bytes.length * share))],
  ),
  [
    'a line that ends inside a letter',
    () => Buffer.concat([bytes.subarray(0, bytes.indexOf('\n') + 1), Buffer.from('{"a":"ß').subarray(0, -1)]),
  ],
  ['a line after the trailer', () => Buffer.concat([bytes, Buffer.from('{}\n')])],
  ['another label', () => Buffer.from(String(bytes).replace('"label":"old till"', '"label":"old lilt"'))],
  [
    'another number of lines',
    () => Buffer.from(String(bytes).replace(`"lines":${whole.length - 1}`, `"lines":${whole.length}`)),
  ],
];

const twice = (type: string, other = {}) => changed(type, (line) => items(line).push({ ...items(line)[0], ...other }));
const asHat = (name: string) =>
  changed('lamp', (line) => {
    for (const path of [`product.${name}`, `passport.product.${name}`]) set(line, path, product(hat)[name]);
  });
const carrierOf = (id: unknown) => changed('carriers', (line) => set(line, 'items.0.product_id', id));

/** What only the database refuses. */
const conflicts: Hostile[] = [
  ['a carrier of nothing', () => carrierOf(someId)],
  ['a carrier of a product of another tenant', () => carrierOf(foreign)],
  ['a carrier of a product without a GTIN', () => carrierOf(product(hat).id)],
  ['one id twice', () => asHat('id')],
  ['one slug twice', () => asHat('slug')],
  ['one version twice', () => twice('versions')],
  ['one carrier twice', () => twice('carriers')],
  ['one change of a status twice', () => twice('status_changes')],
  ['two counts of one day', () => twice('scan_counts')],
  ['one key twice', () => twice('api_keys', { id: someId })],
];

async function importLines(lines: Lines | Buffer, address: string): Promise<{ code: number; stderr: string }> {
  const hostile = join(folder, 'hostile.jsonl');
  await (Buffer.isBuffer(lines) ? writeFile(hostile, lines) : writeLines(hostile, lines));
  return runHere(`product-passport import ${hostile} --database ${address}`);
}

const refused: Hostile[] = [
  ...members.map(
    ([type, path, value]): Hostile => [
      `${type} ${path} = ${JSON.stringify(value)}`,
      () => changed(type, (line) => set(line, path, value)),
    ],
  ),
  ...texts.map(([part, by]): Hostile => [`${by.slice(0, 50)} for ${part}`, () => replaced(part, by)]),
  ...files,
];

describe.each(databaseKinds)('an import on %s', (kind) => {
  test('refuses files with a line that does not fit, names the line, and leaves another tenant as it was', async () => {
    const address = await newMigratedDatabase(kind);
    await runHere(`product-passport demo fill --tenant other --products 2 --scan-counts 2 --database ${address}`);
    const database = connect(address);
    ending.defer(() => database.destroy());
    foreign = (await database('products').first('id')).id;
    const before = await contentOf(address);
    // What the form decides is the same on both databases.
    const reasons: string[] = [];
    for (const [name, make] of kind === 'SQLite' ? [...refused, ...conflicts] : conflicts) {
      const { code, stderr } = await importLines(make(), address);
      const reason = stderr.slice('product-passport: '.length, 300).replace(/[0-9a-f-]{36}/, 'ID');
      reasons.push(`${name} [${code}]\n  ${reason}`);
      const form = /^product-passport: line \d+: [^\n]{1,600} Nothing was stored\.\n$/;
      expect([name, stderr]).toEqual([name, expect.stringMatching(form)]);
      expect([name, await contentOf(address)]).toEqual([name, before]);
    }
    expect(reasons.join('\n')).toMatchSnapshot();
    expect(await importLines(whole, address)).toMatchObject({ code: 0, stderr: '' });
  });

  test('refuses the slug of another tenant, a tenant that is there, and the GTIN of an active product', async () => {
    const address = await newMigratedDatabase(kind);
    const service = await startService(kind, { on: address });
    const other = await service.newTenant({ slug: 'shop' });
    expect((await importLines(whole, address)).stderr).toMatch(/line \d+: another tenant has the slug shop/);

    const lines = structuredClone(whole);
    Object.assign(lines.find(({ type }) => type === 'tenant')?.tenant as object, { slug: 'moved' });
    const lampe = await other.create({ name: 'Lampe', gtin: '04006381333931' });
    await service.activate(other, lampe.slug);
    expect((await importLines(lines, address)).stderr).toMatch(
      /line \d+: the GTIN \d+ is already active under another tenant\. Import it anyway with --share-gtin\. Nothing was stored/,
    );
    const shared = join(folder, `shared-${kind}.jsonl`);
    await writeLines(shared, lines);
    const command = `product-passport import ${shared} --share-gtin --database ${address}`;
    expect(await runHere(command)).toMatchObject({ code: 0 });
    const before = await contentOf(address);
    expect((await runHere(command)).stderr).toMatch(/line \d+: the tenant moved is already in this database/);
    expect(await contentOf(address)).toEqual(before);
  });

  test('computes the URN and the completeness of a product, whatever the file says', async () => {
    const address = await newMigratedDatabase(kind);
    const claims = changed('lamp', (line) => {
      set(line, 'product.unique_product_identifier', 'urn:acme:victim:shoe');
      for (const path of ['product.completeness', 'passport.product.completeness']) set(line, path, 100);
    });
    expect(await importLines(claims, address)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Warning: 1 product had a URN or a completeness that does not follow/),
    });
    const products = async (from: string) => ofTenant(await contentOf(from), 'shop').products;
    expect(await products(address)).toEqual(await products(source));
  });

  test.each(['active', 'archived'])("cannot precede another tenant's activation that is %s now", async (status) => {
    const address = await newMigratedDatabase(kind);
    const service = await startService(kind, { on: address });
    const other = await service.newTenant({ slug: 'other' });
    const own = await other.create({ name: 'Lampe', slug: 'own', gtin: '04006381333931' });
    await service.activate(other, own.slug);
    if (status === 'archived') await service.archive(other, own.slug);
    const early = join(folder, `early-${kind}-${status}.jsonl`);
    await writeLines(
      early,
      changed('lamp', (line) => set(line, 'activated_at', '1970-01-01T00:00:00.000Z')),
    );
    const imported = await runHere(`product-passport import ${early} --share-gtin --database ${address}`);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    if (status === 'archived') await service.activate(other, own.slug);
    const { headers } = await other.call({ path: '/01/04006381333931', key: null });
    expect(headers.location).toMatch(/\/p\/other\/own$/);
  });
});

describe('a file', () => {
  test('that is refused before a line is stored leaves no new database file, and another database as it was', async () => {
    const text = join(folder, 'text');
    await writeFile(text, 'hello\n');
    const target = await newDatabase('SQLite');
    expect(await runHere(`product-passport import ${text} --database ${target}`)).toMatchObject({ code: 1 });
    expect(await readdir(dirname(target))).toEqual([]);
    await writeLines(text, [...whole.slice(0, 8), '{}', ...whole.slice(9)]);
    await runHere(`product-passport import ${file} --database ${target}`);
    expect(await runHere(`product-passport import ${text} --database ${target}`)).toMatchObject({ code: 1 });
    expect((await runHere(`product-passport tenant list --database ${target}`)).stdout).toContain('shop');
  });

  test('with an endless line is refused as soon as the line is too long', async () => {
    const huge = join(folder, 'huge.jsonl');
    await writeFile(huge, `${JSON.stringify(whole[0])}\n"`);
    // A hole in the file reads as zeros.
    await truncate(huge, 100_000_000);
    const target = await newMigratedDatabase('SQLite');
    expect(await runHere(`product-passport import ${huge} --database ${target}`)).toMatchObject({
      code: 1,
      stderr: `product-passport: line 2: it has more than ${maxLineBytes} bytes. Nothing was stored.\n`,
    });
  });
});

describe('a backup that claims', () => {
  let backup: AnyLine[];
  beforeAll(async () => {
    const { address } = await filledDatabase('PostgreSQL');
    await runHere(`product-passport backup ${folder}/backup --database ${address}`);
    backup = await readLines(join(folder, 'backup'));
  });

  function changedAll(type: string, change: (line: AnyLine) => unknown): AnyLine[] {
    const lines = structuredClone(backup);
    for (const line of lines) if (line.type === type) change(line);
    return lines;
  }

  test.each<[string, string, () => AnyLine[]]>([
    [
      'that the latest version is withheld',
      'restore',
      () => changedAll('product', (line) => set(line, 'withheld_versions', [line.version])),
    ],
    [
      'what an unknown version replaced',
      'restore',
      () => changedAll('history', (line) => set(line, 'items.0.version', 99)),
    ],
    [
      'what a version replaced twice',
      'restore',
      () => changedAll('history', (line) => items(line).push({ ...items(line)[0] })),
    ],
  ])('%s is refused', async (_what, command, make) => {
    const claims = join(folder, 'claims');
    await writeLines(claims, make());
    const target = await newMigratedDatabase('PostgreSQL');
    const { stderr } = await runHere(`product-passport ${command} ${claims} --database ${target}`);
    expect(stderr.replace(/line \d+/, 'line N')).toMatchSnapshot();
  });
});
