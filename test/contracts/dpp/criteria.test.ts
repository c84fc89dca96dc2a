/**
 * The criteria of OwnYourData (github.com/OwnYourData/dpp-criteria, Apache-2.0, read on 10 October 2026) on the reference
 * server, in our words. One that the server does not meet, or that no client sees, has the reason in place of a check.
 */
import { beforeAll, expect, test } from '@jest/globals';
import { elementFault, keysOf, required, valueFault, walkElements } from '../../../contracts/dpp/readings.ts';
import { byDate, byId, byProduct, element, unknownId } from '../../../contracts/dpp/reads.ts';
import { startReference } from '../../suite/reference.ts';

type Json = Readonly<Record<string, unknown>>;

let site = '';
let base = '';
let id = '';
let productId = '';
let passport: Json = {};

const ask = (path: string, init?: RequestInit) => fetch(path.startsWith('http') ? path : `${base}${path}`, init);
const json = async (path: string): Promise<Json> => (await ask(path)).json();
const post = (body: string, path = '/dppsByProductIds') =>
  ask(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body });

beforeAll(async () => {
  const { provider, connection } = await startReference('SQLite');
  connection.close();
  site = String(provider.site_url);
  base = `${site}/dpp/v1`;
  passport = await json(byProduct('09520001200045'));
  id = String(passport.digitalProductPassportId);
  productId = String(passport.uniqueProductIdentifier);
});

const scheme = /^(?:\d{4}:\S+|https?:\/\/\S+\/41[47]\/\d{13}|did:\S+|(?:doi:|https:\/\/doi\.org\/)10\.\S+)$/;

interface Row {
  readonly criterion: string;
  readonly what: string;
  readonly check?: () => Promise<void> | void;
  /** Why there is no check, or what of the criterion the server does not meet. */
  readonly reason?: string;
}

const atProxy = 'The proxy in front of the server has TLS: `verify dpp --claim dpp-transport` sees it at its address.';
const opensPage =
  'The identifier opens the page for people. Programs get the passport by `linkType`, or below `/dpp/v1` by the same identifier.';

