/**
 * Two servers have the same data but for what a stranger may not see: hidden values, a draft, an archived product, a
 * withheld version, and what else belongs to another tenant. Each operation of the contract responds the same on both.
 */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { type Operation, readContract } from '@product-passport/openapi';
import type { Ask } from '../../../contracts/conformance/case.ts';
import { variationsOf } from '../../../contracts/conformance/valid-requests.ts';
import { moveProduct } from '../../../server/src/lifecycle/lifecycle.ts';
import { withholdVersion } from '../../../server/src/passports/published-versions.ts';
import { lockProduct } from '../../../server/src/products/store.ts';
import { updatePages } from '../../../server/src/tenants/store.ts';
import { databaseKinds, onStatement } from '../../support/database.ts';
import { type Client, type Reply, type Service, useService } from '../../support/service.ts';
import { newToken } from '../../support/tenant.ts';
import { sharedHeaders } from '../../support/wire.ts';

const { operations } = readContract();
const now = () => new Date('2026-11-20T12:00:00.000Z');
const options = { siteUrl: 'https://passport.example.com', now };

const product = (slug: string, gtin: string) => ({ tenant: 'mandant-1', slug, gtin });
const active = product('lampe', '9520001000010');
const draft = product('entwurf', '9520001000027');
const archived = product('archiv', '9520001000034');
const unknown = product('nichts', '9520001000041');

const care = (value: string) => ({ field_key: 'care_instructions', value });
const restricted = { access_level: 'restricted' };

/** How the reads of EN 18222 name the product. */
function dppIdsOf({ tenant, slug }: typeof active) {
  const page = `${options.siteUrl}/p/${tenant}/${slug}`;
  return { dppId: `${page}/jsonld`, productId: page, elementIdPath: "$['care_instructions']" };
}

/** Of both servers: a value that everybody sees, then hidden ones. */
const elements = ['care_instructions', 'substances_of_concern', 'test_reports', 'folio', 'disassembly', 'none'].map(
  (key) => `$['${key}']`,
);

/** The hidden values of each server: other fields of the template, other values, and another number. */
const hidden = [
  [
    { field_key: 'substances_of_concern', value: [{ name: 'lead' }], ...restricted },
    { field_key: 'test_reports', value: 'Report 0197', access_level: 'authority' },
    { field_key: 'folio', value: 7, ...restricted },
  ],
  [{ field_key: 'disassembly', value: 'Torx', ...restricted }],
] as const;

interface World {
  readonly service: Service;
  readonly owner: Client;
  readonly stranger: Client;
  /** The owner's, by their slugs. */
  readonly products: ReadonlyMap<string, object>;
  /** Opens the values of the owner. */
  readonly inspector: string;
  /** Tokens that do not open the active product. */
  readonly closed: readonly string[];
  /** What differs in any two servers, and hashes, which change with hidden values. */
  readonly changing: readonly string[];
}

async function filled(service: Service, which: 0 | 1): Promise<World> {
  const owner = await service.publisherOf(await service.newTenant({ plan: which === 0 ? 'starter' : 'enterprise' }));
  const stranger = await service.newTenant();
  const { database } = service;
  await stranger.create('Eigen');
  await updatePages(database, owner.tenant.id, { economic_operator_id: '0088:9520001000003' });
  const secret = `Geheim ${which}`;
  for (const { slug, gtin } of [active, draft, archived]) {
    const name = slug === active.slug ? 'Lampe' : secret;
    await owner.create({ name, slug, gtin, product_group: 'textile' });
    await owner.write(slug, [...hidden[which], care(secret)]);
    if (slug === draft.slug) continue;
    const shown = slug === active.slug ? 'shown' : secret;
    await owner.write(slug, [care(shown)]);
    await moveProduct({ database, now }, owner.tenant.id, slug, 'active');
    for (const text of [secret, `${shown} again`]) await owner.write(slug, [care(text)]);
  }
  await moveProduct({ database, now }, owner.tenant.id, archived.slug, 'archived');
  await database.transaction(async (transaction) => {
    const found = await lockProduct(transaction, owner.tenant.id, active.slug);
    if (found) await withholdVersion(transaction, owner.tenant.id, found, 4);
  });
  if (which === 1) {
    await owner.create(secret);
    await owner.call({ path: '/p/mandant-1/lampe', key: null });
  }
  const inspector = await owner.token('inspector');
  const products = new Map<string, object>();
  for (const { slug, tenant } of [active, draft, archived])
    products.set(slug, { ...(await owner.product(slug)), tenant });
  const { id } = await owner.product(draft.slug);
  const ofDraft = await newToken(database, owner.tenant, 'inspector', { product: id });
  const closed = [ofDraft.token, await stranger.token('inspector'), 'unknown-token'];
  const changing = [...closed, inspector, ...(await database('passport_versions').pluck('content_hash'))];
  return { service, owner, stranger, products, inspector, closed, changing };
}

