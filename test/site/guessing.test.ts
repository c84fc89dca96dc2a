/** An attacker without a key has the public document and guesses the hidden values. */
import { createHash } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import type { Schemas } from '../../server/src/contract/types.ts';
import type { Client } from '../support/client.ts';
import { useService } from '../support/service.ts';

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

/** The values that the document shows, in the form of an import. */
function shownValues(document: PassportDocument): object[] {
  return document.additionalProperty.map((property) => ({
    access_level: property['dpp:accessLevel'],
    field_key: property.propertyID,
    is_unknown: property['dpp:isUnknown'] ?? false,
    locale: property['dpp:locale'],
    needs_review: false,
    source: 'import',
    unit: property.unitText ?? null,
    value: property.value ?? null,
  }));
}

/** Tries every boolean with every country, in each form of the hash that works without the salt. */
function guess(document: PassportDocument): { found: object | undefined; tried: number } {
  const passport = document.hasDigitalProductPassport;
  const template_version = passport['dpp:templateVersion'];
  const locale = passport.inLanguage;
  const target = passport.identifier.value;
  const forms = [{}, { salt: null }, { salt: '' }, { salt: '0'.repeat(32) }];
  let tried = 0;
  for (const conflict of [false, true]) {
    for (const country of countries) {
      const answers = { smelter_origin: country, contains_conflict_minerals: conflict };
      const guessed = Object.entries(answers).map(([field_key, value]) => ({
        ...{ field_key, value, locale, access_level: hidden[field_key as keyof typeof hidden].access_level },
        ...{ is_unknown: false, needs_review: false, source: 'import', unit: null },
      }));
      const values = [...shownValues(document), ...guessed].sort((a, b) =>
        Reflect.get(a, 'field_key') < Reflect.get(b, 'field_key') ? -1 : 1,
      );
      for (const form of forms) {
        tried += 1;
        if (sha256({ ...form, template_version, values }) === target) return { found: answers, tried };
      }
    }
  }
  return { found: undefined, tried };
}

describe('hidden values cannot be guessed from the public document', () => {
  const service = useService('SQLite');
  let client: Client;
  let slug = '';

  beforeAll(async () => {
    client = await service.newTenant();
    ({ slug } = await client.create({ name: 'Aluminium', product_group: 'aluminium' }));
    await client.write(slug, [
      { field_key: 'manufacturer_name', value: 'Nordlicht' },
      { field_key: 'mass', value: 12.5, unit: 'kg' },
      ...Object.entries(hidden).map(([field_key, value]) => ({ field_key, ...value })),
    ]);
    await service.activate(client, slug);
  });

  async function publicDocument(): Promise<PassportDocument> {
    const { text } = await client.call({ path: `/p/${client.tenant.slug}/${slug}/jsonld`, key: null });
    return JSON.parse(text);
  }

  test('an attacker who knows the keys tries every boolean and country, and finds nothing', async () => {
    const document = await publicDocument();

    expect(guess(document)).toEqual({ found: undefined, tried: 2 * countries.length * 4 });
  });

  test('the same attack finds both values if the hash has no salt', async () => {
    const document = await publicDocument();
    const { template_version, values } = await client.passport(slug);
    const unsalted = sha256({ template_version, values: values.map(({ updated_at: _, ...hashed }) => hashed) });
    document.hasDigitalProductPassport.identifier.value = unsalted;
    expect(guess(document).found).toEqual({ smelter_origin: 'PT', contains_conflict_minerals: false });
  });
});
