/** The table of control requests in server/README.md: every row runs as it says. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { setImage } from '../../../server/src/images/store.ts';
import { type AppOptions, createApp, Metrics, openDatabase } from '../../../server/src/index.ts';
import { connectSandbox, type Sandbox, type SandboxTenant, startSandbox } from '../../../server/src/testing.ts';
import { ending } from '../../support/files.ts';
import { root } from '../../support/program.ts';

const readme = await readFile(join(root, 'server/README.md'), 'utf8');
const [, section = ''] = readme.split('### Control requests\n');

/** The cells of a table in the section, without its heading. */
function rowsOf(firstHeading: string): string[][] {
  const [, table = ''] = new RegExp(`^\\| ${firstHeading} .*\\n\\| -.*\\n((?:\\|.*\\n)+)`, 'm').exec(section) ?? [];
  const rows = table.trim().split('\n');
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const namesIn = (cell = ''): string[] => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name);
const requiredIn = (cell = ''): string[] => Array.from(cell.matchAll(/\*\*`([^`]+)`\*\*/g), ([, name = '']) => name);

const rows = rowsOf('Request').map(([request = '', body, response, errors]) => ({
  request: request.replaceAll('`', ''),
  body: namesIn(body),
  required: requiredIn(body),
  response: namesIn(response),
  isProduct: response === 'a product',
  errors: namesIn(errors),
}));

let sandbox: Sandbox;
let tenant: SandboxTenant;

beforeAll(async () => {
  sandbox = await startSandbox();
  tenant = await sandbox.createTenant();
  await tenant.seed([{ name: 'Entwurf' }, { name: 'Aktiv', status: 'active' }, { name: 'Ball', product_group: 'toy' }]);
});
afterAll(() => sandbox.stop());

interface Reply {
  status: number;
  headers: Headers;
  body: Record<string, unknown> & { error?: { code: string; message: string } };
}

