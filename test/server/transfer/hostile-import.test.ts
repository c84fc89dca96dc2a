import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from '../../../server/src/database/connection.ts';
import { imageHash } from '../../../server/src/images/rules.ts';
import { contentHash } from '../../../server/src/passports/version.ts';
import { maxLineBytes } from '../../../server/src/transfer/format.ts';
import { runHere } from '../../support/command.ts';
import { contentOf, databaseKinds, newDatabase, newMigratedDatabase } from '../../support/database.ts';
import { type AnyLine, newFolder, readLines, writeLines } from '../../support/files.ts';
import { filledDatabase } from '../../support/filled-database.ts';
import { startService } from '../../support/service.ts';

const folder = newFolder();
let whole: AnyLine[];
/** The product without a GTIN. */
let hat: AnyLine;
let file: string;
/** The database that `file` is from. */
let source: string;

beforeAll(async () => {
  const { address } = await filledDatabase('SQLite');
  source = address;
  file = join(folder, 'whole.jsonl');
  await runHere(`product-passport export --with-secrets --tenant shop --database ${address} ${file}`);
  whole = await readLines(file);
  hat = whole.find((line) => line.type === 'product' && product(line).slug === 'wollmuetze-rot-1') as AnyLine;
});

type Changed = (AnyLine | string | Buffer)[];

/** The lines with the first one of a type changed. */
function changed(type: string, change: (line: AnyLine) => unknown): Changed {
  const lines: Changed = structuredClone(whole);
  const index = whole.findIndex((line) => line.type === type);
  const result = change(lines[index] as AnyLine);
  if (typeof result === 'string' || Buffer.isBuffer(result)) lines[index] = result;
  return lines;
}

/** The lamp is the last product, and has values. */
function lamp(change: (line: AnyLine & { passport: AnyLine; product: AnyLine }) => unknown): Changed {
  const lines = structuredClone(whole);
  change(lines.findLast(({ type }) => type === 'product') as never);
  return lines;
}

const items = (line: AnyLine): Record<string, unknown>[] => line.items as Record<string, unknown>[];
const product = (line: AnyLine): Record<string, unknown> => line.product as Record<string, unknown>;

/** Gives a passport the hash of its values, as an attacker can. */
function rehash(passport: Record<string, unknown>): void {
  const latest = passport.latest_version as { salt: string; content_hash: string };
  latest.content_hash = contentHash(latest.salt, Number(passport.template_version), passport.values as never);
}

const times = { created_at: '2026-01-01T00:00:00.000Z', accepted_until: '2100-01-01T00:00:00.000Z' };

