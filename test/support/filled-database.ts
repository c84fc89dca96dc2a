import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import type { PassportValueInput } from '@product-passport/openapi';
import { createClient } from '../../sdk/src/index.ts';
import { optionOf, type SettingName } from '../../server/src/config/settings.ts';
import type { InstallationName } from '../../server/src/database/installation.ts';
import { runHere, serveHere } from './command.ts';
import { copyDatabase, type DatabaseKind, newMigratedDatabase } from './database.ts';
import { newFolder } from './files.ts';
import { halves } from './pictures.ts';
import type { Tables } from './generated/tables.ts';

const site = 'https://passport.shop.example';

/** Every setting of `serve`, each with another value than its default where the default could hide a mistake. */
const settings: Record<Exclude<SettingName, 'database'>, string> = {
  port: '0',
  host: '127.0.0.1',
  adminPort: '0',
  adminHost: '127.0.0.1',
  siteUrl: site,
  trustProxy: '1',
  databaseWait: '10s',
  databasePool: '4',
  statementTimeout: '20s',
  lockTimeout: '10s',
  rateLimit: '1000',
  publicRateLimit: '1000',
  maxConnections: '100',
  maxRequests: '100',
  keepAlive: '70s',
  headTimeout: '30s',
  bodyTimeout: '20s',
  tenantWrites: '8',
  countScans: 'true',
  keepScans: '400',
  urnNamespace: 'acme',
  redirectStatus: '302',
  drainDelay: '1ms',
  stopTimeout: '5s',
  logLevel: 'debug',
  logPublicSample: '0.5',
};

const gtin = '4006381333931';
const lamp = 'lampe-ss-9';

/** A value with something in every column. */
const mass = {
  field_key: 'mass',
  value: 7,
  unit: 'kg',
  source: 'supplier',
  access_level: 'restricted',
  is_unknown: true,
  needs_review: true,
} as const satisfies PassportValueInput;

/** Cells that are not `null`. */
type Filled<Row> = { [Column in keyof Row]-?: NonNullable<unknown> };

