/** The commands that show and move products, and the templates that passports follow. */
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { dayOf } from '@product-passport/openapi';
import { openDatabase } from '../../../server/src/index.ts';
import { createProduct } from '../../../server/src/lifecycle/create.ts';
import { writePassport } from '../../../server/src/passports/write.ts';
import { insertProducts } from '../../../server/src/products/store.ts';
import { templateOf } from '../../../server/src/templates/catalogue.ts';
import { insertTenant, type Tenant } from '../../../server/src/tenants/store.ts';
import { type Outcome, runHere } from '../../support/command.ts';
import { ending } from '../../support/ending.ts';
import { run } from '../../support/program.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../../support/service.ts';

describe.each(databaseKinds)('products on %s', (kind) => {
  let address = '';
  let database: Database;
  let tenant: Tenant;
  let folder = '';

  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
    database = await openDatabase(address);
    ending.defer(() => database.destroy());
    const entry = { slug: 'shop', name: 'Shop', country: 'DE', plan: 'starter' as const };
    const made = await insertTenant(database, entry, new Date());
    if (!made) throw new Error('The tenant is there already.');
    tenant = made;
    folder = await mkdtemp(join(tmpdir(), 'products-'));
    ending.defer(() => rm(folder, { recursive: true }));
  });

  function command(line: string): Promise<Outcome> {
    return runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: address });
  }

  const services = () => ({ database, now: () => new Date(), urnNamespace: 'dpp' });

  function newProduct(name: string, more: { gtin?: string; product_group?: string } = {}): Promise<{ slug: string }> {
    return createProduct(services(), tenant, { name, ...more } as Parameters<typeof createProduct>[2]);
  }

  /** Answers all required fields, or all but the first ones. */
  function answer(slug: string, group: string, but = 0): Promise<unknown> {
    const required = templateOf(group).fields.filter((field) => field.required);
    const values = required.slice(but).map(({ key }) => ({ field_key: key, value: 'x' }));
    return writePassport(services(), tenant, slug, values);
  }

  async function statuses(): Promise<Record<string, string>> {
    const { stdout } = await command('product list --tenant shop --json');
    const items: { slug: string; status: string }[] = JSON.parse(stdout).items;
    return Object.fromEntries(items.map(({ slug, status }) => [slug, status]));
  }

  test('commands that change something say what they changed', async () => {
    const lines: [string, RegExp][] = [
      [
        "tenant create told --name 'Told' --country DE",
        /^Created tenant told\. Its texts are in the language de: .* first value\. Next: .*key create --tenant told/,
      ],
      [
        "tenant brand told --name 'Told & Co' --color teal",
        /^The pages of told show the name Told & Co, no logo, and #0b4f55\.$/,
      ],
      ['tenant legal told --imprint https://shop.example/i', /^The pages of told link to: imprint\.$/],
      ['tenant legal told --imprint none', /^The pages of told end with no address\.$/],
      ['tenant open-list told', /^The public list is open: \/p\/told$/],
      ['tenant close-list told', /^The public list of told is closed\.$/],
      ['product create cup --tenant told --name Cup', /^Created the draft cup\. List its required fields with /],
    ];
    for (const [line, says] of lines) {
      const { code, stdout } = await command(line);
      expect({ line, code, stdout: stdout.trimEnd() }).toEqual({ line, code: 0, stdout: expect.stringMatching(says) });
    }
    for (const [line, secret, says] of [
      ['key create', /^ppk_[\w-]{43}\n$/, /^Store this key now: .* Its id is [0-9a-f-]{36}\.\n$/],
      ['token create cup --role recycler', /^ey[\w.-]+\n$/, /^Store this token now: .* [0-9a-f-]{36}\. It expires/],
    ] as const) {
      // Standard output has the secret alone, for `KEY=$(…)`.
      expect(await command(`${line} --tenant told`)).toEqual({
        code: 0,
        stdout: expect.stringMatching(secret),
        stderr: expect.stringMatching(says),
      });
    }
    const ids = async (kindOf: string): Promise<string> =>
      JSON.parse((await command(`${kindOf} list --tenant told --json`)).stdout).items[0].id;
    for (const [kindOf, name] of [
      ['key', 'API key'],
      ['token', 'access token'],
    ] as const) {
      const id = await ids(kindOf);
      expect((await command(`${kindOf} revoke ${id} --tenant told`)).stdout).toBe(`Revoked ${name} ${id}.\n`);
    }
  });

  test('product create makes the product that the API makes, and names each wrong value', async () => {
    const line = 'product create teller --tenant shop';
    const named = `${line} --name 'Teller 24 cm' --product-group furniture --gtin 9520001000089 --model T24`;
    const created = await command(`${named} --json`);
    expect(created).toMatchObject({ code: 0, stderr: '' });
    const { stdout } = await command('product show teller --tenant shop --json');
    const shown = JSON.parse(stdout);
    expect(shown.product).toEqual(JSON.parse(created.stdout));
    expect(shown).toMatchObject({
      product: {
        slug: 'teller',
        name: 'Teller 24 cm',
        product_group: 'furniture',
        gtin: '9520001000089',
        model: 'T24',
        status: 'draft',
        unique_product_identifier: 'urn:dpp:shop:teller',
      },
      versions: [{ version: 1 }],
    });
    const again = await command(named);
    expect(again).toMatchObject({ code: 1, stdout: '' });
    expect(again.stderr).toContain('the tenant shop already has a product teller. Show it with `');
    for (const [wrong, message] of [
      ["--name ' '", 'the product is not valid: name must not be blank'],
      ['--name Teller --gtin 123', 'the product is not valid: gtin must have 8, 12, 13 or 14 digits'],
      ['--name Teller --product-group plates', '--product-group is "plates". Use one of: textile, '],
    ]) {
      const { code, stderr } = await command(`product create teller-2 --tenant shop ${wrong}`);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${message}`)]);
    }
    expect(Object.keys(await statuses())).not.toContain('teller-2');
  });

  test('product create warns of a wrong check digit, and passport set offers no activation of an active product', async () => {
    const create = (slug: string, gtin: string) =>
      command(`product create ${slug} --name ${slug} --product-group toy --gtin ${gtin} --tenant shop`);
    expect(await create('kreisel', '4012345678906')).toMatchObject({
      code: 0,
      stderr: 'Warning: the GTIN 4012345678906 has a wrong check digit. Some scanners reject it.\n',
    });
    expect(await create('ball', '4012345678901')).toMatchObject({ code: 0, stderr: '' });
    await answer('ball', 'toy');
    const file = join(folder, 'ball.json');
    await writeFile(file, '[{"field_key": "manufacturer_name", "value": "Shop"}]');
    const set = async () => (await command(`passport set ball ${file} --tenant shop`)).stdout;
    expect(await set()).toMatch(/ is 100 % complete\. Make it public with `.* product activate ball /);
    await command('product activate ball --tenant shop');
    expect(await set()).toBe('Wrote 1 value. The passport of ball is 100 % complete. The change is public.\n');
  });

  test('passport set writes the values of a file, all or none, and warns of an unknown field and an unusual form', async () => {
    await newProduct('Kabel', { product_group: 'cable' });
    const file = join(folder, 'values.json');
    const set = async (values: unknown, more = ''): Promise<Outcome> => {
      await writeFile(file, typeof values === 'string' ? values : JSON.stringify(values));
      return command(`passport set kabel ${file} --tenant shop ${more}`);
    };
    const length = { field_key: 'cable_length', value: 2, unit: 'm' };
    const written = await set([length, { field_key: 'cable_lenght', value: 3 }], '--json');
    expect(JSON.parse(written.stdout)).toEqual({ product: 'kabel', updated: 2, completeness: expect.any(Number) });
    expect(written).toMatchObject({
      code: 0,
      stderr: expect.stringMatching(/template show cable.*template does not have.* cable_lenght +cable_length$/ms),
    });
    expect((await set([length])).stdout).toMatch(
      /^Wrote 1 value\. The passport of kabel is \d+ % complete\. See what is missing with `/,
    );
    const levels = await set([{ field_key: 'substances_of_concern', value: [] }]);
    expect(levels.stderr).toMatch(/substances_of_concern +access_level must be "restricted" \(got "public"\)$/m);

    // The contract accepts any JSON value, so these are stored.
    const forms = await set([
      { field_key: 'cable_length', value: '2 m' },
      { field_key: 'max_power', value: 240, unit: 'kW' },
      { field_key: 'cable_type', value: 'USB-C' },
      { field_key: 'connector_a', value: 'USB-C' },
      { field_key: 'halogen_free', value: 'perhaps', is_unknown: true },
    ]);
    expect([forms.code, forms.stderr.match(/(?<=^ {2})[a-z].*/gm)]).toEqual([
      0,
      [
        'cable_length  must be a number (got "2 m")',
        expect.stringMatching(/^cable_type {4}must be one of .*\(got "USB-C"\)\. The closest is "usb_c"\.$/),
        'max_power     unit must be "W" (got "kW")',
      ],
    ]);

    const before = await command('product show kabel --tenant shop --json');
    for (const [wrong, message] of [
      ['[{', `${file} is not valid JSON at line 1, column 3.`],
      ['[\n\u00a0]', `${file} is not valid JSON.`],
      ['', `${file} is empty: send JSON.`],
      ['{}', `${file}: The body must be an array`],
      [[length, { value: 1 }], `${file}: [1].field_key`],
      ['[{"field_key": "weight", "value": 9007199254740993}]', `${file}: [0].value has a number with too many digits`],
    ] as const) {
      const { code, stdout, stderr } = await set(wrong);
      expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
    }
    expect(await command(`passport set kabel ${folder}/none.json --tenant shop`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('none.json does not exist. Name an existing file, or - for standard input.'),
    });
    await truncate(file, 3 * 2 ** 30); // needs no space on the disk
    expect(await command(`passport set kabel ${file} --tenant shop`)).toMatchObject({
      code: 2,
      stderr: `product-passport: ${file} is too large to be read at once.\n`,
    });
    expect(await command('product show kabel --tenant shop --json')).toEqual(before);
    await writeFile(file, '[]');
    expect(await command(`passport set nothing ${file} --tenant shop`)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('the tenant shop has no product nothing.'),
    });
  });

  test('show has the status, the missing required fields by key and label, carriers, versions and address', async () => {
    await newProduct('Becher', { gtin: '9520001000072', product_group: 'cable' });
    await answer('becher', 'cable', 2);
    const required = templateOf('cable').fields.filter((field) => field.required);
    const today = dayOf(new Date());
    const before = JSON.parse((await command('product show becher --tenant shop --json')).stdout);
    expect(before).toMatchObject({
      product: { slug: 'becher', status: 'draft' },
      public_url: null,
      gs1_digital_link: null,
      required_fields: required.length,
      on: today,
      missing_fields: required.slice(0, 2).map(({ key, label, type, unit }) => ({ key, label: label.en, type, unit })),
      data_points: null,
      carriers: [],
      versions: [{ version: 2 }, { version: 1 }],
    });
    await command('product activate becher --tenant shop');
    const site = '--site-url https://passport.example';
    const shown = await command(`product show becher --tenant shop ${site}`);
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    const [first, second] = required;
    for (const text of [
      'Status        active\n',
      'Public page   https://passport.example/p/shop/becher\n',
      'Digital Link  https://passport.example/01/09520001000072\n',
      `Complete      ${before.product.completeness} % on ${today}, the day of the latest version\n`,
      `Answered      ${required.length - 2} of ${required.length} required fields on ${today}\n`,
      'Versions      2, the latest from ',
      `Required fields without a value on ${today}:\n`,
      'Data carriers:\n',
    ]) {
      expect(shown.stdout).toContain(text);
    }
    for (const field of [first, second]) {
      expect(shown.stdout).toMatch(new RegExp(`^  ${field?.key} +${field?.label.en} `, 'm'));
    }
    expect((await command('product show becher --tenant shop')).stdout).toContain(
      'Public page   /p/shop/becher (add --site-url to see the whole address)',
    );
    expect(await command('product show none --tenant shop')).toMatchObject({ code: 1, stdout: '' });
  });

  test('show and activate list what is missing and what does not fit; a program is not asked', async () => {
    await newProduct('Schal', { product_group: 'textile' });
    const write = (values: Parameters<typeof writePassport>[3]) => writePassport(services(), tenant, 'schal', values);
    await write([
      { field_key: 'manufacturer_name', value: 'Shop' },
      { field_key: 'fibre_composition', value: ['80% wool'] },
      { field_key: 'country_of_origin', value: 'Scotland' },
      { field_key: 'garment_weight', value: -5, unit: 'kg' },
      { field_key: 'care_instruktions', value: 'x\u001b[31m' },
      { field_key: 'our_sku', value: 1 },
      { field_key: 'test_reports', value: 'https://example.com', access_level: 'restricted' },
    ]);
    const shown = await command('product show schal --tenant shop --json');
    const findings = [
      ['country_of_origin', 'must be an ISO 3166-1 country code, such as "DE", "GB" or "GR" (got "Scotland")'],
      ['fibre_composition', '[0] must be an object with fibre, share (got "80% wool")'],
      ['garment_weight', 'must be at least 0 (got -5)'],
      ['garment_weight', 'unit must be "g" (got "kg")'],
      ['test_reports', 'access_level must be "authority" (got "restricted")'],
    ];
    expect(JSON.parse(shown.stdout)).toMatchObject({
      findings: findings.map(([field_key, message]) => ({ field_key, message })),
      unknown_fields: [
        { field_key: 'care_instruktions', closest: 'care_instructions' },
        { field_key: 'our_sku', closest: null },
      ],
    });
    const tables = [
      ...findings.map(([key = '', message]) => `  ${key.padEnd(17)}  ${message}`),
      '  care_instruktions  care_instructions',
      '  our_sku            -',
      '  care_instructions       Care instructions                    text of several sentences',
    ];
    const text = (await command('product show schal --tenant shop')).stdout.split('\n');
    expect(text).toEqual(expect.arrayContaining(tables));

    const dry = await command('product activate schal --dry-run --tenant shop');
    expect(dry).toMatchObject({ code: 0, stdout: 'schal can become active.\n' });
    const review = {
      ...{ dry_run: true, missing: ['care_instructions', 'recycling_instructions'] },
      findings: expect.arrayContaining([expect.objectContaining({ field_key: 'garment_weight' })]),
      unknown_fields: [{ field_key: 'care_instruktions', closest: 'care_instructions' }, expect.anything()],
    };
    for (const also of ['', '--file /dev/null ']) {
      const { stdout } = await command(`product activate schal ${also}--dry-run --json --tenant shop`);
      expect(JSON.parse(stdout)).toMatchObject(review);
    }
    const activated = await command('product activate schal --tenant shop --json');
    const unasked =
      'Warning: activated all the same. A script that wants only complete drafts uses `product activate --all-complete`.\n';
    expect(activated).toMatchObject({ code: 0, stderr: dry.stderr + unasked });
    expect(JSON.parse(activated.stdout)).toMatchObject({ status: 'active' });
    const [sentence, ...listed] = activated.stderr.split('\n');
    expect(sentence).toBe(
      `Warning: schal lacks 2 required fields (care_instructions, recycling_instructions) on ${dayOf(new Date())}, and has 5 values ` +
        '(country_of_origin, fibre_composition, garment_weight, test_reports, care_instruktions) that do not fit its template.',
    );
    expect(listed).toEqual(expect.arrayContaining(tables));

    const archived = await command('product archive schal --tenant shop');
    expect(archived).toMatchObject({ code: 0, stdout: 'schal is now archived.\n' });
    expect(archived.stderr).toMatch(/^Warning: archiving takes the page, .* Keep sold products active: .*\n$/);
    const many = await command('product activate schal becher --tenant shop');
    expect(many.stderr.split('\n').slice(0, 2)).toEqual([
      sentence,
      `Warning: passports that are incomplete on ${dayOf(new Date())} or do not fit their template: 1 of 1. \`product show\` lists what is wrong with one.`,
    ]);
    await command('product archive schal --tenant shop');
  });

  test('an own field alone is no reason to warn or to ask', async () => {
    await newProduct('Eigenes', { product_group: 'other' });
    await writePassport(services(), tenant, 'eigenes', [
      { field_key: 'manufacturer_name', value: 'Shop' },
      { field_key: 'country_of_origin', value: 'DE' },
      { field_key: 'product_description', value: 'Becher' },
      { field_key: 'recycling_instructions', value: 'Glas' },
      { field_key: 'our_sku', value: 1 },
    ]);
    expect(await command('product activate eigenes --tenant shop')).toEqual({
      ...{ code: 0, stdout: 'eigenes is now active.\n', stderr: '' },
    });
    await command('product archive eigenes --tenant shop');
  });

  test('a dry run says what would happen, and changes nothing', async () => {
    await newProduct('Probe A');
    await newProduct('Probe B');
    await command('product archive probe-b --tenant shop');
    const before = await statuses();
    const audit = (await command('audit --json')).stdout;
    expect(await command('product activate probe-a probe-b none becher --tenant shop --dry-run')).toEqual({
      code: 1,
      stdout: expect.stringMatching(
        /^probe-a can become active\.\nprobe-b can become active\.\nnone failed: .+\nbecher failed: becher is already active\.\n$/,
      ),
      stderr: expect.stringMatching(
        /^(Warning: probe-[ab] lacks 4 required .*\n){2}Warning: passports .* template: 2 of 2\..*\nproduct-passport: cannot be activated: 2 of 4/,
      ),
    });
    expect(await command('product archive probe-a --tenant shop --dry-run')).toMatchObject({
      code: 0,
      stdout: 'probe-a can become archived.\n',
    });
    expect(await statuses()).toEqual(before);
    expect((await command('audit --json')).stdout).toBe(audit);
  });

  test('archive takes many slugs and a file; the others are done if one fails, and the run is one entry', async () => {
    for (const name of ['Alt 1', 'Alt 2', 'Alt 3']) await newProduct(name);
    const file = join(folder, 'old.txt');
    await writeFile(file, 'alt-2\n\nno-such\x1b[31m\nalt-1\nalt-3\n');
    const outcome = await command(`product archive alt-1 --file ${file} --tenant shop`);
    expect(outcome).toMatchObject({
      code: 1,
      stderr: 'product-passport: not archived: 1 of 4 products. The reasons are above.\n',
    });
    expect(outcome.stdout.split('\n')).toEqual([
      'alt-1 is now archived.',
      'alt-2 is now archived.',
      expect.stringMatching(/^no-such\\x1b\[31m failed: the tenant shop has no product no-such/),
      'alt-3 is now archived.',
      '',
    ]);
    expect(await statuses()).toMatchObject({ 'alt-1': 'archived', 'alt-2': 'archived', 'alt-3': 'archived' });
    const [entry] = JSON.parse((await command('audit --json --limit 1')).stdout).items;
    expect(entry).toMatchObject({
      command: 'product archive',
      changes: 3,
      arguments: ['alt-1', '--tenant', 'shop', '--file', file],
    });
  });

  test('show and activate speak of a day, and name data points with their legal references', async () => {
    const values = (category: string, ...keys: string[]) =>
      keys.map((field_key) => {
        const access_level = templateOf('battery').fields.find(({ key }) => key === field_key)?.access_level;
        return { field_key, value: field_key === 'battery_category' ? category : 'x', access_level };
      });
    const keys = templateOf('battery').fields.filter(({ required }) => required);
    await newProduct('Speicher', { product_group: 'battery' });
    await writePassport(services(), tenant, 'speicher', values('industrial', ...keys.map(({ key }) => key)));
    const show = async (options: string) => (await command(`product show speicher --tenant shop ${options}`)).stdout;
    const [before, from] = ['2027-08-17', '2027-08-18'];
    expect(await show(`--on ${before}`)).toContain(`${keys.length} of ${keys.length} required fields on ${before}\n`);
    const due =
      /^ {2}due_diligence_report +Due diligence report +web address +19 +Battery Reg\. .* Annex XIII 1\(d\)$/m;
    expect(await show(`--on ${from}`)).toMatch(due);
    expect(await show('')).toMatch(/version 2\.0 of 2026-08-15, European Commission, DG GROW, https:.* not binding/);
    const activate = (day: string) => command(`product activate --all-complete --tenant shop --dry-run --on ${day}`);
    expect((await activate(before)).stdout).toBe('speicher can become active.\n');
    expect((await activate(from)).stdout).toBe(`The tenant shop has no complete drafts on ${from}.\n`);
    expect(await activate('2027-02-30')).toMatchObject({ code: 2, stderr: expect.stringContaining('2027-02-18') });

    await writePassport(services(), tenant, 'speicher', values('ev', 'due_diligence_report', 'battery_category'));
    const shown = JSON.parse(await show(`--json --on ${before}`));
    expect(shown).toMatchObject({ on: before, needs_no_passport: false, data_points: { version: '2.0' } });
    expect(shown.missing_fields).toContainEqual(
      expect.objectContaining({ key: 'remaining_capacity', data_points: [expect.objectContaining({ number: 51 })] }),
    );
    const unasked = {
      field_key: 'due_diligence_report',
      code: 'not_asked',
      message: `is not asked for before ${from}`,
    };
    expect(shown.findings).toContainEqual(unasked);
    expect(JSON.parse(await show(`--json --on ${from}`)).findings).not.toContainEqual(unasked);
    await writePassport(services(), tenant, 'speicher', values('sli', 'battery_category'));
    expect(await show('')).toContain('According to it, a product of this category needs no passport.');
    await database('products').where({ slug: 'speicher' }).update({ status: 'archived' });
  });

  test('activate --all-complete leaves out incomplete drafts, and walks past those that fail', async () => {
    // More than one page of drafts.
    const drafts = Array.from({ length: 510 }, (_, index) => ({
      ...{ name: 'Entwurf', slug: `entwurf-${index}`, status: 'draft' as const },
    }));
    const urnOf = (slug: string): string => `urn:dpp:shop:${slug}`;
    await database.transaction((transaction) => insertProducts(transaction, tenant.id, drafts, urnOf, new Date()));
    await newProduct('Fertig', { product_group: 'cable' });
    await newProduct('Fast', { product_group: 'cable' });
    await answer('fertig', 'cable');
    await answer('fast', 'cable', 1);
    expect(await command('product activate --all-complete --tenant shop --dry-run')).toMatchObject({
      code: 0,
      stdout: 'fertig can become active.\n',
    });
    expect(await command('product activate --all-complete --tenant shop')).toMatchObject({
      code: 0,
      stdout: 'fertig is now active.\n',
    });
    expect(await command('product activate --all-complete --tenant shop')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^The tenant shop has no complete drafts on \d{4}-\d\d-\d\d\.\n$/),
    });
  });

  test('registry: the moves of the design, with an identifier for a registered product only', async () => {
    const move = (line: string) => command(`registry set becher ${line} --tenant shop`);
    const product = async () => JSON.parse((await command('product show becher --tenant shop --json')).stdout).product;
    const before = await product();
    const refused = await move('registered --registry-id R-1');
    expect(refused).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'product-passport: the registry status of becher is none and cannot become registered. It can become ready.\n',
    });
    expect(await product()).toEqual(before);
    for (const [line, code] of [
      ['ready', 0],
      ['ready', 1],
      ['submitted', 0],
      ['rejected', 0],
      ['submitted', 1],
      ['ready', 0],
      ['submitted --registry-id R-1', 2],
      ['submitted', 0],
      ['registered', 2],
    ] as const) {
      expect([line, (await move(line)).code]).toEqual([line, code]);
    }
    expect(await product()).toMatchObject({ registry_status: 'submitted', registry_id: null });
    expect(await move('registered --registry-id R-1')).toMatchObject({
      code: 0,
      stdout: 'The registry status of becher is now registered.\n',
    });
    const registered = await product();
    expect(registered).toMatchObject({ registry_status: 'registered', registry_id: 'R-1' });
    expect(registered.updated_at > before.updated_at).toBe(true);
    expect((await move('ready')).stderr).toContain('It can become deactivated.');
    expect(await move('deactivated')).toMatchObject({ code: 0 });
    expect((await move('ready')).stderr).toContain('It keeps this status.');
    expect(await product()).toMatchObject({ registry_status: 'deactivated', registry_id: 'R-1' });
    expect(await move('unknown')).toMatchObject({ code: 2 });
    const list = await command('registry list --tenant shop --status deactivated --json');
    expect(JSON.parse(list.stdout).items).toMatchObject([{ slug: 'becher', registry_status: 'deactivated' }]);
    expect(await command('registry list --tenant shop --status rejected')).toMatchObject({
      code: 0,
      stdout: 'The tenant shop has no products with the registry status rejected.\n',
    });
  });
});