const refused: [string, () => Changed, RegExp][] = [
  ['another file', () => ['{"a":1}', ...whole.slice(1)], /line 1: it is not the header of an export/],
  ['an array', () => ['[]', ...whole.slice(1)], /line 1: it is not the header/],
  ['null', () => ['null', ...whole.slice(1)], /line 1: it is not the header/],
  ['an empty line', () => [...whole.slice(0, 3), '', ...whole.slice(3)], /line 4: it is not JSON/],
  [
    'a header of a newer version',
    () => changed('header', (line) => Object.assign(line, { version: 2, new_member: {} })),
    /line 1: the file has version 2 of the format, and this program reads versions up to 1\. Update this program/,
  ],
  [
    'invalid UTF-8',
    () => changed('product', (line) => Buffer.from(JSON.stringify(line).replace('Wollm', '\xff\xfe'), 'latin1')),
    /line \d+: it is not valid UTF-8/,
  ],
  [
    'U+0000',
    () => changed('product', (line) => Object.assign(product(line), { model: 'a\0b' })),
    /has U\+0000 or a lone surrogate/,
  ],
  [
    'a lone surrogate',
    () => changed('product', (line) => JSON.stringify(line).replace('"model":null', '"model":"\\ud800"')),
    /has U\+0000 or a lone surrogate/,
  ],
  [
    'an image that is a script',
    () => changed('image', (line) => Object.assign(line, { bytes: btoa('<script>alert(1)</script>') })),
    /line \d+: the bytes of its image are not an image as `product image set` makes it/,
  ],
  [
    'an image with other bytes behind it',
    () => changed('image', (line) => Object.assign(line, { bytes: `${String(line.bytes).replace(/=+$/, '')}AAAA` })),
    /line \d+: the bytes of its image are not an image/,
  ],
  [
    'an image of another size',
    () => changed('image', (line) => Object.assign(line, { width: 400 })),
    /line \d+: its image has another size/,
  ],
  [
    'an image with the hash of another',
    () => changed('image', (line) => Object.assign(line, { sha256: '0'.repeat(64) })),
    /line \d+: the hash of its image does not fit the bytes/,
  ],
  [
    'an image of garbage behind the header of a WebP file',
    () =>
      changed('image', (line) => {
        const bytes = Buffer.from(String(line.bytes), 'base64');
        bytes.fill(0xff, 30);
        Object.assign(line, { bytes: bytes.toString('base64'), sha256: imageHash(bytes) });
      }),
    /line \d+: the bytes of its image cannot be decoded/,
  ],
  [
    'two images of a product',
    () => whole.flatMap((line) => (line.type === 'image' ? [line, line] : [line])),
    /line \d+: the product has two images/,
  ],
  [
    'a colour that is a class of something else',
    () => changed('tenant', (line) => Object.assign(line, { pages: { color: 'card' } })),
    /line \d+: pages\.color must match pattern/,
  ],
  [
    'an address that runs a script',
    () => changed('tenant', (line) => Object.assign(line, { pages: { imprint_url: 'javascript:alert(1)' } })),
    /line \d+: pages\.imprint_url must match pattern/,
  ],
  [
    'an address with a password',
    () => changed('tenant', (line) => Object.assign(line, { pages: { contact_url: 'https://a:b@shop.example/' } })),
    /line \d+: pages\.contact_url is not the https address of a page/,
  ],
  [
    'a logo of other bytes',
    () => changed('tenant', (line) => Object.assign((line.pages as { logo: object }).logo, { bytes: 'UklGRg==' })),
    /line \d+: the bytes of its image are not an image/,
  ],
  [
    'a logo of garbage behind the header of a WebP file',
    () =>
      changed('tenant', ({ pages }) => {
        const { logo } = pages as { logo: { bytes: string } };
        const bytes = Buffer.from(logo.bytes, 'base64').fill(0xff, 30);
        Object.assign(logo, { bytes: bytes.toString('base64'), sha256: imageHash(bytes) });
      }),
    /line \d+: the bytes of its image cannot be decoded/,
  ],
  ...['A', 'A'.repeat(42), `${'A'.repeat(42)}B`, 'A'.repeat(44)].map((value): [string, () => Changed, RegExp] => [
    `a secret of tokens that has not 256 bits: ${value}`,
    () => whole.toSpliced(1, 0, { type: 'token_secret', kid: 'a', value, ...times }),
    /line \d+: value must match pattern/,
  ]),
  [
    'an active product that was never activated',
    () => lamp((line) => Object.assign(line, { activated_at: null })),
    /line \d+: an active product needs the time in activated_at/,
  ],
  [
    'a draft that was active',
    () =>
      lamp((line) => {
        for (const each of [line.product, line.passport.product as object]) Object.assign(each, { status: 'draft' });
      }),
    /line \d+: a draft was never active: activated_at must be null/,
  ],
  [
    'an identifier of the registry without a registration',
    () => lamp(({ product }) => Object.assign(product, { registry_status: 'none' })),
    /line \d+: only a registered product has a registry_id/,
  ],
  [
    'a registration without an identifier',
    () => lamp(({ product }) => Object.assign(product, { registry_id: null })),
    /line \d+: a registered product needs product\.registry_id/,
  ],
  ['an unknown type', () => changed('product', (line) => Object.assign(line, { type: 'x' })), /its type is not one of/],
  [
    'a type from the prototype',
    () => changed('product', (line) => Object.assign(line, { type: 'toString' })),
    /its type is not one of/,
  ],
  [
    'an unknown member',
    () => changed('product', (line) => Object.assign(product(line), { price: 1 })),
    /product has the unknown member "price"/,
  ],
  [
    'a missing member',
    () => changed('carriers', (line) => delete items(line)[0]?.status),
    /items\.0 lacks the member status/,
  ],
  [
    'a slug that no path has',
    () => changed('product', (line) => Object.assign(product(line), { slug: '../x' })),
    /product\.slug must match pattern/,
  ],
  [
    'a language that is not a code',
    () => changed('tenant', (line) => Object.assign(line.tenant as object, { language: 'de"' })),
    /tenant\.language must match pattern/,
  ],
  [
    'no language',
    () => changed('tenant', (line) => delete (line.tenant as Record<string, unknown>).language),
    /tenant lacks the member language/,
  ],
  [
    'the slug of an import',
    () => changed('tenant', (line) => Object.assign(line.tenant as object, { slug: 'importing:x' })),
    /tenant\.slug must match pattern/,
  ],
  [
    'a GTIN with letters',
    () => lamp(({ product }) => Object.assign(product, { gtin: '4006381333x31' })),
    /product\.gtin must match pattern/,
  ],
  [
    'a passport of another product',
    () => lamp(({ passport }) => Object.assign(passport.product as object, { slug: 'other' })),
    /passport\.product differs from product/,
  ],
  [
    'a product group without a template',
    () => lamp(({ product }) => Object.assign(product, { product_group: 'spaceship' })),
    /product\.product_group is not the key of a template/,
  ],
  [
    'a template of a newer program',
    () => lamp(({ passport }) => Object.assign(passport, { template_version: 999 })),
    /passport\.template_version is newer than version \d+ of the template lighting/,
  ],
  [
    'a wrong content hash',
    () => lamp(({ passport }) => Object.assign(passport.latest_version as object, { content_hash: 'a'.repeat(64) })),
    /the content hash of version 3 does not fit/,
  ],
  [
    'another salt',
    () => lamp(({ passport }) => Object.assign(passport.latest_version as object, { salt: 'a'.repeat(32) })),
    /the content hash of version 3 does not fit/,
  ],
  [
    'a changed value',
    () => lamp(({ passport }) => Object.assign((passport.values as object[])[0] as object, { value: 7 })),
    /the content hash of version 3 does not fit/,
  ],
  [
    'a wrong public hash',
    () => lamp((line) => Object.assign(line, { public_hash: 'b'.repeat(64) })),
    /the public hash of version 3 does not fit/,
  ],
  [
    'a field twice',
    () =>
      lamp(({ passport }) => {
        const values = passport.values as object[];
        values.push({ ...values.at(-1) });
        rehash(passport);
      }),
    /the same field_key and locale twice/,
  ],
  [
    'values of more than 2 MiB',
    () =>
      lamp(({ passport }) => {
        Object.assign((passport.values as object[])[0] as object, { value: 'x'.repeat(2 ** 21) });
        rehash(passport);
      }),
    /passport\.values has more than 2097152 bytes as RFC 8785 JSON/,
  ],
  [
    'a value of 100,000 levels',
    () =>
      lamp((line) => JSON.stringify(line)).map((line) => {
        const text = JSON.stringify(line);
        return text.includes('"colour"')
          ? text.replace('[1,null,"x"]', '['.repeat(5000) + ']'.repeat(5000))
          : (line as AnyLine);
      }),
    /has more than 32 levels or 10000 nodes/,
  ],
  [
    'a gap in the positions',
    () => changed('product', (line) => Object.assign(line, { position: 2 })),
    /line \d+: position must be 1, the next one/,
  ],
  [
    'a newer version among the older ones',
    () => changed('versions', (line) => Object.assign(items(line)[0] as object, { version: 50 })),
    /items\.0 is not older than the latest version/,
  ],
  [
    'a missing older version',
    () => changed('versions', (line) => void items(line).pop()),
    /the tenant should have 30 versions, but the file has 29/,
  ],
  [
    'fewer products than the counts',
    () =>
      whole.filter(
        (line, index) =>
          !(
            line.type === 'product' &&
            product(line).slug === product(whole[index] as AnyLine).slug &&
            line.position === 13
          ),
      ),
    /position must be 13/,
  ],
  [
    'a carrier of no product',
    () =>
      changed('carriers', (line) =>
        Object.assign(items(line)[0] as object, { product_id: '00000000-0000-7000-8000-000000000000' }),
      ),
    /it belongs to a product that does not stand before it/,
  ],
  [
    'a second tenant',
    () => [
      ...whole.slice(0, -1),
      ...whole.filter(({ type }) => ['tenant', 'tenant_end'].includes(type)),
      whole.at(-1) as AnyLine,
    ],
    /an export has one tenant/,
  ],
  [
    'a line outside of the tenant',
    () => [whole[0] as AnyLine, whole.find(({ type }) => type === 'product') as AnyLine, ...whole.slice(1)],
    /line 2: a line of the type product cannot stand here/,
  ],
  [
    'secrets without secrets in the header',
    () => changed('header', (line) => Object.assign(line, { secrets: false })),
    /the header has no secrets, but the line is of the type token_secret/,
  ],
  [
    'raw scans',
    () => [
      ...whole.slice(0, -2),
      {
        type: 'scans',
        items: [
          {
            id: '00000000-0000-7000-8000-000000000000',
            product_id: '00000000-0000-7000-8000-000000000000',
            scanned_at: '2026-01-01T00:00:00.000Z',
            role: 'consumer',
            visitor_hash: 'a'.repeat(64),
          },
        ],
      },
      ...whole.slice(-2),
    ],
    /only a backup has lines of the type scans/,
  ],
  [
    'a backup',
    () => changed('header', (line) => Object.assign(line, { kind: 'all' })),
    /line 1: the file is a backup of all tenants\. Use `restore`/,
  ],
];

