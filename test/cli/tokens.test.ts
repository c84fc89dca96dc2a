import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Outcome, type Running, run, start } from './program.ts';

let directory = '';
let server: Running;
let site = '';
let demoTokens: { role: string; token: string; revoked: boolean }[] = [];

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tokens-'));
  server = await start('product-passport serve --demo --json --port 0', /\}\n/, environment());
  const listening = JSON.parse(server.said());
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
  return run(`product-passport token ${line}`, environment());
}

async function restrictedShows(token: string, product = 'merinopullover-fjord'): Promise<boolean> {
  const page = await fetch(`${site}/p/nordlicht/${product}?zugang=${token}`);
  return (await page.text()).includes('supply_chain_actors');
}

describe('token', () => {
  test('the demo brings tokens of both roles, and a revoked one', async () => {
    const shows = demoTokens.map(async ({ role, revoked, token }) => [role, revoked, await restrictedShows(token)]);
    expect(await Promise.all(shows)).toEqual([
      ['inspector', false, true],
      ['recycler', false, true],
      ['recycler', true, false],
    ]);
  });

  test('create, list and revoke work beside the running server', async () => {
    const made = JSON.parse(
      (await command('create --tenant nordlicht --role recycler --product merinopullover-fjord --days 7 --json'))
        .stdout,
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

  test('the default is every product of the tenant', async () => {
    const [token = ''] = (await command('create --tenant nordlicht --role inspector')).stdout.split('\n');
    expect(await restrictedShows(token)).toBe(true);
  });

  test.each([
    ['create --tenant nordlicht', 2, /required option '--role <role>'/],
    ['create --tenant nordlicht --role consumer', 2, /Allowed choices are recycler, inspector/],
    ['create --tenant nordlicht --role recycler --days 0', 2, /from 1 to 3650/],
    ['create --tenant nordlicht --role recycler --product none', 1, /nordlicht has no product none/],
    ['create --tenant nobody --role recycler', 1, /there is no tenant nobody/],
    ['revoke 1 --tenant nordlicht', 1, /has no access token 1/],
  ])('%s fails with %i and says why', async (line, code, message) => {
    const outcome = await command(line);
    expect(outcome).toMatchObject({ code, stdout: '' });
    expect(outcome.stderr).toMatch(message);
  });
});
