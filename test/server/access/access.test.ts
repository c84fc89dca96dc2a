import { beforeAll, describe, expect, test } from '@jest/globals';
import { SignJWT } from 'jose';
import { revokeToken } from '../../../server/src/access/store.ts';
import { databaseKinds } from '../../support/database.ts';
import { type Client, useService } from '../../support/service.ts';
import { newToken } from '../../support/tenant.ts';

const day = 86_400_000;
const values = [
  { field_key: 'color', value: 'moss' },
  { field_key: 'disassembly', value: 'Torx 10', access_level: 'restricted' },
  { field_key: 'notified_body', value: 'Body 0197', access_level: 'authority' },
];

describe.each(databaseKinds)('%s', (kind) => {
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

  test('PUB-1 a draft is 404 with every access token', async () => {
    const { token: good } = await token(client, 'inspector');
    const path = `/p/${client.tenant.slug}/entwurf`;
    const draft = await client.call({ path, query: `zugang=${good}`, key: null });
    const unknown = await client.call({ path: `${path}-nie`, query: `zugang=${good}`, key: null });
    expect(draft.status).toBe(404);
    expect(draft.text).toBe(unknown.text);
  });
});
