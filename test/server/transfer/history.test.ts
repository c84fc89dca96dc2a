/** What an export carries of the history of passports, and what an import believes. */
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { tokenRoles } from '@product-passport/openapi';
import { withholdVersion } from '../../../server/src/passports/published-versions.ts';
import { unsetFields } from '../../../server/src/passports/write.ts';
import { lockProduct } from '../../../server/src/products/store.ts';
import { hideUnproven } from '../../../server/src/transfer/history.ts';
import { runHere } from '../../support/command.ts';
import { type DatabaseKind, databaseKinds, newDatabase, newMigratedDatabase } from '../../support/database.ts';
import { type AnyLine, newFolder, readLines, writeLines } from '../../support/files.ts';
import { type Client, startService } from '../../support/service.ts';

const folder = newFolder();
const site = { siteUrl: 'https://passport.example.com' };

/** A battery: version 1 in a draft, 4 is withheld, 6 removes the charge cycles. */
async function source(kind: DatabaseKind) {
  const address = await newMigratedDatabase(kind);
  const service = await startService(kind, { on: address, ...site });
  const client = await service.newTenant({ slug: 'shop' });
  await client.create({ name: 'Akku', slug: 'akku', product_group: 'battery' });
  for (const number of [2, 3, 4, 5]) {
    if (number === 3) await service.activate(client, 'akku');
    await client.write('akku', [
      { field_key: 'remaining_capacity', value: 20 - number, unit: 'Ah', access_level: 'restricted' },
      { field_key: 'charge_cycles', value: number, unit: 'cycle', access_level: 'restricted' },
      { field_key: 'state_measured_on', value: `2026-0${number}-01`, access_level: 'restricted' },
      { field_key: 'model_identifier', value: `M ${number}` },
    ]);
  }
  await service.database.transaction(async (transaction) => {
    const product = await lockProduct(transaction, client.tenant.id, 'akku');
    if (product) await withholdVersion(transaction, client.tenant.id, product, 4);
    await unsetFields(transaction, client.tenant, 'akku', ['charge_cycles']);
  });
  const tokens = ['', ...(await Promise.all(tokenRoles.map((role) => client.token(role))))];
  const file = join(folder, `${kind}.jsonl`);
  await runHere(`product-passport export --with-secrets --tenant shop --database ${address} ${file}`);
  return { address, client, file, tokens };
}

/** All that each role and the operator see, by address, without the page's own links. */
async function everything(client: Client, address: string, tokens: readonly string[]): Promise<Map<string, string>> {
  const seen = new Map<string, string>();
  const command = `product-passport passport history akku --json --tenant shop --database ${address}`;
  seen.set('operator', (await runHere(command)).stdout);
  for (const [index, token] of tokens.entries()) {
    for (const version of ['', 'version=1', 'version=2', 'version=3', 'version=4', 'version=5', 'version=6']) {
      const query = [version, token && `zugang=${token}`].filter(Boolean).join('&');
      const { status, text } = await client.call({ path: '/p/shop/akku/jsonld', query, key: null });
      seen.set(`${index} ${version}`, `${status} ${text}`);
    }
    const { text } = await client.call({
      path: '/p/shop/akku',
      query: `lang=en${token && `&zugang=${token}`}`,
      key: null,
    });
    seen.set(`${index} page`, text);
  }
  return seen;
}

const made = {} as Record<DatabaseKind, Awaited<ReturnType<typeof source>>>;

beforeAll(async () => {
  for (const kind of databaseKinds) made[kind] = await source(kind);
});