test('a list of a whole file is valid JSON in one line, whatever the number of pages', async () => {
  const address = await newMigratedDatabase('SQLite');
  await runHere(`product-passport demo fill --products 1203 --database ${address}`);
  const { stdout } = await runHere(`product-passport product list --tenant many --json --database ${address}`);
  const { items } = JSON.parse(stdout);
  expect(new Set(items.map(({ slug }: { slug: string }) => slug)).size).toBe(1203);
  expect(stdout.trim().split('\n')).toHaveLength(1);
  const table = await runHere(`product-passport product list --tenant many --database ${address}`);
  expect(table.stdout.trim().split('\n')).toHaveLength(1204);
});

test('--file - reads the slugs from standard input', async () => {
  const address = await newMigratedDatabase('SQLite');
  await runHere(`product-passport demo fill --products 8 --database ${address}`);
  const main = `${process.execPath} server/src/cli/main.ts product`;
  const options = `--tenant many --database ${address}`;
  const slugs = `${main} list --status active --json ${options} | grep -o '"slug":"[^"]*"' | cut -d'"' -f4`;
  const { code, stdout } = await run(`${slugs} | ${main} archive --file - ${options}`);
  const lines = stdout.trim().split('\n');
  expect({ code, lines: lines.length, last: lines.at(-1) }).toEqual({
    code: 0,
    lines: 5,
    last: '4 products were archived.',
  });
});