async function control(request: string, body?: unknown, token: string | null = sandbox.controlToken): Promise<Reply> {
  const [method = '', path = ''] = request.split(' ');
  const address = new URL(`/_sandbox${path.replace('{tenant}', tenant.slug)}`, sandbox.siteUrl);
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  const sent = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
  const response = await fetch(address, { method, headers, ...sent });
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** The members of a product in the API. */
async function productMembers(): Promise<string[]> {
  const headers = { authorization: `Bearer ${tenant.apiKey}` };
  const response = await fetch(`${sandbox.baseUrl}/products/aktiv`, { headers });
  return Object.keys(await response.json());
}

interface Example {
  /** A body with every documented member. */
  body?: Record<string, unknown>;
  /** The slug in the path. */
  product?: string;
  /** Bodies, or slugs of products, that cause an error. */
  errors?: Record<string, { body?: object; product?: string; first?: [request: string, body: object] }>;
}

const pact = { tenant: { name: 'Nordlicht', slug: 'nordlicht', country: 'DE', plan: 'business' } };
const seed = (product: object) => ({ body: { products: [{ name: 'Fehler', ...product }] } });
const shared = { name: 'Geteilt', gtin: '9520001000096', status: 'active' };

const examples: Record<string, Example> = {
  'POST /tenants': {
    body: { slug: 'my-shop', name: 'My Shop', country: 'FR', language: 'en', plan: 'starter', publish: true },
    errors: { conflict: { body: { slug: 'my-shop' } } },
  },
  'POST /tenants/{tenant}/products': {
    body: { products: [{ name: 'Tasse', gtin: '95200002', values: [{ field_key: 'a', value: 1 }] }], keep_gtins: true },
    errors: {
      conflict: {
        body: { products: [shared], keep_gtins: true },
        first: ['POST /tenants/my-shop/products', { products: [shared], keep_gtins: true }],
      },
      name_required: seed({ name: '' }),
      unknown_product_group: seed({ product_group: 'spaceship' }),
      invalid_gtin: seed({ gtin: '123' }),
      values_must_be_array: seed({ values: {} }),
      field_key_required: seed({ values: [{ value: 1 }] }),
    },
  },
  'POST /tenants/{tenant}/products/{product}/activate': {
    body: { share_gtin: false },
    product: 'entwurf',
    errors: { conflict: { product: 'aktiv' }, not_found: { product: 'nowhere' } },
  },
  'POST /tenants/{tenant}/products/{product}/archive': {
    product: 'aktiv',
    errors: { conflict: { product: 'aktiv' }, not_found: { product: 'nowhere' } },
  },
  'POST /tenants/{tenant}/products/{product}/scans': {
    body: { scans: [{ days_ago: 1, role: 'inspector', count: 2 }] },
    product: 'aktiv',
    errors: { not_found: { product: 'nowhere' }, conflict: { product: 'ball' } },
  },
  'POST /tenants/{tenant}/tokens': {
    body: { role: 'recycler', product: 'aktiv', expires_in_seconds: -60, revoked: true },
    errors: { not_found: { body: { role: 'recycler', product: 'nowhere' } } },
  },
  'POST /tenants/{tenant}/clock': { body: { days: 2 } },
  'POST /tenants/{tenant}/faults': { body: { faults: [{ status: 503, times: 4 }] } },
  'DELETE /tenants/{tenant}/faults': {},
  'GET /tenants/{tenant}/requests': {},
  'GET /tenants/{tenant}/findings': {},
  'POST /tenants/{tenant}/reset': {},
  'POST /pact/states': { body: { action: 'setup', state: 'a tenant with an API key', params: pact } },
};

test('the table has a row for every route', async () => {
  const database = await openDatabase(':memory:', { sandbox: true });
  const app = await createApp({ database, sandbox: { controlToken: 'token' } });
  const routes = app.table().filter(({ method, path }) => path.startsWith('/_sandbox') && String(method) !== '*');
  const listed = routes.map(({ method, path }) => `${method.toUpperCase()} ${path.replace('/_sandbox', '')}`);
  await database.destroy();
  expect(rows.map(({ request }) => request).toSorted()).toEqual(listed.toSorted());
  expect(Object.keys(examples)).toEqual(rows.map(({ request }) => request));
});

describe.each(rows)('$request', (row) => {
  const { request, body: members, required, response, isProduct, errors } = row;
  const { body, product = '', errors: causes = {} } = examples[request] ?? {};
  const at = (slug: string): string => request.replace('{product}', slug);
  const isTenant = request.includes('{tenant}');

  test('responds as documented', async () => {
    expect(Object.keys(body ?? {})).toEqual(members);
    const reply = await control(at(product), body);
    expect(reply).toMatchObject({ status: 200 });
    const documented = isProduct ? await productMembers() : response;
    if (documented.length > 0) expect(Object.keys(reply.body).toSorted()).toEqual(documented.toSorted());
  });

  test('needs the control token', async () => {
    for (const token of [null, 'wrong', tenant.apiKey]) {
      const reply = await control(at(product), body, token);
      expect(reply).toMatchObject({ status: 401, body: { error: { code: 'invalid_control_token' } } });
      expect(reply.headers.get('www-authenticate')).toBe('Bearer');
    }
  });

  test('needs the members in bold', async () => {
    for (const member of required) {
      const { [member]: _, ...others } = body ?? {};
      const reply = await control(at(product), others);
      expect(reply).toMatchObject({ status: 400, body: { error: { code: 'invalid_request' } } });
      expect(reply.body.error?.message).toContain(member === 'state' ? 'undefined' : `${member} is required`);
    }
  });

  if (request !== 'POST /pact/states' && !request.startsWith('GET')) {
    test('refuses an unknown member', async () => {
      const reply = await control(at(product), { ...body, unknown: 1 });
      expect(reply).toMatchObject({
        status: 400,
        body: { error: { code: 'invalid_request', message: 'unknown is not allowed.' } },
      });
    });
  }

  test('has the documented errors', async () => {
    const provoked = new Set<string>();
    if (isTenant) {
      const reply = await control(at(product).replace('{tenant}', 'nobody'), body);
      expect(reply).toMatchObject({ status: 404, body: { error: { code: 'not_found' } } });
      provoked.add('not_found');
    }
    for (const [code, cause] of Object.entries(causes)) {
      if (cause.first) expect(await control(...cause.first)).toMatchObject({ status: 200 });
      const reply = await control(at(cause.product ?? product), cause.body ?? body);
      expect(reply.body).toEqual({ error: { code, message: expect.stringMatching(/\.$/) } });
      provoked.add(code);
    }
    expect([...provoked].sort()).toEqual(errors.toSorted());
  });
});

test('faults are counted by the requests that they will hit', async () => {
  const add = (times: number) => control('POST /tenants/{tenant}/faults', { faults: [{ status: 503, times }] });
  const clear = () => control('DELETE /tenants/{tenant}/faults');
  await clear();
  const counts = [await add(4), await add(2), await clear()].map(({ body }) => body);
  expect(counts).toEqual([{ requests: 4 }, { requests: 6 }, { requests: 0 }]);
});

describe('the documented errors', () => {
  const [first = '', ...others] = ['POST /tenants', 'GET /nowhere', 'PUT /tenants'];
  const causes: Record<string, () => Promise<Reply>> = {
    invalid_json: () => control(first, '{'),
    invalid_request: () => control(first, '[]'),
    invalid_control_token: () => control('GET /nowhere', undefined, 'wrong'),
    not_found: () => control(others[0] ?? ''),
    method_not_allowed: () => control(others[1] ?? '', '{}'),
    conflict: () => control(first, { slug: tenant.slug }),
    payload_too_large: () => control(first, ' '.repeat(1024 * 1024 + 1)),
  };
  const documented = rowsOf('Status').map(([status, code = '']) => [namesIn(code)[0] ?? '', Number(status)] as const);

  test('are these', () => {
    expect(documented.map(([code]) => code)).toEqual(Object.keys(causes));
  });

  test.each(documented)('%s %d', async (code, status) => {
    expect(await causes[code]?.()).toMatchObject({
      status,
      body: { error: { code, message: expect.stringMatching(/^[A-Z].*\.$/) } },
    });
  });

  test('a method that a path does not have names those that it has', async () => {
    const { headers } = await control('PUT /tenants/{tenant}/faults', '{}');
    expect(headers.get('allow')).toBe('POST, DELETE');
  });
});

test('the spelling of two members that they had before is refused with the new one', async () => {
  for (const [old, name] of [
    ['delay_ms', 'delayMs'],
    ['retry_after', 'retryAfter'],
  ] as const) {
    const { status, body } = await control('POST /tenants/{tenant}/faults', {
      faults: [{ [old]: 1, code: 'not_found' }],
    });
    expect({ status, body }).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringContaining(`is spelt ${name}`) } },
    });
  }
});

