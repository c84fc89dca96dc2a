import { beforeAll, describe, expect, test } from '@jest/globals';
import type { AuditEntry } from '../../../server/src/audit/store.ts';
import { connect } from '../../../server/src/database/connection.ts';
import { type Outcome, runHere, serveHere } from '../../support/command.ts';
import { databaseKinds, newDatabase, newMigratedDatabase } from '../../support/database.ts';

/** The forms of a key, an access token and a token in an address. None of them may be stored. */
const canary = {
  key: `ppk_${'CanaryKey'.repeat(5).slice(0, 43)}`,
  token: 'eyJhbGciOiJIUzI1NiJ9.eyJjYW5hcnkiOjF9.c2lnbmF0dXJl',
};

describe.each(databaseKinds)('the audit trail on %s', (kind) => {
  let address = '';

  beforeAll(async () => {
    address = await newMigratedDatabase(kind);
  });

  function command(line: string): Promise<Outcome> {
    return runHere(`product-passport ${line}`, { PRODUCT_PASSPORT_DATABASE: address });
  }

  async function trail(options = ''): Promise<{ items: AuditEntry[]; next: string | null }> {
    const { code, stdout, stderr } = await command(`audit --json ${options}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  test('has no key, token or database address, even if somebody typed one', async () => {
    await command("tenant create shop --name 'My Shop' --country DE");
    const { key } = JSON.parse((await command('key create --tenant shop --label till --json')).stdout);
    const made = await command('token create --all --tenant shop --role inspector --json');
    const { token } = JSON.parse(made.stdout);
    const database = connect(address);
    const rows = await Promise.all(['audit_entries', 'api_keys', 'access_tokens'].map((table) => database(table)));
    await database.destroy();
    for (const secret of [key, token]) expect(JSON.stringify(rows)).not.toContain(secret);
    await command(`key create --tenant shop --label 'old key ${canary.key}'`);
    await command(`key create --tenant shop --label ${canary.token}`);
    await command(`key create --tenant shop --label https://shop.example/p/a/b?zugang=canary-zugang`);
    await command(`key create --tenant shop --label postgres://me:canary-password@host/shop`);
    const { stdout } = await command('audit');
    for (const text of [JSON.stringify((await trail()).items), stdout]) {
      for (const secret of [canary.key, canary.token, 'canary-zugang', 'canary-password', address]) {
        expect(text).not.toContain(secret);
      }
    }
    const [last] = (await trail('--limit 1')).items;
    expect(last?.arguments).toEqual(['--tenant', 'shop', '--label', 'postgres://***@host/shop']);
    expect(Date.now() - Date.parse(last?.time ?? '')).toBeLessThan(60_000);
  });

  test('has pages, and a start', async () => {
    const { items } = await trail('--limit 200');
    const first = await trail('--limit 2');
    expect(first.items).toEqual(items.slice(0, 2));
    const second = await trail(`--limit 2 --before ${first.next}`);
    expect(second.items).toEqual(items.slice(2, 4));
    const since = items[1]?.time ?? '';
    expect((await trail(`--since ${since}`)).items).toEqual(items.filter(({ time }) => time >= since));
    expect(await trail('--since 2999-01-01')).toEqual({ items: [], next: null });
    expect((await trail('--since 2020-01-01 --limit 200')).items).toEqual(items);
    const page = await command('audit --limit 1');
    const more = / `(product-passport audit [^`]+)`/.exec(page.stdout)?.[1] ?? '';
    expect((await runHere(more, { PRODUCT_PASSPORT_DATABASE: address })).stdout).toContain(
      items[1]?.time.replace(/\.\d+/, '') ?? 'none',
    );
  });

  test('is written in the transaction of the change: if it fails, nothing is changed', async () => {
    const database = connect(address);
    try {
      await database.schema.renameTable('audit_entries', 'gone');
      const outcome = await command("tenant create unseen --name 'Unseen' --country DE");
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
    } finally {
      await database.schema.renameTable('gone', 'audit_entries');
      await database.destroy();
    }
    expect((await command('tenant list --json')).stdout).not.toContain('unseen');
  });
});

test('a start with --demo that fills the database is an entry; the next one shows no key', async () => {
  const address = await newDatabase('SQLite');
  const line = `product-passport serve --demo --json --port 0 --database ${address}`;
  let said = '';
  for (const _start of ['fills the database', 'finds it filled']) {
    const server = await serveHere(line, /\}\n/);
    said = server.said();
    await server.stop();
  }
  const { tenants, revoked_api_key } = JSON.parse(said);
  const slugs = ['skellig', 'nordlicht', 'atelier-lumiere'];
  expect([tenants, revoked_api_key]).toEqual([slugs.map((slug) => ({ slug, api_key: null })), null]);
  const { stdout } = await runHere(`product-passport audit --json --database ${address}`);
  expect(JSON.parse(stdout).items).toMatchObject([
    { command: 'serve', arguments: ['--port', '0', '--demo'], changes: 1 },
  ]);
});