/** Imports lines into a database of its own. */
async function imported(kind: DatabaseKind, lines: AnyLine[] | string) {
  const address = await newMigratedDatabase(kind);
  let file = lines;
  if (typeof file !== 'string') {
    file = join(folder, `${kind}-${Math.random()}.jsonl`);
    await writeLines(file, lines as AnyLine[]);
  }
  const { code, stdout, stderr } = await runHere(`product-passport import ${file} --json --database ${address}`);
  expect([code, stderr.includes('older version')]).toEqual([0, JSON.parse(stdout).not_public_versions > 0]);
  const service = await startService(kind, { on: address, ...site });
  const { tenant } = made[kind].client;
  const client = service.clientOf({ ...made[kind].client, tenant } as Client);
  return { address, client, hidden: JSON.parse(stdout).not_public_versions as number };
}

const statuses = async (client: Client): Promise<number[]> => {
  const all = [1, 2, 3, 4, 5, 6].map(async (version) => {
    return (await client.call({ path: '/p/shop/akku/jsonld', query: `version=${version}`, key: null })).status;
  });
  return Promise.all(all);
};

describe.each(databaseKinds.flatMap((from) => databaseKinds.map((to) => [from, to] as const)))(
  'from %s to %s',
  (from, to) => {
    test('each role and the operator see the same bytes', async () => {
      const { address, client, file, tokens } = made[from];
      const before = await everything(client, address, tokens);
      expect(before.get('operator')).toContain('"version":2');
      expect(before.get('operator')).not.toContain('charge_cycles');
      const target = await imported(to, file);
      expect(target.hidden).toBe(0);
      expect(await everything(target.client, target.address, tokens)).toEqual(before);
      expect(await statuses(target.client)).toEqual([404, 200, 200, 404, 200, 200]);
      const checked = await runHere(`product-passport check-hashes --json --database ${target.address}`);
      expect(JSON.parse(checked.stdout)).toMatchObject({ older_versions: 5, versions_without_values: 0, problems: [] });
    });
  },
);