/** What is refused only by the database. */
const conflicts: [string, () => Changed, RegExp][] = [
  [
    'a carrier of a product without a GTIN',
    () => changed('carriers', (line) => Object.assign(items(line)[0] as object, { product_id: product(hat).id })),
    /the product wollmuetze-rot-1 has no GTIN, so it cannot have a carrier/,
  ],
  [
    'one id twice',
    () =>
      lamp(({ product: own, passport }) => {
        const id = product(hat).id;
        Object.assign(own, { id });
        Object.assign(passport.product as object, { id });
      }),
    /another product of the tenant has this id/,
  ],
  [
    'one slug twice',
    () =>
      lamp(({ product: own, passport }) => {
        const slug = product(hat).slug;
        Object.assign(own, { slug });
        Object.assign(passport.product as object, { slug });
      }),
    /another product of the tenant has this slug/,
  ],
  [
    'one version twice',
    () => changed('versions', (line) => void items(line).push({ ...items(line)[0] })),
    /the product has this version twice/,
  ],
  [
    'one carrier twice',
    () => changed('carriers', (line) => void items(line).push({ ...items(line)[0] })),
    /the product has a carrier with this id twice/,
  ],
  [
    'two counts of one day',
    () => changed('scan_counts', (line) => void items(line).push({ ...items(line)[0] })),
    /the product has two counts for one day and role/,
  ],
  [
    'one key twice',
    () =>
      changed(
        'api_keys',
        (line) => void items(line).push({ ...items(line)[0], id: '00000000-0000-7000-8000-000000000000' }),
      ),
    /two API keys have the same hash/,
  ],
];

