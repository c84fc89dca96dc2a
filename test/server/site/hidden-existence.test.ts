import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Schemas } from '@product-passport/openapi';
import canonicalize from 'canonicalize';
import { setImage } from '../../../server/src/images/store.ts';
import type { Client } from '../../support/client.ts';
import { databaseKinds, onStatement } from '../../support/database.ts';
import { useService } from '../../support/service.ts';

describe.each(databaseKinds)('%s', (kind) => {
  const service = useService(kind);
  let client: Client;
  let token = '';
  beforeAll(async () => {
    client = await service.newTenant();
    for (const name of ['Entwurf', 'Archiv', 'Aktiv']) {
      const { slug } = await client.create(name);
      await client.write(slug, [{ field_key: 'secret', value: 'geheim', access_level: 'authority' }]);
    }
    await service.activate(client, 'aktiv');
    await service.activate(client, 'archiv');
    await service.archive(client, 'archiv');
    token = await client.token('inspector');
  });

  /** The status of a GET, and the SQL statements that it runs. */
  async function statementsOf(
    path: string,
    query = '',
    get = (): Promise<{ status: number }> => client.call({ path, query, key: null }),
  ): Promise<{ status: number; statements: string[] }> {
    const statements: string[] = [];
    const stop = onStatement(service.database, ({ sql }) => statements.push(sql));
    const { status } = await get();
    stop();
    return { status, statements };
  }

  test.each([
    ['the page', '', ''],
    ['the page with a token', '', 'zugang'],
    ['the document', '/jsonld', ''],
    ['the document with a token', '/jsonld', 'zugang'],
  ])('a 404 of %s runs the same statements whether the product exists or not', async (_, end, parameter) => {
    const query = parameter && `zugang=${token}`;
    const tenant = client.tenant.slug;
    const unknown = await statementsOf(`/p/${tenant}/none${end}`, query);
    expect(unknown.status).toBe(404);
    expect(unknown.statements.join()).not.toMatch(/passport_values|access_tokens|secrets/);
    for (const path of [`${tenant}/entwurf`, `${tenant}/archiv`, 'nobody/entwurf'])
      expect(await statementsOf(`/p/${path}${end}`, query)).toEqual(unknown);
    const active = await statementsOf(`/p/${tenant}/aktiv${end}`, query);
    expect([active.status, active.statements.join().includes('passport_values')]).toEqual([200, true]);
  });

  test('a 404 of an image runs the same statements whether the product exists or not', async () => {
    const { id } = await service.database('products').where({ slug: 'entwurf' }).first('id');
    const image = { bytes: Buffer.from('x'), width: 1, height: 1, alt: null };
    await setImage(service.database, { tenantId: client.tenant.id, productId: id }, image, new Date());
    const name = `${createHash('sha256').update(image.bytes).digest('hex').slice(0, 16)}.webp`;
    const seen: Awaited<ReturnType<typeof statementsOf>>[] = [];
    for (const product of ['none', 'entwurf', 'aktiv']) {
      const path = `/p/${client.tenant.slug}/${product}/image/${name}`;
      // The contract does not have this path.
      seen.push(await statementsOf(path, '', () => fetch(`http://127.0.0.1:${service.port}${path}`)));
    }
    expect(seen).toEqual([seen[0], seen[0], seen[0]]);
    expect(seen[0]?.status).toBe(404);
    expect(seen.map(({ statements }) => statements.join()).join()).not.toContain('bytes');
  });
});

type PassportDocument = Schemas['PassportDocument'];

const hidden = {
  smelter_origin: { value: 'PT', access_level: 'restricted' },
  contains_conflict_minerals: { value: false, access_level: 'authority' },
} as const;

function sha256(content: unknown): string {
  return createHash('sha256')
    .update(canonicalize(content) ?? '')
    .digest('hex');
}

/** All two-letter codes, a superset of the country codes. */
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
const countries = letters.flatMap((first) => letters.map((second) => first + second));

/** Tries every boolean with every country, in each form of the hash that works without the salt. */
function guess(document: PassportDocument): { found: object | undefined; tried: number } {
  const {
    identifier,
    inLanguage: locale,
    'dpp:templateVersion': template_version,
  } = document.hasDigitalProductPassport;
  const imported = { is_unknown: false, locale, needs_review: false, source: 'import', unit: null };
  const shown = document.additionalProperty.map(({ propertyID, value, unitText }) => ({
    ...{ ...imported, access_level: 'public', field_key: propertyID, value, unit: unitText ?? null },
  }));
  const forms = [{}, { salt: null }, { salt: '' }, { salt: '0'.repeat(32) }];
  let tried = 0;
  for (const conflict of [false, true]) {
    for (const country of countries) {
      const answers = { smelter_origin: country, contains_conflict_minerals: conflict };
      const guessed = (['smelter_origin', 'contains_conflict_minerals'] as const).map((field_key) => ({
        ...{ ...imported, access_level: hidden[field_key].access_level, field_key, value: answers[field_key] },
      }));
      const values = [...shown, ...guessed].sort((a, b) => (a.field_key < b.field_key ? -1 : 1));
      for (const form of forms) {
        tried += 1;
        if (sha256({ ...form, template_version, values }) === identifier.value) return { found: answers, tried };
      }
    }
  }
  return { found: undefined, tried };
}

describe('hidden values cannot be guessed from the public document', () => {
  const service = useService('SQLite');
  let client: Client;
  const slug = 'aluminium';

  beforeAll(async () => {
    client = await service.newTenant();
    await client.publish({ name: 'Aluminium', slug, product_group: 'aluminium' }, [
      { field_key: 'manufacturer_name', value: 'Nordlicht' },
      { field_key: 'mass', value: 12.5, unit: 'kg' },
      ...Object.entries(hidden).map(([field_key, value]) => ({ field_key, ...value })),
    ]);
  });

  async function publicDocument(): Promise<PassportDocument> {
    const { text } = await client.call({ path: `/p/${client.tenant.slug}/${slug}/jsonld`, key: null });
    return JSON.parse(text);
  }

  test('an attacker who knows the keys tries every boolean and country, and finds nothing', async () => {
    expect(guess(await publicDocument())).toEqual({ found: undefined, tried: 2 * countries.length * 4 });
  });

  test('the same attack finds both values if the hash has no salt', async () => {
    const document = await publicDocument();
    const { template_version, values } = await client.passport(slug);
    const unsalted = sha256({ template_version, values: values.map(({ updated_at: _, ...hashed }) => hashed) });
    document.hasDigitalProductPassport.identifier.value = unsalted;
    expect(guess(document).found).toEqual({ smelter_origin: 'PT', contains_conflict_minerals: false });
  });
});