describe.each(databaseKinds)('an edited file on %s', (kind) => {
  type Replaced = { was_active?: boolean; values: { field_key: string; value?: { value: unknown } }[] };
  /** The file with what a version replaced changed. */
  async function edited(
    version: number,
    change: (replaced: Replaced) => void,
    file = made[kind].file,
  ): Promise<AnyLine[]> {
    const lines = await readLines(file);
    for (const line of lines.filter(({ type }) => type === 'history')) {
      const items = line.items as { version: number; replaced: Replaced }[];
      for (const item of items) if (item.version === version) change(item.replaced);
    }
    return lines;
  }

  test('a version whose hashes do not fit is not public; one before it that fits is', async () => {
    // Version 3 had this model.
    const lines = await edited(4, ({ values }) => {
      for (const { field_key, value } of values) if (field_key === 'model_identifier' && value) value.value = 'forged';
    });
    const { client, hidden } = await imported(kind, lines);
    expect([hidden, await statuses(client)]).toEqual([1, [404, 200, 404, 404, 200, 200]]);
  });

  test('a removal that is left out shows nothing', async () => {
    const lines = await edited(6, (replaced) => {
      replaced.values = [];
    });
    const { client, hidden } = await imported(kind, lines);
    // Version 5 replaced all fields, so that the versions before it fit again.
    expect(hidden).toBe(1);
    expect(await statuses(client)).toEqual([404, 200, 200, 404, 404, 200]);
  });

  test('a value under the name of another, and a value twice, are refused', async () => {
    const refused = async (change: (values: Replaced['values']) => void) => {
      const file = join(folder, `${kind}-${Math.random()}.jsonl`);
      await writeLines(file, await edited(6, ({ values }) => change(values)));
      const { code, stderr } = await runHere(
        `product-passport import ${file} --database ${await newMigratedDatabase(kind)}`,
      );
      expect(code).toBe(1);
      return stderr;
    };
    // The removed charge cycles would be readable again.
    const renamed = await refused(([first]) => {
      if (first) first.field_key = 'battery_status';
    });
    expect(renamed).toContain('replaced has a value with another field_key or locale than its own');
    const twice = await refused((values) => values.push(...values.slice(0, 1)));
    expect(twice).toContain('replaced has the same field_key and locale twice');
  });

  test('a version that does not say whether the product was active is not public', async () => {
    const lines = await edited(4, (replaced) => {
      delete replaced.was_active;
    });
    const { client, hidden } = await imported(kind, lines);
    expect([hidden, await statuses(client)]).toEqual([1, [404, 200, 404, 404, 200, 200]]);
  });

  test('a restore believes no more than an import', async () => {
    // A backup of SQLite has no lines.
    const backup = join(folder, `${kind}-backup.jsonl`);
    await runHere(`product-passport backup ${backup} --database ${made.PostgreSQL.address}`);
    const forged = await edited(4, (replaced) => void delete replaced.was_active, backup);
    for (const hidden of [0, 1]) {
      if (hidden > 0) await writeLines(backup, forged);
      const into = await newDatabase(kind);
      const { code, stdout, stderr } = await runHere(`product-passport restore ${backup} --json --database ${into}`);
      expect([code, stderr.includes('1 older version of passports is not public')]).toEqual([0, hidden > 0]);
      expect(JSON.parse(stdout).not_public_versions).toBe(hidden);
    }
  });

  type Item = { version: number; created_at: string; changed_at: string };
  test('a version before the first activation is not public, whatever it says', async () => {
    const whole = await readLines(made[kind].file);
    const changed = async (change: (line: AnyLine, items: Item[]) => void) => {
      const lines = structuredClone(whole);
      for (const line of lines) change(line, (line.items ?? []) as Item[]);
      return imported(kind, lines);
    };
    const draft = await changed((line) => {
      if (line.type !== 'product') return;
      const { product, passport } = line as AnyLine & Record<'product' | 'passport', { product?: object }>;
      for (const each of [product, passport.product ?? {}]) Object.assign(each, { status: 'draft' });
      line.activated_at = null;
    });
    expect(draft.hidden).toBe(4);
    const early = await changed(({ type }, items) => {
      // The one after version 2.
      for (const item of items)
        if (type === 'versions' && item.version === 3) item.created_at = '2020-01-01T00:00:00.000Z';
    });
    expect([early.hidden, await statuses(early.client)]).toEqual([1, [404, 404, 200, 404, 200, 200]]);
    // The time of an earlier import, because its GTIN was active under another tenant: the change of the status tells more.
    const moved = await changed((line) => {
      if (line.type === 'product') line.activated_at = '2099-01-01T00:00:00.000Z';
    });
    expect(moved.hidden).toBe(0);
  });

  test('what is collected is stored before it takes much memory', async () => {
    const service = await startService(kind);
    const { database } = service;
    const client = await service.newTenant({ language: 'en' });
    for (const slug of ['one', 'two']) {
      await client.create({ name: slug, slug });
      for (const value of ['a', 'b']) await client.write(slug, [{ field_key: 'note', value }]);
    }
    const { values } = await client.passport('two');
    const long = { ...values[0], value: 'x'.repeat(3_000_000) };
    const replaced = JSON.stringify({ was_active: true, values: [{ field_key: 'note', locale: 'en', value: long }] });
    const versions = database('passport_versions').where({ tenant_id: client.tenant.id });
    await versions.where('version', '>', 1).update({ replaced });
    const statements: string[] = [];
    database.on('query', ({ sql }: { sql: string }) => statements.push(sql));
    expect(await hideUnproven(database, client.tenant.id)).toBe(4);
    const kinds = statements.flatMap((sql) => /^(?:begin|update)/i.exec(sql)?.[0].toLowerCase() ?? []);
    const one = ['begin', 'update', 'update'];
    expect(kinds).toEqual([...one, ...one, 'begin']);
  });

  test('without its history no older version is public', async () => {
    const lines = (await readLines(made[kind].file)).filter(({ type }) => type !== 'history');
    const { client, hidden } = await imported(kind, lines);
    expect([hidden, await statuses(client)]).toEqual([5, [404, 404, 404, 404, 404, 200]]);
  });
});
