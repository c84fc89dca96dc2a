import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import canonicalize from 'canonicalize';
import { createJudge } from '../../contracts/judge/judge.ts';
import { codesOf, readContract, readDocument, type Schema } from '../../openapi/src/index.ts';

const contract = readContract();
const { operations } = createJudge();

function examplesOf(operationId: string): Readonly<Record<string, unknown>> {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  const media = Object.values(operation?.responses['200']?.content ?? {});
  const examples = media.flatMap((type) => Object.entries(type.examples ?? {}));
  return Object.fromEntries(examples.map(([name, { value }]) => [name, value]));
}

describe('the contract', () => {
  test('has the eleven operations of the service and the operations of a resolver', () => {
    const own = operations.filter(({ variantOf }) => variantOf === undefined);
    expect(own.map(({ operationId }) => operationId).toSorted()).toEqual([
      'createProduct',
      'getMe',
      'getPassport',
      'getPassportJsonld',
      'getPassportPage',
      'getProduct',
      'getResolverDescription',
      'getScanStatistics',
      'listCarriers',
      'listProducts',
      'putPassport',
      'resolveGtin',
    ]);
  });

  test.each([
    ['invalid_api_key', 401],
    ['not_found', 404],
    ['invalid_json', 400],
    ['name_required', 400],
    ['unknown_product_group', 400],
    ['values_must_be_array', 400],
    ['field_key_required', 400],
    ['internal_error', 500],
  ])('has the code %s of the service’s description under the status %d only', (code, status) => {
    const statuses = operations.flatMap(({ codes }) =>
      Object.keys(codes).filter((key) => codes[Number(key)]?.includes(code)),
    );
    expect([...new Set(statuses)]).toEqual([String(status)]);
  });

  test('lists in the schema of errors the codes of all responses, and no other', () => {
    const { components } = readDocument() as { components: { schemas: { Error: Schema } } };
    const listed = components.schemas.Error.properties?.error?.properties?.code?.['x-extensible-enum'];
    const responses = [...contract.operations.map((operation) => operation.responses), contract.besideOperations];
    const codes = new Set(responses.flatMap((byStatus) => Object.values(byStatus)).flatMap(codesOf));
    expect(listed?.toSorted()).toEqual([...codes].toSorted());
  });

  test('lists the product groups that have a template', () => {
    const file = new URL('../../server/data/templates.json', import.meta.url);
    const templates: readonly { key: string }[] = JSON.parse(readFileSync(file, 'utf8'));
    const createProduct = contract.operations.find(({ operationId }) => operationId === 'createProduct');
    const group = createProduct?.body?.schema.properties?.product_group;
    const known = group?.oneOf?.[0]?.['x-extensible-enum'];
    expect(known).toEqual(templates.map(({ key }) => key));
  });
});

interface PassportExample {
  readonly template_version: number;
  readonly values: readonly Readonly<Record<string, unknown>>[];
  readonly latest_version: { readonly content_hash: string; readonly salt: string };
}

const hashedMembers = ['access_level', 'field_key', 'is_unknown', 'locale', 'needs_review', 'source', 'unit', 'value'];

function contentHash({ template_version, values, latest_version: { salt } }: PassportExample): string {
  const hashed = values.map((value) => Object.fromEntries(hashedMembers.map((member) => [member, value[member]])));
  const text = canonicalize({ salt, template_version, values: hashed }) ?? '';
  return createHash('sha256').update(text).digest('hex');
}

describe('the content hash of an example can be recomputed', () => {
  const passports = Object.entries(examplesOf('getPassport')) as [string, PassportExample][];

  test.each(passports)('passport %s', (_name, passport) => {
    expect(passport.latest_version.content_hash).toBe(contentHash(passport));
  });

  test('the public document repeats the content hash of its passport, and the salt for an inspector only', () => {
    const documents = Object.values(examplesOf('getPassportJsonld')) as {
      hasDigitalProductPassport: Record<string, unknown> & { identifier: { value: string } };
    }[];
    const shown = documents.map(({ hasDigitalProductPassport: passport }) => [
      passport['dpp:viewRole'],
      passport.identifier.value,
      passport['dpp:contentSalt'],
    ]);
    const { content_hash, salt } = passports.find(([name]) => name === 'filled')?.[1].latest_version ?? {};
    expect(shown).toEqual([
      ['consumer', content_hash, undefined],
      ['inspector', content_hash, salt],
    ]);
  });
});