describe('templates', () => {
  test('list has every product group', async () => {
    const { code, stdout } = await runHere('product-passport template list --json');
    const { items } = JSON.parse(stdout);
    expect([code, items.length]).toEqual([0, 31]);
    expect(items).toContainEqual(
      expect.objectContaining({ key: 'cable', title: expect.objectContaining({ en: 'Cables' }) }),
    );
    const { stdout: text } = await runHere('product-passport template list');
    expect(text.trim().split('\n')).toHaveLength(32);
  });

  test.each([
    ['textile', 'fibre_composition list of { fibre: text, share: number, % }; share 0 to 100'],
    ['toy', 'primary_materials list of text or { part: text, material: text, share: number, % }; share 0 to 100'],
    ['motor', 'power_losses object of number, %; each at least 0'],
    ['motor', 'magnet_details object of { mass: number, location: text, material: text }; mass at least 0'],
    ['textile', 'certifications list of text'],
    ['textile', 'recycled_content_share 0 to 100'],
    ['tyre', 'wet_grip_class A, B, C, D, E'],
  ])('show of %s has the possible values: %s', async (group, line) => {
    const { stdout } = await runHere(`product-passport template show ${group}`);
    const [, table = ''] = stdout.split(/^FIELD +VALUES$/m);
    expect(table.split('\n').map((each) => each.replace(/ +/, ' '))).toContain(line);
  });

  test('show has the fields with label, type, requirement, access and source hint', async () => {
    const { fields } = templateOf('cable');
    const { stdout } = await runHere('product-passport template show cable');
    for (const { key, label, required, access_level, source } of fields) {
      const line = stdout.split('\n').find((each) => each.startsWith(`${key} `));
      expect(line).toMatch(new RegExp(` ${required ? 'yes' : 'no'} +${access_level} `));
      expect(line).toContain(`${label.en}  `);
      expect(line).toContain(source);
    }
    // The words of /docs/fields, not the names of types in the data.
    expect(stdout).toMatch(/^cable_length +number, m +/m);
    expect(stdout).toMatch(/^cable_type +one of the options +/m);
    expect(stdout).not.toMatch(/ (string|enum|country_code) /);
    const json = JSON.parse((await runHere('product-passport template show cable --json')).stdout);
    expect(json.fields).toHaveLength(fields.length);
    expect(await runHere('product-passport template show Cable')).toEqual({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('<group> is "Cable". List the product groups with'),
    });
  });
});