describe.each(databaseKinds)('on %s', (kind) => {
  const services = [useService(kind, options), useService(kind, options)] as const;
  let worlds: readonly [World, World];
  beforeAll(async () => {
    worlds = [await filled(services[0], 0), await filled(services[1], 1)];
  });

  /** All kinds of requests. Version 2 is that of a draft, version 4 is withheld. */
  const asksOf = (operation: Operation, of: typeof active, { products, closed }: World): Ask[] =>
    variationsOf(
      operation,
      { ...products.get(of.slug), ...of, ...(operation.side.root === '/dpp/v1' && dppIdsOf(of)) },
      { zugang: closed, version: ['2', '4', '3', '5', 'none'], elementIdPath: elements },
    );

  function send({ operationId, side }: Operation, client: Client, { query = '', ...ask }: Ask): Promise<Reply> {
    const key = side.secured ? client.key : null;
    return client.call({ ...ask, query: query as Record<string, string>, body: ask.json, key, operationId });
  }

  /** The parts of a whole response, without what may change, and without the names of the product. */
  function partsOf({ status, headers, text }: Reply, { changing }: World, { slug, gtin } = active): string[] {
    const { etag, 'content-length': _, ...shared } = sharedHeaders(headers);
    const whole = JSON.stringify([status, { ...shared, etag: typeof etag }, text]);
    const known = [...changing, slug, gtin].reduce((shown, one) => shown.replaceAll(one, 'CHANGING'), whole);
    return known.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID').split(/(?=[<{])/);
  }

  test.each(operations)('$operationId responds the same, whatever strangers may not see', async (operation) => {
    const seen = await Promise.all(
      worlds.map(async (world) => {
        const replies: string[][] = [];
        for (const ask of [active, draft, archived].flatMap((of) => asksOf(operation, of, world))) {
          const reply = await send(operation, world.stranger, ask);
          if (operation.side.secured && operation.path.includes('{')) expect(reply.status).toBe(404);
          replies.push(partsOf(reply, world));
        }
        return replies;
      }),
    );
    expect(seen[1]).toEqual(seen[0]);
  });

  test('the owner and an inspector see the difference', async () => {
    const different: string[] = [];
    for (const operation of operations) {
      const [one, other] = await Promise.all(
        worlds.map(async (world) => {
          const [plain] = asksOf(operation, active, world);
          const query = { ...(plain?.query as object), ...(!operation.side.secured && { zugang: world.inspector }) };
          const reply = await send(operation, world.owner, { ...(plain as Ask), query });
          expect([operation.operationId, reply.status < 400]).toEqual([operation.operationId, true]);
          return partsOf(reply, world);
        }),
      );
      if (String(one) !== String(other)) different.push(operation.operationId);
    }
    const ofOwner = ['getMe', 'listProducts', 'getPassport', 'getScanStatistics'];
    const ofInspector = ['getPassportPage', 'getPassportJsonld', 'readDppById'];
    expect(different).toEqual(expect.arrayContaining([...ofOwner, ...ofInspector]));
  });

  const ofProduct = operations.filter(({ side, path }) => !side.secured && path.includes('{'));

  /** What a request is refused with, and the statements that it runs. */
  async function refusal(operation: Operation, ask: Ask, of = active) {
    const [world] = worlds;
    const statements: string[] = [];
    const stop = onStatement(world.service.database, ({ sql }) => statements.push(sql));
    const reply = await send(operation, world.stranger, ask);
    stop();
    expect(reply.status).toBeGreaterThanOrEqual(400);
    return { parts: partsOf(reply, world, of), statements };
  }

  test.each(ofProduct)('$operationId does the same whether the product exists or not', async (operation) => {
    const refusals = async (one: typeof active) => {
      const found: unknown[] = [];
      for (const ask of asksOf(operation, one, worlds[0])) found.push(await refusal(operation, ask, one));
      return found;
    };
    const none = await refusals(unknown);
    expect(none[0]).not.toMatchObject({ statements: [] });
    for (const one of [draft, archived, { ...draft, tenant: 'nobody' }]) expect(await refusals(one)).toEqual(none);
  });

  test('a withheld version is refused as one that was never public, with the same statements', async () => {
    const withVersion = ofProduct.filter(({ parameters }) => parameters.some(({ name }) => name === 'version'));
    expect(withVersion).not.toEqual([]);
    for (const operation of withVersion) {
      const [own, withheld] = variationsOf(operation, active, { version: ['2', '4'] }).filter(
        ({ query }) => Object(query).version,
      );
      expect(await refusal(operation, withheld as Ask)).toEqual(await refusal(operation, own as Ask));
    }
  });
});