async function importLines(lines: Changed, address: string): Promise<{ code: number; stderr: string }> {
  const hostile = join(folder, 'hostile.jsonl');
  await writeLines(hostile, lines);
  return runHere(`product-passport import ${hostile} --database ${address}`);
}

describe.each(databaseKinds)('an import on %s', (kind) => {
  test('refuses files with a line that does not fit, names the line, and shows nothing of the tenant', async () => {
    const address = await newMigratedDatabase(kind);
    // What the form decides is the same on both databases.
    for (const [name, lines, reason] of kind === 'SQLite' ? [...refused, ...conflicts] : conflicts) {
      const { code, stderr } = await importLines(lines(), address);
      expect([name, code, stderr]).toEqual([name, 1, expect.stringMatching(reason)]);
      expect([name, stderr]).toEqual([
        name,
        expect.stringMatching(/^product-passport: line \d+: [^\n]+ Nothing was stored\.\n$/),
      ]);
      const left = await contentOf(address);
      expect([name, Object.values(left).flat()]).toEqual([name, []]);
    }
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
    const claims = lamp(({ product, passport }) => {
      Object.assign(product, { unique_product_identifier: 'urn:acme:victim:shoe', completeness: 100 });
      Object.assign(passport.product as object, { completeness: 100 });
    });
    expect(await importLines(claims, address)).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/^Warning: 1 products had a URN or a completeness that does not follow/),
    });
    const products = async (from: string) => {
      const database = connect(from);
      const rows = await database('products')
        .join('tenants', 'tenants.id', 'products.tenant_id')
        .where('tenants.slug', 'shop')
        .orderBy('products.slug')
        .select('unique_product_identifier', 'completeness');
      await database.destroy();
      return rows;
    };
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
      lamp((line) => Object.assign(line, { activated_at: '1970-01-01T00:00:00.000Z' })),
    );
    const imported = await runHere(`product-passport import ${early} --share-gtin --database ${address}`);
    expect(imported).toMatchObject({ code: 0, stderr: '' });
    if (status === 'archived') await service.activate(other, own.slug);
    const { headers } = await other.call({ path: '/01/04006381333931', key: null });
    expect(headers.location).toMatch(/\/p\/other\/own$/);
  });
});