const id = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const date = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
const secret = expect.stringMatching(/^[\w-]{43}$/);
const removal = expect.stringMatching(/^\{"was_active":true,"values":\[\{"field_key":"colr","locale":"fr","value":\{/);
const ofProduct = { tenant_id: id, product_id: id };

const installation: Record<InstallationName, NonNullable<unknown>> = {
  scan_secret: secret,
  scans_deleted_at: time,
  site_url: site,
};

/**
 * A row of each table in which every column has a value that the program wrote. A new column does not compile until it has
 * one here, and the tests do not pass until a step below makes it.
 */
export const filledRows: { [Table in keyof Tables]: Filled<Tables[Table]>[] } = {
  access_tokens: [
    { ...ofProduct, id, role: 'recycler', kid: id, created_at: time, expires_at: time, revoked_at: time },
  ],
  api_keys: [
    { tenant_id: id, id, label: 'old till', hash: sha256, created_at: time, revoked_at: time, last_used_at: time },
  ],
  audit_entries: [
    {
      ...{ id, time, command: 'demo fill', os_user: expect.stringMatching(/./), version: expect.stringMatching(/^\d/) },
      ...{ arguments: '["--products","12","--values","3","--scan-counts","40","--tenant","shop"]', changes: 1 },
    },
  ],
  carriers: [{ ...ofProduct, id, type: 'nfc', nfc_tag_uid: '04A1B2C3D4E5F6', status: 'deprecated', created_at: time }],
  installation: Object.entries(installation).map(([name, value]) => ({ name, value })),
  passport_values: [
    {
      ...{ ...ofProduct, ...mass, value: '7', locale: 'fr', is_unknown: 1, needs_review: 1, updated_at: time },
    },
  ],
  passport_versions: [
    ...['{"was_active":false,"values":[{"field_key":"note","locale":"fr"}]}', removal].map((replaced) => ({
      ...{ ...ofProduct, version: 3, template_version: expect.any(Number), content_hash: sha256, public_hash: sha256 },
      ...{ salt: expect.stringMatching(/^[0-9a-f]{32}$/), created_at: time, replaced },
    })),
  ],
  product_counts: [{ tenant_id: id, draft: 3, active: 8, archived: 3, number: expect.any(Number) }],
  product_images: [
    {
      ...{ ...ofProduct, sha256, media_type: 'image/webp', width: 600, height: 400, alt: 'Lampe aus Glas' },
      ...{ created_at: time, bytes: expect.any(Buffer) },
    },
  ],
  products: [
    {
      ...{ tenant_id: id, id, position: 14, slug: lamp, name: 'Lampe ß 9', name_folded: 'lampe ss 9' },
      ...{ status: 'active', gtin, gtin14: `0${gtin}`, product_group: 'lighting', model: 'L 1', completeness: 12 },
      ...{ registry_status: 'registered', registry_id: 'R-1', unique_product_identifier: `urn:acme:shop:${lamp}` },
      ...{ serial_number: 'L/9', withheld_versions: '[2]', activated_at: time, created_at: time, updated_at: time },
    },
  ],
  scan_counts: [{ ...ofProduct, date, role: 'inspector', count: 2 }],
  scan_days: [{ tenant_id: id, date, role: 'inspector', count: 2 }],
  scans: [{ ...ofProduct, id, scanned_at: time, role: 'inspector', visitor_hash: sha256 }],
  tenants: [
    {
      ...{
        id,
        slug: 'shop',
        name: 'Laden GmbH',
        country: 'AT',
        language: 'fr',
        plan: 'business',
        color: '#46490f',
        created_at: time,
      },
      ...{ imprint_url: 'https://shop.example/imprint', privacy_url: 'https://shop.example/privacy' },
      ...{ accessibility_url: 'https://shop.example/accessibility', contact_url: 'https://shop.example/contact' },
      ...{
        listed_at: time,
        scans_off_at: time,
        logo_sha256: sha256,
        logo_width: 600,
        logo_height: 400,
        logo_bytes: expect.any(Buffer),
      },
    },
  ],
  token_secrets: [{ kid: id, value: secret, created_at: time, accepted_until: time }],
};

interface FilledDatabase {
  address: string;
  /** An API key of the tenant `shop`. */
  key: string;
}

const made = new Map<DatabaseKind, Promise<FilledDatabase>>();

/** An installation in which every column of every table has a value: a copy that the test may change. */
export async function filledDatabase(kind: DatabaseKind): Promise<FilledDatabase> {
  const whole = made.get(kind) ?? make(kind);
  made.set(kind, whole);
  const { address, key } = await whole;
  return { address: await copyDatabase(kind, address), key };
}

/** Runs a command that must succeed, and returns the JSON that it prints. */
type Run = (line: string) => Promise<Record<string, string>>;

async function make(kind: DatabaseKind): Promise<FilledDatabase> {
  const address = await newMigratedDatabase(kind);
  const folder = newFolder();
  const run: Run = async (line) => {
    const { code, stdout, stderr } = await runHere(`product-passport ${line} --json --database ${address}`);
    if (code !== 0) throw new Error(`${line} ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  };

  const picture = join(folder, 'lamp.png');
  await writeFile(picture, await halves(600, 400).png().toBuffer());
  await run("tenant create shop --name 'Laden GmbH' --country AT --language fr --plan business");
  await run('demo fill --tenant shop --products 12 --values 3 --scan-counts 40');
  await run(`tenant brand shop --color olive --logo ${picture}`);
  const pages = ['imprint', 'privacy', 'accessibility', 'contact'];
  await run(`tenant legal shop ${pages.map((name) => `--${name} https://shop.example/${name}`).join(' ')}`);
  await run('tenant open-list shop');
  const { key = '' } = await run('key create --tenant shop');

  const options = Object.entries(settings).map(([name, value]) => `${optionOf(name as SettingName)} ${value}`);
  const server = await serveHere(`product-passport serve --json --database ${address} ${options.join(' ')}`, /\}\n$/);
  try {
    const started = server
      .logged()
      .split('\n')
      .find((line) => line.includes('server started'));
    const local = JSON.parse(started ?? '{}').address;
    await useServer(local, key, run);
    await changeLamp(run, { folder, picture });
    await visitLamp(local, run);
  } finally {
    // Stores when keys were last used.
    await server.stop();
  }

  await run('tenant create other --name Andere --country DE');
  await run(`product create lamp --name Lampe --gtin ${gtin} --tenant other`);
  await run('product activate lamp --share-gtin --tenant other');
  await run('scan confirm-clock');
  await run('tenant scans shop off');
  return { address, key };
}

/** Creates two products, removes a value of one, and revokes a key that was used. */
async function useServer(local: string, key: string, run: Run): Promise<void> {
  const clientWith = (apiKey: string) => createClient({ baseUrl: `${local}/api/v1`, apiKey });
  const { products, passports } = clientWith(key);
  const { slug } = await products.create({ name: 'Wollmütze rot 1' });
  await passports.put(slug, [{ field_key: 'colr', value: 'rot' }]);
  await run(`product activate ${slug} --tenant shop`);
  await run(`passport unset ${slug} colr --tenant shop --yes`);
  await products.create({ name: 'Lampe ß 9', gtin, product_group: 'lighting', model: 'L 1' });
  await passports.put(lamp, [
    { field_key: 'colour', value: { a: [1, null, 'x'] }, access_level: 'authority' },
    { field_key: 'manufacturer_name', value: 'Leuchten AG' },
    { field_key: 'serial_number', value: 'L/9' },
    mass,
  ]);
  const old = await run("key create --tenant shop --label 'old till'");
  await clientWith(old.key ?? '').me.get();
  await run(`key revoke ${old.id} --tenant shop`);
}

async function changeLamp(run: Run, { folder, picture }: { folder: string; picture: string }): Promise<void> {
  const file = join(folder, 'values.json');
  await writeFile(file, JSON.stringify([{ field_key: 'note', value: 'Ω', unit: 'kg', needs_review: true }]));
  await run(`passport set ${lamp} ${file} --tenant shop`);
  await run(`product activate ${lamp} --tenant shop`);
  await run(`version withhold ${lamp} 2 --yes --tenant shop`);
  await run(`product image set ${lamp} ${picture} --tenant shop --alt 'Lampe aus Glas'`);
  for (const status of ['ready', 'submitted', 'registered --registry-id R-1']) {
    await run(`registry set ${lamp} ${status} --tenant shop`);
  }
  const { id } = await run(`carrier add ${lamp} --type nfc --nfc-tag-uid 04a1b2c3d4e5f6 --tenant shop`);
  await run(`carrier deprecate ${id} --tenant shop`);
}

/** Opens the page of the lamp in every role, with tokens that two secrets sign. */
async function visitLamp(local: string, run: Run): Promise<void> {
  const one = await run(`token create ${lamp} --role recycler --tenant shop`);
  const all = await run('token create --all --role inspector --tenant shop');
  for (const query of ['', `?zugang=${one.token}`, `?zugang=${all.token}`, `?zugang=${all.token}`]) {
    const { status } = await fetch(`${local}/p/shop/${lamp}${query}`);
    if (status !== 200) throw new Error(`The page of the lamp has the status ${status}.`);
  }
  await run(`token revoke ${one.id} --tenant shop`);
  await run('token rotate-secret');
  await run('token create --all --role recycler --days 30 --tenant shop');
}
