import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { rotateSecret } from '../../../server/src/access/secrets.ts';
import { walkTokens } from '../../../server/src/access/store.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { type Client, type Service, startService } from '../../support/service.ts';
import { newToken } from '../../support/tenant.ts';

const day = 86_400_000;

describe.each(databaseKinds)('the secrets of access tokens in %s', (kind) => {
  let now = new Date('2026-11-20T12:00:00.000Z');
  /** Two servers over one database, and the connection of a third process. */
  let servers: Service[] = [];
  let client: Client;
  let database: Database;
  const slug = 'kaffeemuehle';

  beforeAll(async () => {
    const address = await newMigratedDatabase(kind);
    for (const _ of [1, 2]) servers = [...servers, await startService(kind, { on: address, now: () => now })];
    database = await openDatabase(address);
    ending.defer(() => database.destroy());
    const [server] = servers;
    if (!server) throw new Error('No server was started.');
    client = await server.newTenant();
    await addProduct(server, client);
  });

  async function addProduct(server: Service, owner: Client): Promise<void> {
    await owner.create('Kaffeemühle');
    await owner.write(slug, [{ field_key: 'disassembly', value: 'Torx 10', access_level: 'restricted' }]);
    await server.activate(owner, slug);
  }

  function make(days = 1, by = database) {
    return newToken(by, client.tenant, 'recycler', { expiresAt: new Date(now.getTime() + days * day), now });
  }

  /** The view that an access token opens: `recycler`, or `consumer` with the notice. All servers agree. */
  async function opens(zugang: string): Promise<string> {
    const seen = new Set<string>();
    for (const server of servers) {
      const path = `/p/${client.tenant.slug}/${slug}`;
      const { status, text } = await server.clientOf(client).call({ path, query: { zugang }, key: null });
      expect(status).toBe(200);
      expect(text.includes('disassembly')).toBe(!text.includes('not valid'));
      seen.add(text.includes('disassembly') ? 'recycler' : 'consumer');
    }
    return [...seen].join(' or ');
  }

  const kidOf = (token: string) => decodeProtectedHeader(token).kid ?? '';

  async function at<Result>(moment: Date, work: () => Promise<Result>): Promise<Result> {
    const before = now;
    now = moment;
    try {
      return await work();
    } finally {
      now = before;
    }
  }

  /** An access token with this id, signed with the stored secret `by` but naming another. */
  async function forge(id: string, { by, kid }: { by: string; kid: string }): Promise<string> {
    const { value } = await database('token_secrets').where({ kid: by }).first('value');
    return new SignJWT({ ten: client.tenant.id, role: 'recycler', jti: id })
      .setProtectedHeader({ alg: 'HS256', typ: 'passport-access+jwt', kid })
      .setExpirationTime('1y')
      .sign(Buffer.from(value, 'base64url'));
  }

  test('PUB-3 a rotation signs new tokens with the new secret; older tokens work until they expire', async () => {
    const old = await make(2);
    const shorter = await make(1);
    const rotated = await rotateSecret(database, { revokeOld: false }, now);
    const fresh = await make(3);
    expect(kidOf(old.token)).toBe(kidOf(shorter.token));
    expect(kidOf(fresh.token)).toBe(rotated.kid);
    expect(kidOf(fresh.token)).not.toBe(kidOf(old.token));
    expect(rotated).toEqual({
      kid: rotated.kid,
      created_at: now.toISOString(),
      old_secrets: [{ kid: kidOf(old.token), created_at: expect.any(String), accepted_until: old.expires_at }],
      revoked_tokens: 0,
    });
    for (const { token } of [old, shorter, fresh]) expect(await opens(token)).toBe('recycler');
    await at(new Date(Date.parse(old.expires_at) - 1), async () => {
      expect(await opens(shorter.token)).toBe('consumer');
      expect(await opens(old.token)).toBe('recycler');
    });
    await at(new Date(old.expires_at), async () => {
      expect(await opens(old.token)).toBe('consumer');
      expect(await opens(fresh.token)).toBe('recycler');
    });
  });

  test('PUB-3 a secret verifies only its own tokens', async () => {
    const old = await make();
    const { kid: fresh } = await rotateSecret(database, { revokeOld: false }, now);
    const young = await make();
    expect(await opens(await forge(old.id, { by: old.kid, kid: old.kid }))).toBe('recycler');
    expect(await opens(await forge(young.id, { by: fresh, kid: fresh }))).toBe('recycler');
    // A leaked old secret cannot verify the id of a newer token.
    expect(await opens(await forge(young.id, { by: old.kid, kid: old.kid }))).toBe('consumer');
    expect(await opens(await forge(young.id, { by: old.kid, kid: fresh }))).toBe('consumer');
    expect(await opens(await forge(old.id, { by: fresh, kid: fresh }))).toBe('consumer');
    expect(await opens(await forge(old.id, { by: fresh, kid: old.kid }))).toBe('consumer');
  });

  test('an old secret expires with its last valid token, and the next rotation deletes it', async () => {
    const { token, kid, expires_at, id } = await make();
    await rotateSecret(database, { revokeOld: false }, now);
    const later = new Date(Date.parse(expires_at) + day).toISOString();
    await database('access_tokens').where({ id }).update({ expires_at: later });
    await at(new Date(Date.parse(expires_at) - 1), async () => expect(await opens(token)).toBe('recycler'));
    await at(new Date(expires_at), async () => expect(await opens(token)).toBe('consumer'));
    await database('access_tokens').where({ id }).update({ expires_at });

    const next = await at(new Date(expires_at), () => rotateSecret(database, { revokeOld: false }, now));
    expect(next.old_secrets.map((each) => each.kid)).not.toContain(kid);
    expect(await database('token_secrets').where({ kid })).toEqual([]);
  });

  test('PUB-3 revokeOld rejects every older token from the next request on, on every server', async () => {
    const first = await make();
    await rotateSecret(database, { revokeOld: false }, now);
    const second = await make();
    const stolen = [await forge(first.id, { by: first.kid, kid: first.kid }), first.token, second.token];
    for (const token of stolen) expect(await opens(token)).toBe('recycler');
    const valid = await database('access_tokens').whereNull('revoked_at').where('expires_at', '>', now.toISOString());

    const rotated = await rotateSecret(database, { revokeOld: true }, now);
    for (const token of stolen) expect(await opens(token)).toBe('consumer');
    expect(rotated).toEqual({
      kid: rotated.kid,
      created_at: now.toISOString(),
      old_secrets: [],
      revoked_tokens: valid.length,
    });
    expect(await database('token_secrets').pluck('kid')).toEqual([rotated.kid]);
    const { value: listed = [] } = await walkTokens(database, client.tenant.id).next();
    expect(listed.find(({ id }) => id === second.id)?.revoked_at).toBe(now.toISOString());
    expect(await opens((await make()).token)).toBe('recycler');
  });

  test('PUB-3 tokens of a deleted secret stop working, even if their rows are valid', async () => {
    const { token, kid } = await make();
    const row = await database('token_secrets').where({ kid }).first();
    await database('token_secrets').where({ kid }).delete();
    expect(await opens(token)).toBe('consumer');
    await database('token_secrets').insert(row);
    expect(await opens(token)).toBe('recycler');
  });

  test('a token created during a rotation is valid', async () => {
    const beside = servers.map((server) => server.database);
    for (let round = 0; round < 5; round += 1) {
      const work = beside.flatMap((by) => [make(1, by), rotateSecret(by, { revokeOld: false }, now), make(1, by)]);
      const made = (await Promise.all(work)).flatMap((each) => ('token' in each ? [each.token] : []));
      expect(made).toHaveLength(4);
      for (const token of made) expect(await opens(token)).toBe('recycler');
    }
    expect(await database('token_secrets').whereNull('accepted_until')).toHaveLength(1);
  });
});
