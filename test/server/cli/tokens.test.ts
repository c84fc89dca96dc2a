import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Outcome, runHere, type Serving, serveHere } from '../../support/command.ts';
import { announcement } from '../../support/program.ts';

let directory = '';
let server: Serving;
let site = '';
let demoTokens: { role: string; token: string; revoked: boolean }[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tokens-'));
  server = await serveHere('product-passport serve --demo --json --port 0', /\}\n/, environment());
  const listening = announcement(server.said());
  site = listening.site_url;
  demoTokens = listening.access_tokens;
});
afterAll(async () => {
  await server.stop();
  await rm(directory, { recursive: true });
});

function environment(): Record<string, string> {
  return { PRODUCT_PASSPORT_DATABASE: join(directory, 'demo.sqlite') };
}

function command(line: string): Promise<Outcome> {
  return runHere(`product-passport token ${line}`, environment());
}

async function restrictedShows(token: string, product = 'merinopullover-fjord'): Promise<boolean> {
  const page = await fetch(`${site}/p/nordlicht/${product}?zugang=${token}`);
  return (await page.text()).includes('supply_chain_actors');
}

describe('token', () => {
  test('the demo has tokens of both roles, a revoked one, and one of a single product', async () => {
    const shows = demoTokens.map(async ({ role, revoked, token }) => [role, revoked, await restrictedShows(token)]);
    expect(await Promise.all(shows)).toEqual([
      ['inspector', false, true],
      ['recycler', false, true],
      ['recycler', true, false],
      // It opens another product.
      ['recycler', false, false],
    ]);
  });

  test('create, list and revoke work while the server runs', async () => {
    const made = JSON.parse(
      (await command('create merinopullover-fjord --tenant nordlicht --role recycler --days 7 --json')).stdout,
    );
    expect(made).toMatchObject({ role: 'recycler', product: 'merinopullover-fjord', revoked_at: null });
    expect(Date.parse(made.expires_at) - Date.parse(made.created_at)).toBe(7 * 86_400_000);
    expect(await restrictedShows(made.token)).toBe(true);

    const listed = await command('list --tenant nordlicht');
    expect(listed.stdout).toContain(`${made.id}  recycler   merinopullover-fjord`);
    expect(listed.stdout).not.toContain(made.token);

    expect(await command(`revoke ${made.id} --tenant nordlicht`)).toMatchObject({ code: 0 });
    expect(await restrictedShows(made.token)).toBe(false);
  });

  test('a token of --all opens every product of the tenant', async () => {
    const [token = ''] = (await command('create --all --tenant nordlicht --role inspector')).stdout.split('\n');
    expect(await restrictedShows(token)).toBe(true);
  });

  test('rotate-secret creates a new secret while the server runs, and --revoke-old revokes all tokens at once', async () => {
    const create = async () => {
      const { stdout } = await command('create --all --tenant nordlicht --role inspector --days 3650 --json');
      return JSON.parse(stdout) as { token: string; kid: string; expires_at: string };
    };
    const old = await create();
    const rotated = await command('rotate-secret');
    expect(rotated).toMatchObject({ code: 0, stderr: '' });
    const [, kid] = /^New access tokens are signed with the secret (\S+)\.\n/.exec(rotated.stdout) ?? [];
    expect(rotated.stdout).toContain(
      `\nTokens of the secret ${old.kid} stay valid until they expire, the last one at ${old.expires_at}.\n`,
    );
    const young = await create();
    expect(young.kid).toBe(kid);
    expect([await restrictedShows(old.token), await restrictedShows(young.token)]).toEqual([true, true]);

    const asked = 'All access tokens of all tenants would be revoked. This cannot be undone.';
    expect(await command('rotate-secret --revoke-old')).toEqual({
      code: 2,
      stdout: '',
      stderr: `product-passport: ${asked} Add --yes if you want it.\n`,
    });
    const { code, stdout } = await command('rotate-secret --revoke-old --yes --json');
    expect([code, JSON.parse(stdout)]).toEqual([
      0,
      {
        kid: expect.stringMatching(/^[0-9a-f-]{36}$/),
        created_at: expect.stringMatching(/Z$/),
        old_secrets: [],
        revoked_tokens: expect.any(Number),
      },
    ]);
    expect([await restrictedShows(old.token), await restrictedShows(young.token)]).toEqual([false, false]);
    const [demoToken] = demoTokens;
    expect(await restrictedShows(demoToken?.token ?? '')).toBe(false);
    const listed = JSON.parse((await command('list --tenant nordlicht --json')).stdout).items;
    const valid = listed.filter(
      ({ revoked_at, expires_at }: { revoked_at: string | null; expires_at: string }) =>
        revoked_at === null && new Date(expires_at) > new Date(),
    );
    expect(valid).toEqual([]);

    const unused = await command('rotate-secret');
    expect(unused.stdout).toMatch(/\nThere is no older secret with valid tokens\.\n$/);
    const fresh = await create();
    const revoked = await command('rotate-secret --revoke-old --yes');
    expect(revoked.stdout).toMatch(/\nRevoked 1 access token\. Requests with an older token get the public view\./);
    expect(await restrictedShows(fresh.token)).toBe(false);
  });

  test.each([
    ['create --tenant nordlicht --role recycler', 2, /name one product, or add --all/],
    ['create tasse --all --tenant nordlicht --role recycler', 2, /name one product, or add --all/],
    ['create --tenant nordlicht', 2, /: token create needs --role <role>\.\n/],
    ['create --tenant nordlicht --role consumer', 2, /Use one of: recycler, inspector/],
    ['create --tenant nordlicht --role recycler --days 0', 2, /from 1 to 3650/],
    ['create none --tenant nordlicht --role recycler', 1, /nordlicht has no product none/],
    ['create --all --tenant nobody --role recycler', 1, /there is no tenant nobody/],
    ['revoke 1 --tenant nordlicht', 2, /Use an id/],
    ['revoke 01900000-0000-7000-8000-000000000000 --tenant nordlicht', 1, /has no access token 01900000/],
  ])('%s fails with exit code %i and a clear message', async (line, code, message) => {
    const outcome = await command(line);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toMatch(message);
  });
});