describe('a file', () => {
  test('that was cut anywhere is refused', async () => {
    const address = await newMigratedDatabase('SQLite');
    const bytes = await readFile(file);
    const cut = join(folder, 'cut.jsonl');
    for (const share of [0, 0.001, 0.3, 0.6, 0.9, 0.99]) {
      await writeFile(cut, bytes.subarray(0, Math.floor(bytes.length * share)));
      const { code, stderr } = await runHere(`product-passport import ${cut} --database ${address}`);
      expect([share, code, stderr]).toEqual([
        share,
        1,
        expect.stringMatching(
          /^product-passport: line \d+: the file ends (?:here|inside this line)[^\n]+ It was cut: /,
        ),
      ]);
    }
    // In the middle of a letter.
    await writeFile(
      cut,
      Buffer.concat([bytes.subarray(0, bytes.indexOf('\n') + 1), Buffer.from('{"a":"ß').subarray(0, -1)]),
    );
    const { stderr } = await runHere(`product-passport import ${cut} --database ${address}`);
    expect(stderr).toBe(
      'product-passport: line 2: the file ends inside this line. It was cut: copy the whole file again, or export it again. Nothing was stored.\n',
    );
  });

  test('is imported into the empty file of an import that was killed at its start', async () => {
    const target = await newDatabase('SQLite');
    await writeFile(target, '');
    expect(await runHere(`product-passport import ${file} --database ${target}`)).toMatchObject({
      code: 0,
      stderr: '',
    });
  });

  test('that is refused before a line is stored leaves no new database file, and another database as it was', async () => {
    const text = join(folder, 'text');
    await writeFile(text, 'hello\n');
    const target = await newDatabase('SQLite');
    for (const [name, source, expected] of [
      ['a text', text, 1],
      ['a missing file', join(folder, 'none'), 2],
    ] as const) {
      const { code } = await runHere(`product-passport import ${source} --database ${target}`);
      expect([name, code, await readdir(dirname(target))]).toEqual([name, expected, []]);
    }
    await writeLines(text, [...whole.slice(0, 8), '{}', ...whole.slice(9)]);
    await runHere(`product-passport import ${file} --database ${target}`);
    expect(await runHere(`product-passport import ${text} --database ${target}`)).toMatchObject({ code: 1 });
    expect((await runHere(`product-passport tenant list --database ${target}`)).stdout).toContain('shop');
  });

  test('that goes on behind the trailer, or whose trailer does not fit, is refused', async () => {
    const address = await newMigratedDatabase('SQLite');
    const longer = join(folder, 'longer.jsonl');
    await writeFile(longer, await readFile(file));
    await appendFile(longer, '{}\n');
    const behind = await runHere(`product-passport import ${longer} --database ${address}`);
    expect(behind.stderr).toContain('it stands behind the trailer');
    await writeFile(longer, (await readFile(file, 'utf8')).replace('"label":"old till"', '"label":"old lilt"'));
    const changedLine = await runHere(`product-passport import ${longer} --database ${address}`);
    expect(changedLine.stderr).toContain('The file was changed');
    const text = await readFile(file, 'utf8');
    await writeFile(longer, text.replace(`"lines":${whole.length - 1}`, `"lines":${whole.length}`));
    const counted = await runHere(`product-passport import ${longer} --database ${address}`);
    expect(counted.stderr).toContain(`line ${whole.length}: the trailer does not fit the lines before it`);
  });

  test('with an endless line is refused before it fills the memory', async () => {
    const address = await newMigratedDatabase('SQLite');
    const huge = join(folder, 'huge.jsonl');
    await writeFile(huge, `${JSON.stringify(whole[0])}\n`);
    const piece = 'x'.repeat(1024 * 1024);
    for (let size = 0; size <= maxLineBytes; size += piece.length) await appendFile(huge, piece);
    const { code, stderr } = await runHere(`product-passport import ${huge} --database ${address}`);
    expect([code, stderr]).toEqual([
      1,
      `product-passport: line 2: it has more than ${maxLineBytes} bytes. Nothing was stored.\n`,
    ]);
    await rm(huge);
  });
});
