import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PassportValueInput } from '@product-passport/openapi';
import { createClient } from '../../sdk/src/index.ts';
import { openDatabase } from '../../server/src/index.ts';
import { runHere, serveHere } from './command.ts';
import { copyDatabase, type DatabaseKind, newMigratedDatabase } from './database.ts';
import { newFolder } from './files.ts';
import { halves } from './pictures.ts';

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
  await run('tenant operator shop 0088:9520001000003 --facility 0088:9520001000010');
  await run(`tenant legal shop ${pages.map((name) => `--${name} https://shop.example/${name}`).join(' ')}`);
  await run('tenant open-list shop');
  const { key = '' } = await run('key create --tenant shop --publish');

  const options = '--port 0 --site-url https://passport.shop.example --urn-namespace acme --rate-limit 1000';
  const server = await serveHere(`product-passport serve --json --database ${address} ${options}`, /\}\n$/);
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

  await leaveUnfinished(address);
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
  const { slug } = await products.create({ name: 'Wool Hat Red 1' });
  await passports.put(slug, [{ field_key: 'colr', value: 'rot' }]);
  await products.setStatus(slug, { status: 'active', accept_findings: true });
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
  const note = { field_key: 'note', value: 'Ω', unit: 'kg', needs_review: true };
  await writeFile(file, JSON.stringify([note, { field_key: 'manufacturer_addres', value: 'Wien' }]));
  await run(`passport set ${lamp} ${file} --tenant shop --own manufacturer_addres`);
  await run(`product activate ${lamp} --tenant shop`);
  await run(`version withhold ${lamp} 2 --yes --tenant shop`);
  await run(`product image set ${lamp} ${picture} --tenant shop --alt 'Lampe aus Glas'`);
  for (const status of ['ready', 'submitted', 'registered --registry-id R-1']) {
    await run(`registry set ${lamp} ${status} --tenant shop`);
  }
  const { id } = await run(`carrier add ${lamp} --type nfc --nfc-tag-uid 04a1b2c3d4e5f6 --tenant shop`);
  await run(`carrier deprecate ${id} --tenant shop`);
}

/** Leaves what a killed `item set` leaves. */
async function leaveUnfinished(address: string): Promise<void> {
  const database = await openDatabase(address);
  try {
    const value = {
      ...{ field_key: 'manufacturer_name', value: 'Leuchten SE', unit: null, source: 'import', access_level: 'public' },
      ...{ is_unknown: false, needs_review: false, locale: 'fr', updated_at: new Date().toISOString() },
    };
    const unfinished = JSON.stringify({ old: [{ ...value, value: 'Leuchten AG' }], new: [value], open: [] });
    await database('products').where({ slug: lamp }).update({ unfinished });
  } finally {
    await database.destroy();
  }
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