describe('the documented members of a fault', () => {
  const valid: Record<string, object> = {
    times: { times: 1000, status: 500 },
    operation: { operation: 'getMe', status: 500 },
    delayMs: { delayMs: 60_000 },
    status: { status: 599 },
    code: { code: 'not_found' },
    retryAfter: { retryAfter: 0 },
    connection: { connection: 'truncate' },
  };
  const invalid: Record<string, object[]> = {
    times: [{ times: 0, status: 500 }, { times: 1001, status: 500 }, { times: 1 }],
    operation: [{ operation: 'getYou', status: 500 }, { operation: 'getMe' }],
    delayMs: [{ delayMs: -1 }, { delayMs: 60_001 }, { delay_ms: 1 }],
    status: [{ status: 200 }, { status: 600 }, { status: '500' }],
    code: [{ code: 'Not Found' }, { code: 'not_found', connection: 'reset' }],
    retryAfter: [{ retryAfter: 1.5 }, { retryAfter: 1, connection: 'reset' }, { retry_after: 1 }],
    connection: [{ connection: 'slow' }, { connection: 'reset', status: 500 }],
  };
  const documented = rowsOf('Member').map(([member]) => namesIn(member)[0] ?? '');

  test('are these', () => expect(documented).toEqual(Object.keys(valid)));

  test.each(documented)('%s', async (member) => {
    const post = (fault: object | undefined) => control('POST /tenants/{tenant}/faults', { faults: [fault] });
    expect(await post(valid[member])).toMatchObject({ status: 200 });
    for (const fault of invalid[member] ?? []) {
      expect([fault, await post(fault)]).toMatchObject([
        fault,
        { status: 400, body: { error: { code: 'invalid_request' } } },
      ]);
    }
  });
});

const day = 86_400_000;

test('a reset of one worker in the middle of the work of others removes nothing of theirs', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 10 }, () => sandbox.createTenant()));
  await Promise.all(
    others.map(({ seed, fault }) => Promise.all([seed([{ name: 'Tasse' }]), fault({ status: 503 }), first?.reset()])),
  );
  for (const { apiKey } of others) {
    const me = () => fetch(`${sandbox.baseUrl}/me`, { headers: { authorization: `Bearer ${apiKey}` } });
    expect((await me()).status).toBe(503);
    expect((await (await me()).json()).products_total).toBe(1);
  }
});

