import { describe, expect, test } from '@jest/globals';
import { readContract } from '../../openapi/src/index.ts';
import type { Passport, PassportDocument } from '../../sdk/src/index.ts';
import { verifyContentHash, verifyPassport } from '../../sdk/src/verify.ts';
import { rejection } from '../support/thrown.ts';

/** The first example of the operation's 200, as a copy. */
function exampleOf(operationId: string): unknown {
  const operation = readContract().operations.find((candidate) => candidate.operationId === operationId);
  const [media] = Object.values(operation?.responses['200']?.content ?? {});
  const [example] = Object.values(media?.examples ?? {});
  if (example === undefined) throw new Error(`openapi.yaml has no example of ${operationId}.`);
  return structuredClone(example.value);
}

const document = () => exampleOf('getPassportJsonld') as PassportDocument;

describe('the public values', () => {
  test("of the contract's example have the hash that it names", async () => {
    const hash = document().hasDigitalProductPassport['dpp:publicContentHash'];
    expect(await verifyPassport(document())).toEqual({ ok: true, expected: hash, actual: hash });
  });

  type Property = PassportDocument['additionalProperty'][number];
  const [cable, halogen] = document().additionalProperty as [Property, Property];
  const changes: [string, Property[]][] = [
    ['a value', [{ ...cable, value: 3 }, halogen]],
    ['its type', [{ ...cable, value: '2' }, halogen]],
    ['a unit', [{ ...cable, unitText: 'km' }, halogen]],
    ['a language', [{ ...cable, 'dpp:locale': 'fr' }, halogen]],
    ['a key', [{ ...cable, propertyID: 'cable' }, halogen]],
    ['who may see it', [{ ...cable, 'dpp:accessLevel': 'restricted' }, halogen]],
    ['a value that is left out', [halogen]],
    ['an added one', [cable, halogen, { ...cable, propertyID: 'x' }]],
    ['a repeated one', [cable, cable, halogen]],
    ['a value that is unknown, too', [cable, { ...halogen, value: true }]],
    ['a missing "unknown"', [cable, (({ 'dpp:isUnknown': _, ...rest }) => rest)(halogen)]],
  ];

  test.each(changes)('a change is detected: %s', async (_what, additionalProperty) => {
    const { ok, expected, actual } = await verifyPassport({ ...document(), additionalProperty });
    expect(ok).toBe(false);
    expect(actual).toMatch(/^[0-9a-f]{64}$/);
    expect(actual).not.toBe(expected);
  });

  test('may be in any order, among values that are not public, with any labels', async () => {
    const closed = { ...cable, propertyID: 'a', 'dpp:accessLevel': 'authority' } as const;
    const additionalProperty = [halogen, closed, { ...cable, name: 'Length', unitCode: 'KMT' }];
    expect(await verifyPassport({ ...document(), additionalProperty })).toMatchObject({ ok: true });
  });

  const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`);
  const [missing, endless] = [undefined, { ...cable, value: { '@type': '@json', '@value': deep } }];
  test.each([
    ['nothing', undefined],
    ['null', null],
    ['text', 'x'],
    ['no passport', {}],
    ['no values', { ...document(), additionalProperty: missing }],
    ['invalid values', { ...document(), additionalProperty: [null] }],
    ['no hash', { ...document(), hasDigitalProductPassport: {} }],
    ['a hash that is not text', { ...document(), hasDigitalProductPassport: { 'dpp:publicContentHash': ['x'] } }],
    ['a value without end', { ...document(), additionalProperty: [endless] }],
  ])('%s is refused', async (_what, given) => {
    const error = await rejection(verifyPassport(given as PassportDocument));
    expect(error).toMatchObject({ name: 'ArgumentError', argument: 'document' });
  });
});

describe('all values', () => {
  const passport = () => exampleOf('getPassport') as Passport;

  test("of the contract's example have the hash that it names", async () => {
    const hash = passport().latest_version.content_hash;
    expect(await verifyContentHash(passport())).toEqual({ ok: true, expected: hash, actual: hash });
  });

  test('the hash does not cover unknown members and the time', async () => {
    const more = passport();
    more.values = more.values.map((value) => ({ ...value, updated_at: '', of_tomorrow: 1 }));
    expect(await verifyContentHash(more)).toMatchObject({ ok: true });
  });

  test('every hashed member counts', async () => {
    const of = (members: Partial<Passport>) => verifyContentHash({ ...passport(), ...members });
    const { values, latest_version } = passport();
    const members = ['access_level', 'field_key', 'is_unknown', 'locale', 'needs_review', 'source', 'unit', 'value'];
    const changes: Partial<Passport>[] = [
      ...members.map((member) => ({ values: values.map((value) => ({ ...value, [member]: 'other' })) })),
      ...[{ template_version: 9 }, { latest_version: { ...latest_version, salt: '0'.repeat(32) } }],
      { values: values.slice(1) },
    ];
    for (const change of changes) expect([change, await of(change)]).toMatchObject([change, { ok: false }]);
  });

  test('a value that is not a passport is rejected', async () => {
    const { salt: _, ...saltless } = passport().latest_version;
    const versions = [{}, saltless].map((latest_version) => ({ ...passport(), latest_version }));
    for (const given of [undefined, null, {}, { ...passport(), values: {} }, ...versions]) {
      const error = await rejection(verifyContentHash(given as Passport));
      expect(error).toMatchObject({ name: 'ArgumentError', argument: 'passport' });
    }
  });
});