const rows: readonly Row[] = [
  {
    criterion: 'API-007',
    what: 'A broken body and a number in place of a list get 400.',
    async check() {
      for (const body of ['{not json', '{"productId": 42}']) expect((await post(body)).status).toBe(400);
    },
  },
  {
    criterion: 'API-013',
    what: 'A read by id needs no credentials.',
    check: async () => expect(await json(byId(id))).toMatchObject({ digitalProductPassportId: id }),
  },
  {
    criterion: 'API-014',
    what: 'A read by product identifier.',
    check: async () => expect(await json(byProduct(productId))).toMatchObject({ uniqueProductIdentifier: productId }),
  },
  {
    criterion: 'API-015',
    what: 'A bare array of product identifiers finds the id.',
    check: async () => expect(await (await post(JSON.stringify([productId]))).json()).toContain(id),
  },
  { criterion: 'API-016', what: 'Updates, where others may write.', reason: 'Nobody may write here.' },
  {
    criterion: 'API-019',
    what: 'The read of this moment.',
    async check() {
      const path = `${byDate(id)}?date=${new Date().toISOString()}`;
      expect(await json(path)).toMatchObject({ digitalProductPassportId: id });
    },
  },
  { criterion: 'API-020', what: 'The base ends in v1.', check: () => expect(base).toMatch(/\/v1$/) },
  {
    criterion: 'API-021',
    what: 'A path gives an element, and one that is no path gets 400.',
    reason: 'Without `representation=full` the element is its bare value, as most sources read the standard.',
    async check() {
      expect((await ask(element(id, '$['))).status).toBe(400);
      const path = `${element(id, "$['cable_length']")}?representation=full`;
      expect(await json(path)).toMatchObject({ elementId: 'cable_length' });
    },
  },
  {
    criterion: 'API-022',
    what: 'An unknown id gets 404 with a message.',
    async check() {
      const response = await ask(byId(unknownId));
      expect([response.status, await response.json()]).toMatchObject([404, { message: [{ messageType: 'Error' }] }]);
    },
  },
  {
    criterion: 'API-023',
    what: 'The form is compressed by default, full has elements, another gets 400.',
    async check() {
      expect(passport).not.toHaveProperty('elements');
      expect(await json(`${byId(id)}?representation=compressed`)).toEqual(passport);
      expect((await elements()).length).toBeGreaterThan(10);
      expect((await ask(`${byId(id)}?representation=unknown`)).status).toBe(400);
    },
  },
  { criterion: 'BAT-002', what: 'Public data of Annex XIII.', reason: 'Its shapes are files of openEPCIS.' },
  {
    criterion: 'CAR-002',
    what: 'The product identifier has a scheme of EN 18219.',
    check: () => expect(keysOf(productId)).toMatchObject({ gtin: '09520001200045' }),
  },
  {
    criterion: 'CFG-005',
    what: 'The granularity is that of the GS1 keys.',
    check: () => expect([keysOf(productId)?.serial, passport.granularity]).toEqual([undefined, 'model']),
  },
  { criterion: 'CRT-003', what: 'The mandatory data of a product group.', reason: 'No shapes are published.' },
  {
    criterion: 'DAT-003',
    what: 'The product identifier opens JSON.',
    reason: opensPage,
    check: async () => expect((await ask(productId)).headers.get('content-type')).toContain('text/html'),
  },
  { criterion: 'DAT-006', what: "The Commission's data models.", reason: 'None is published yet.' },
  {
    criterion: 'DAT-011',
    what: 'A related resource has a type and an address.',
    reason: 'There is none: the type of a linked file is not known.',
    check: async () => expect(JSON.stringify(await elements())).not.toContain('RelatedResource'),
  },
  {
    criterion: 'DAT-014',
    what: 'The header has the names of EN 18223.',
    check: () => expect(Object.keys(passport)).toEqual(expect.arrayContaining([...required])),
  },
  {
    criterion: 'DAT-015',
    what: 'The granularity is one of three, in lower case.',
    check: () => expect(['model', 'batch', 'item']).toContain(passport.granularity),
  },
  {
    criterion: 'DAT-016',
    what: 'HTML by Accept, JSON for all types and where it is preferred.',
    async check() {
      const page = await ask(byId(id), { headers: { accept: 'text/html' } });
      const types = [page.url, page.status, page.headers.get('content-type')];
      expect(types).toEqual([id.replace('/jsonld', ''), 200, expect.stringContaining('text/html')]);
      const redirect = await ask(byId(id), { headers: { accept: 'text/html' }, redirect: 'manual' });
      expect(redirect.headers.get('vary')).toMatch(/accept(?:,|$)/i);
      for (const accept of ['*/*', 'application/json, text/html;q=0.1']) {
        expect((await ask(byId(id), { headers: { accept } })).headers.get('content-type')).toContain(
          'application/json',
        );
      }
    },
  },
  { criterion: 'DEX-002', what: 'HTTPS with a valid certificate.', reason: atProxy },
  { criterion: 'DEX-003', what: 'TLS 1.2 or later.', reason: atProxy },
  {
    criterion: 'DEX-004',
    what: 'The API responds with JSON.',
    check: async () => expect((await ask(byId(id))).headers.get('content-type')).toContain('application/json'),
  },
  { criterion: 'DEX-005', what: 'HTTP/2.', reason: atProxy },
  { criterion: 'DEX-006', what: 'No HTTP/1.1.', reason: `${atProxy} Without HTTP/1.1 the SDK in Node cannot read.` },
  {
    criterion: 'ID-001',
    what: 'The product identifier leads to exactly this passport.',
    reason: opensPage,
    check: async () => expect((await ask(productId)).url).toBe(id.replace('/jsonld', '')),
  },
  { criterion: 'ID-002', what: 'The identifier leads there for years.', reason: 'A run does not see time pass.' },
  {
    criterion: 'ID-009',
    what: 'The operator has a scheme of EN 18219.',
    check: () => expect(passport.economicOperatorId).toMatch(scheme),
  },
  {
    criterion: 'ID-010',
    what: 'The facility has a scheme of EN 18219.',
    check: () => expect(passport.facilityId).toMatch(scheme),
  },
  {
    criterion: 'ID-013',
    what: 'The passport opens without registration.',
    check: async () => expect((await ask(productId)).status).toBe(200),
  },
  {
    criterion: 'ID-014',
    what: 'The product identifier is an address.',
    check: () => expect(productId).toBe(`${site}/01/09520001200045`),
  },
  { criterion: 'ID-016', what: 'DIDs resolve.', reason: 'The demo has no DID.' },
  {
    criterion: 'INT-005',
    what: 'The elements have the classes and the value types of EN 18223.',
    async check() {
      const all = [...walkElements(await elements())].map((each) => each.element);
      expect(all.flatMap((one) => elementFault(one) ?? valueFault(one) ?? [])).toEqual([]);
      expect(all.length).toBeGreaterThan(20);
    },
  },
  { criterion: 'OPS-006', what: 'Test and production are separate.', reason: 'The operator declares it.' },
  { criterion: 'PCDS-008', what: 'Embedded circularity sheets.', reason: 'There is none.' },
  {
    criterion: 'ROL-016',
    what: 'The passport names its operator.',
    check: () => expect(passport.economicOperatorId).toMatch(/\S/),
  },
  {
    criterion: 'SEC-001',
    what: 'Without credentials nothing is created or changed.',
    reason: 'A POST to /dpps gets 404, not 401, 403, 405 or 501: the service has no such address.',
    async check() {
      expect((await ask(byId(id), { method: 'PATCH', body: '{}' })).status).toBe(405);
      expect((await post('{}', '/dpps')).status).toBe(404);
      expect(await json(byId(id))).toEqual(passport);
    },
  },
  { criterion: 'SEC-002', what: 'A proof of integrity.', reason: 'The JSON-LD document has a hash, and no signature.' },
  { criterion: 'SEC-013', what: 'The proof is by the operator.', reason: 'There is no signature.' },
];

async function elements(): Promise<readonly unknown[]> {
  return (await json(`${byId(id)}?representation=full`)).elements as readonly unknown[];
}

const checked = rows.flatMap(({ check, ...row }) => (check === undefined ? [] : [{ ...row, check }]));

test.each(checked)('DPP-$criterion: $what', async ({ check }) => {
  await check();
});

test('each of the 39 criteria has a check, or a reason', () => {
  expect(new Set(rows.map(({ criterion }) => criterion)).size).toBe(39);
  expect(rows.filter(({ check, reason }) => check === undefined && reason === undefined)).toEqual([]);
});
