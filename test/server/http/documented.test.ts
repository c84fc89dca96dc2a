import { beforeAll, expect, test } from '@jest/globals';
import { codesOf, errorIn, type Operation, readContract } from '../../../openapi/src/index.ts';
import { connect } from '../../../server/src/database/connection.ts';
import { newDatabase } from '../../support/database.ts';
import { ending } from '../../support/files.ts';
import { type Call, type Client, type Reply, type Service, startService } from '../../support/service.ts';
import { exchange } from '../../support/wire.ts';

const { operations } = readContract();
const pathValues = {
  ...{ slug: 'tasse', tenant: 'mandant-1', product: 'tasse' },
  ...{ gtin: '9520001000010', cpv: '2A', batch: 'LOT-42', serial: 'SN001', tpx: 'TPX-7' },
  ...{ productId: '9520001000010', elementIdPath: '%24.material' },
};
const siteUrl = 'http://passports.test';
/** The path of the passport's page in an id, encoded into one segment. */
const dppIdOf = (product: string) => encodeURIComponent(`${siteUrl}/p/mandant-1/${product}`);
const bodies: Readonly<Record<string, unknown>> = {
  createProduct: { name: 'Kanne' },
  putPassport: [],
  setProductStatus: { status: 'active' },
  readDppIdsByProductIds: ['9520001000010'],
};
const queries: Readonly<Record<string, string>> = { readDppVersionByIdAndDate: 'date=9999-12-31T23:59:59Z' };

/** The operations that read the database: all but one. */
const readers = operations.filter(({ operationId }) => operationId !== 'getResolverDescription');

const seen = new Set<string>();
/** The errors of the responses: operation, status, code and message. */
const messages = new Set<string>();
const outcome = ({ operationId }: Operation, status: number, code = '') => `${operationId} ${status} ${code}`.trim();

/** Calls the operation. Without further parameters the status is 200. */
async function provoke(
  client: Client,
  operation: Operation,
  call: Partial<Call> = {},
  at: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const { product = pathValues.product, gtin = pathValues.gtin } = at;
  const values: Record<string, string> = { ...pathValues, dppId: dppIdOf(product), productId: gtin, ...at };
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
  const { operationId, method } = operation;
  const own = { method, path, body: bodies[operationId], operationId, ...call };
  const query = [queries[operationId], call.query].filter((text) => text !== undefined).join('&');
  const reply = await client.call({ ...own, ...(query !== '' && { query }) });
  const [, code] = reply.outcome.split(' ');
  if (code) noteError(reply, operation.operationId);
  seen.add(outcome(operation, reply.status, code));
  return reply;
}

function noteError({ status, text }: { status: number; text: string }, operationId = 'none'): void {
  const { code, message } = errorIn(JSON.parse(text)) ?? {};
  messages.add(`${operationId} ${status} ${code}: ${message}`);
}

let service: Service;
/** A client whose key cannot publish. */
let plain: Client;
let client: Client;
let address: string;
beforeAll(async () => {
  address = await newDatabase('SQLite');
  service = await startService('SQLite', { on: address, siteUrl });
  plain = await service.newTenant();
  client = await service.publisherOf(plain);
  await service.database('tenants').update({ economic_operator_id: 'did:web:passports.test' });
  await client.create({ name: 'Tasse', gtin: pathValues.gtin });
  await client.write('tasse', [{ field_key: 'material', value: 'Ton' }]);
  await service.activate(client, 'tasse');
});