test('a request whose connection a fault breaks counts as 499', async () => {
  const metrics = new Metrics();
  const { tenant, baseUrl } = await started({ metrics });
  for (const connection of ['reset', 'lose_response', 'truncate'] as const) {
    await tenant.fault({ connection });
    const response = fetch(`${baseUrl}/me`, { headers: { authorization: `Bearer ${tenant.apiKey}` } });
    await expect(response.then((reply) => reply.text())).rejects.toThrow(/failed|terminated/);
  }
  expect(await metrics.text()).toContain('requests_total{operation="getMe",status="499",code=""} 3');
});

async function started(options: Pick<AppOptions, 'metrics'> = {}) {
  const database = await openDatabase(':memory:', { sandbox: true });
  ending.defer(() => database.destroy());
  const app = await createApp({ database, sandbox: { controlToken: 'token' }, ...options });
  ending.defer(() => app.stop());
  await app.start();
  const baseUrl = `${app.info.uri}/api/v1`;
  const { createTenant } = connectSandbox({ baseUrl, controlToken: 'token' });
  const [tenant, other] = [await createTenant(), await createTenant()];
  await other.seed([{ name: 'Kanne', status: 'active', values: [{ field_key: 'volume', value: 2 }] }]);
  const product = { name: 'Tasse', gtin: '9520001000072', status: 'active' as const };
  await tenant.seed([{ ...product, values: [{ field_key: 'volume', value: 2 }] }, product, product]);
  await tenant.addScans('tasse', [{ daysAgo: 1 }, { daysAgo: 4, count: 2 }]);
  await tenant.createToken({ role: 'recycler', revoked: true });
  // `product image set` also writes into the file of a sandbox.
  const { tenant_id, id: productId } = await database('products').where({ slug: 'tasse' }).first('tenant_id', 'id');
  const image = { bytes: Buffer.from('x'), width: 1, height: 1, alt: null };
  await setImage(database, { tenantId: tenant_id, productId }, image, new Date());

  /** The rows of every table that has tenants' rows, in a fixed order. */
  async function rows(): Promise<Record<string, Record<string, unknown>[]>> {
    const names: string[] = await database('sqlite_master').where({ type: 'table' }).pluck('name');
    const found: Record<string, Record<string, unknown>[]> = {};
    for (const name of names) {
      const columns = await database(name).columnInfo();
      if ('tenant_id' in columns || name === 'tenants') found[name] = await database(name).orderBy(1).orderBy(2);
    }
    return found;
  }
  const isOwn = (row: Record<string, unknown>): boolean => (row.tenant_id ?? row.id) === tenant_id;
  return { tenant, baseUrl, rows, isOwn };
}

/** A value after some days: a time or date is that much older, everything else is the same. */
function aged(value: unknown, days: number): unknown {
  if (typeof value !== 'string' || !/^\d{4}-\d\d-\d\d(?:T.*Z)?$/.test(value)) return value;
  const moved = new Date(Date.parse(value) - days * day).toISOString();
  return moved.slice(0, value.length);
}

test('the clock moves every time of the tenant in every table, and nothing else', async () => {
  const { tenant, rows, isOwn } = await started();
  const before = await rows();
  expect(Object.entries(before).filter(([, found]) => !found.some(isOwn))).toEqual([]);
  await tenant.advanceClock({ days: 3 });
  const moved = (row: Record<string, unknown>) => {
    const columns = Object.entries(row).map(([column, value]) => [column, aged(value, isOwn(row) ? 3 : 0)]);
    return Object.fromEntries(columns);
  };
  const expected = Object.entries(before).map(([name, found]) => [name, found.map(moved)]);
  expect(await rows()).toEqual(Object.fromEntries(expected));
});

test('a reset empties every table of the tenant but its own and that of its keys', async () => {
  const { tenant, rows, isOwn } = await started();
  await tenant.reset();
  const left = Object.entries(await rows()).filter(([, found]) => found.some(isOwn));
  expect(left.map(([name]) => name).toSorted()).toEqual(['api_keys', 'tenants']);
});
