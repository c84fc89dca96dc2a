import { beforeAll, describe, expect, test } from '@jest/globals';
import { decodeProtectedHeader, SignJWT } from 'jose';
import { rotateSecret } from '../../../server/src/access/secrets.ts';
import { revokeToken, walkTokens } from '../../../server/src/access/token.ts';
import { openDatabase } from '../../../server/src/index.ts';
import { type Database, databaseKinds, newMigratedDatabase } from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { type Client, type Service, startService, useService } from '../../support/service.ts';
import { newToken } from '../../support/tenant.ts';

const day = 86_400_000;
const values = [
  { field_key: 'color', value: 'moss' },
  { field_key: 'disassembly', value: 'Torx 10', access_level: 'restricted' },
  { field_key: 'notified_body', value: 'Body 0197', access_level: 'authority' },
];

describe.each(databaseKinds)('access tokens in %s', (kind) => {
  let now = new Date('2026-11-20T12:00:00.000Z');
  const service = useService(kind, { now: () => now });
  let client: Client;
  let other: Client;
  let productId = '';

  beforeAll(async () => {
    client = await service.newTenant();
    other = await service.newTenant();
    for (const owner of [client, other]) {
      const { slug } = await owner.create('Kaffeemühle');
      await owner.write(slug, values);
      await service.activate(owner, slug);
    }
    await client.create('Entwurf');
    productId = (await client.product('kaffeemuehle')).id;
  });

  async function token(
    { tenant }: Client,
    role: 'recycler' | 'inspector',
    { product = null, days = 1 }: { product?: string | null; days?: number } = {},
  ): Promise<{ id: string; token: string }> {
    const expiresAt = new Date(now.getTime() + days * day);
    return newToken(service.database, tenant, role, { product, expiresAt, now });
  }

  /** The field keys that the page and the JSON-LD show for a query. Both must show the same. */
  async function seen(query: string, owner = client): Promise<{ keys: string[]; notice: boolean }> {
    const path = `/p/${owner.tenant.slug}/kaffeemuehle`;
    const page = await owner.call({ path, query, key: null });
    const document = await owner.call({ path: `${path}/jsonld`, query, key: null });
    expect([page.status, document.status]).toEqual([200, 200]);
    for (const { headers } of [page, document])
      expect(headers['cache-control']).toBe(query.includes('zugang') ? 'private, no-store' : 'no-cache');
    expect(page.headers['referrer-policy']).toBe('no-referrer');
    expect(document.headers['referrer-policy']).toBe(query.includes('zugang') ? 'no-referrer' : undefined);
    const keys = values.map(({ field_key }) => field_key).filter((key) => document.text.includes(key));
    for (const { field_key, value } of values) {
      const shown = keys.includes(field_key);
      expect([field_key, page.text.includes(field_key), page.text.includes(value)]).toEqual([field_key, shown, shown]);
      expect([field_key, document.text.includes(value)]).toEqual([field_key, shown]);
    }
    return { keys, notice: page.text.includes('not valid') };
  }

  const refused = { keys: ['color'], notice: true };
  const recyclerView = { keys: ['color', 'disassembly'], notice: false };

  test('a database that fails while a token is checked is an error, and never the view of an invalid token', async () => {
    const query = `zugang=${(await token(client, 'recycler')).token}`;
    const path = `/p/${client.tenant.slug}/kaffeemuehle`;
    for (const table of ['token_secrets', 'access_tokens']) {
      await service.database.schema.renameTable(table, 'away');
      const replies = await Promise.all(
        [path, `${path}/jsonld`].map((each) => client.call({ path: each, query, key: null })),
      );
      await service.database.schema.renameTable('away', table);
      for (const { status, text } of replies) {
        expect([table, status]).toEqual([table, 500]);
        expect(text).not.toMatch(/moss|not valid|dpp:notice/);
      }
      expect(await seen(query)).toEqual(recyclerView);
    }
  });

  /** A token in the server's format with other claims or another header, signed with the current secret. */
  async function forged(claims: object, header: object = {}, by?: Uint8Array): Promise<string> {
    const { kid, key } = await signingSecret();
    const protectedHeader = { alg: 'HS256', typ: 'passport-access+jwt', kid, ...header };
    return new SignJWT({ ...claims }).setProtectedHeader(protectedHeader).sign(by ?? key);
  }

  async function signingSecret(): Promise<{ kid: string; key: Buffer }> {
    const { kid, value } = await service.database('token_secrets').whereNull('accepted_until').first('kid', 'value');
    return { kid, key: Buffer.from(value, 'base64url') };
  }

  /** The last character of 32 bytes in Base64url, with another of the two bits that it does not need. */
  function withUnusedBit(last: string): string {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    return alphabet.charAt(alphabet.indexOf(last) ^ 1);
  }

  const afterDays = (days: number) => Math.floor(now.getTime() / 1000) + days * 86_400;

  test('PUB-3 an invalid access token shows no more values', async () => {
    const { token: good, id } = await token(client, 'recycler');
    const [header = '', payload = '', signature = ''] = good.split('.');
    const claims = { ten: client.tenant.id, role: 'recycler', jti: id, exp: afterDays(1) };
    const none = Buffer.from(JSON.stringify({ alg: 'none', typ: 'passport-access+jwt' })).toString('base64url');
    const wrong = [
      '',
      'x',
      '..',
      'a'.repeat(5000),
      '%00',
      `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
      `${none}.${payload}.`,
      `${header}.${Buffer.from(JSON.stringify({ ...claims, exp: 4e9 })).toString('base64url')}.${signature}`,
      await forged(claims, { typ: 'JWT' }),
      await forged(claims, { typ: undefined }),
      await forged(claims, {}, Buffer.alloc(32)),
      await forged({ ...claims, jti: 'unknown' }),
      await forged({ ...claims, jti: '01a1ffd5-104f-74ed-89c4-e2044e1c6bcb' }),
      await forged({ ...claims, jti: { id } }),
      await forged({ ...claims, jti: '\0' }),
      await forged({ ...claims, jti: undefined }),
      await forged({ ...claims, ten: undefined }),
      `${good}&zugang=${good}`,
      // Only the token as it was issued.
      ...['%20', '%0A', '%09', '=', '%3D', '.'].flatMap((more) => [`${good}${more}`, `${more}${good}`]),
      `${header}=.${payload}.${signature}`,
      `${good.slice(0, -1)}${withUnusedBit(good.at(-1) ?? '')}`,
    ];
    for (const zugang of wrong) expect([zugang, await seen(`zugang=${zugang}`)]).toEqual([zugang, refused]);
    expect(await seen(`zugang=${await forged(claims)}`)).toEqual(recyclerView);
  });

  test.each([
    ['an unknown id', 'unknown'],
    ['null', null],
    ['an object', { kid: 'x' }],
    ['NUL', '\0'],
    ['a lone surrogate', '\ud800'],
    ['a long text', 'k'.repeat(1000)],
  ])('PUB-3 a token with the right secret and an invalid kid shows no more values: %s', async (_what, kid) => {
    const { id } = await token(client, 'recycler');
    const zugang = await forged({ ten: client.tenant.id, role: 'recycler', jti: id, exp: afterDays(1) }, { kid });
    expect(await seen(`zugang=${zugang}`)).toEqual(refused);
  });

  describe('PUB-3 the stored token decides, not the claims of a token forged with the right secret:', () => {
    const claimsOf = ({ id }: { id: string }, claims: object = {}) => ({
      ten: client.tenant.id,
      role: 'recycler',
      jti: id,
      exp: afterDays(1),
      ...claims,
    });

    test.each(['inspector', 'authority', 'consumer', '__proto__', undefined])('the role %s', async (role) => {
      const zugang = await forged(claimsOf(await token(client, 'recycler'), { role }));
      expect(await seen(`zugang=${zugang}`)).toEqual(recyclerView);
    });

    test('the product', async () => {
      const draft = (await client.product('entwurf')).id;
      const ofAnother = await token(client, 'inspector', { product: draft });
      for (const prd of [undefined, productId, null])
        expect(await seen(`zugang=${await forged(claimsOf(ofAnother, { prd }))}`)).toEqual(refused);
      for (const product of [productId, null]) {
        const zugang = await forged(claimsOf(await token(client, 'recycler', { product }), { prd: draft }));
        expect(await seen(`zugang=${zugang}`)).toEqual(recyclerView);
      }
    });

    test('the expiry, and a revocation', async () => {
      const made = await token(client, 'recycler');
      const before = now;
      try {
        for (const exp of [afterDays(3650), afterDays(-1), undefined]) {
          const zugang = await forged(claimsOf(made, { exp, nbf: afterDays(1) }));
          now = new Date(before.getTime() + day - 1);
          expect(await seen(`zugang=${zugang}`)).toEqual(recyclerView);
          now = new Date(before.getTime() + day);
          expect(await seen(`zugang=${zugang}`)).toEqual(refused);
          now = before;
        }
      } finally {
        now = before;
      }
      await revokeToken(service.database, client.tenant.id, made.id, now);
      expect(await seen(`zugang=${await forged(claimsOf(made, { exp: afterDays(3650) }))}`)).toEqual(refused);
    });

    test('the tenant', async () => {
      const foreign = await token(other, 'inspector');
      expect(await seen(`zugang=${await forged(claimsOf(foreign))}`)).toEqual(refused);
      const own = await token(client, 'inspector');
      expect(await seen(`zugang=${await forged(claimsOf(own, { ten: other.tenant.id }))}`)).toEqual(refused);
    });
  });
});

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
    const databases = servers.map((server) => server.database);
    for (let round = 0; round < 5; round += 1) {
      const work = databases.flatMap((by) => [make(1, by), rotateSecret(by, { revokeOld: false }, now), make(1, by)]);
      const made = (await Promise.all(work)).flatMap((each) => ('token' in each ? [each.token] : []));
      expect(made).toHaveLength(4);
      for (const token of made) expect(await opens(token)).toBe('recycler');
    }
    expect(await database('token_secrets').whereNull('accepted_until')).toHaveLength(1);
  });
});