/** One after the other, because some remove tables. */
const situations: Readonly<Record<string, () => Promise<void>>> = {
  'requests succeed, with both redirect statuses': async () => {
    for (const operation of operations) {
      await provoke(client, operation);
      await provoke(client, operation, { query: 'linkType=linkset' });
      await provoke(client, operation, { headers: { accept: 'text/html' } });
    }
    const other = await startService('SQLite', { on: service.database, redirectStatus: 302, siteUrl });
    for (const operation of operations) await provoke(other.clientOf(client), operation);
  },

  'the client has the current representation': async () => {
    for (const operation of operations.filter(({ responses }) => '304' in responses)) {
      const { status } = await provoke(client, operation, { headers: { 'if-none-match': '*' } });
      expect(status).toBe(304);
    }
  },

  'the client sends invalid requests': async () => {
    const wrongQueries = ['limit=x', 'offset=x', 'days=x', 'status=x', 'gtin=x', 'representation=x'];
    const wrongBodies: unknown[] = [
      '{',
      'no JSON',
      {},
      [],
      [{}],
      { name: 'Kanne', product_group: 'x' },
      { name: 'Kanne', gtin: 'x' },
      { name: 'Kanne', slug: 'X' },
      [{ field_key: 'x' }],
      { name: 'x'.repeat(501) },
      [{}, {}, { unit: 'x'.repeat(51) }].map((more) => ({ field_key: 'x', value: 1, ...more })),
      Buffer.alloc(2 ** 20 + 1, ' '),
    ];
    for (const operation of operations) {
      await provoke(client, operation, { key: null });
      await provoke(client, operation, {}, { slug: 'none', product: 'none', gtin: '96385074' });
      await provoke(client, operation, {}, { gtin: 'x' });
      for (const query of wrongQueries) await provoke(client, operation, { query });
      if (operation.operationId in bodies) {
        for (const body of wrongBodies) await provoke(client, operation, { body });
        await provoke(client, operation, { headers: { 'content-type': 'text/plain' } });
      }
    }
    const resolver = operations.filter(({ path }) => path.startsWith('/01/'));
    for (const operation of resolver) await provoke(client, operation, { path: '/01/9520001000010/x/y' });
  },

  'a status is refused': async () => {
    const [change] = operations.filter(({ operationId }) => operationId === 'setProductStatus');
    if (!change) throw new Error('The contract has no setProductStatus.');
    await provoke(plain, change);
    const other = await service.newTenant();
    for (const owner of [other, client]) await owner.create({ name: 'Schale', gtin: '9520001000027' });
    await service.activate(other, 'schale');
    await provoke(client, change, {}, { slug: 'schale' });
    const serial = [{ field_key: 'serial_number', value: 'B-1' }];
    for (const name of ['Bosca 48 0001', 'Bosca 48 0002']) {
      const { slug } = await client.create({ name, gtin: '9520001000034' });
      await client.write(slug, serial);
    }
    await service.activate(client, 'bosca-48-0001');
    await provoke(client, change, {}, { slug: 'bosca-48-0002' });
    await client.create({ name: 'Leer' });
    await provoke(client, change, {}, { slug: 'leer' });
  },

  'the client sends too many requests': async () => {
    const limited = await startService('SQLite', {
      ...{ on: service.database, rateLimit: 1, publicRateLimit: 1, siteUrl },
    });
    const eager = limited.clientOf(client);
    await eager.me();
    await eager.call({ path: '/01/9520001000010', key: null });
    for (const operation of operations.filter(({ responses }) => '429' in responses))
      await provoke(eager, operation, operation.side.secured ? {} : { key: null });
  },

  'the server fails': async () => {
    const tables = ['products', 'product_counts', 'scan_counts', 'scan_days'];
    for (const table of tables) await service.database.schema.renameTable(table, `${table}_away`);
    for (const operation of readers) expect((await provoke(client, operation)).status).toBe(500);
    for (const table of tables) await service.database.schema.renameTable(`${table}_away`, table);
  },

  'the database is unreachable': async () => {
    const nowhere = connect('postgres://nobody:nothing@127.0.0.1:1/none', { warn: () => undefined });
    ending.defer(() => nowhere.destroy());
    const cut = await startService('PostgreSQL', { on: nowhere, siteUrl });
    for (const operation of readers) expect((await provoke(cut.clientOf(client), operation)).status).toBe(503);
  },

  'the request belongs to no operation': async () => {
    const hasty = await startService('SQLite', { on: service.database, timeouts: { head: 50 } });
    const { method, path } = { method: 'DELETE', path: '/api/v1/me' };
    noteError(await client.call({ method, path }));
    noteError(await client.call({ path: '/api/v1/nothing-here' }));
    const large = `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(2 ** 15)}\r\n\r\n`;
    for (const bytes of ['hello\r\n\r\n', large]) noteError(await exchange(service.port, bytes));
    noteError(await exchange(hasty.port, 'GET'));
  },
};

beforeAll(async () => {
  for (const create of Object.values(situations)) await create();
});

test('the server sent every error message that the contract has as an example', async () => {
  const { outsideOperations, operations } = readContract();
  const documented = [{ operationId: 'none', responses: outsideOperations }, ...operations].flatMap(
    ({ operationId, responses }) =>
      Object.entries(responses).flatMap(([status, { content }]) =>
        Object.values(content?.['application/json']?.examples ?? {}).flatMap(({ value }) => {
          const error = Number(status) < 400 ? undefined : errorIn(value);
          // Queries share one example: it is enough that one operation sends it.
          const by = error?.message === 'limit must be a whole number.' ? 'listProducts' : operationId;
          return error ? [`${by} ${status} ${error.code}: ${error.message}`] : [];
        }),
      ),
  );
  expect(documented.filter((each) => !messages.has(each))).toEqual([]);
  expect(documented).not.toEqual([]);
});

test('HTTP-7 the server sent every documented status and code of each operation, and no others', async () => {
  const documented = operations.flatMap((operation) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      // The errors of the passport page are HTML pages without a code.
      const codes = operation.operationId === 'getPassportPage' ? [] : codesOf(response);
      return (codes.length === 0 ? [''] : codes).map((code) => outcome(operation, Number(status), code));
    }),
  );
  expect([...seen].sort()).toEqual(documented.sort());
});
