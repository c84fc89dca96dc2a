/** Interactions that read and write passport values. */
import type { PassportValueInput } from '@product-passport/sdk';
import { type Given, given } from '../states/catalogue.ts';
import {
  aTenantWithKabel,
  brokenJson,
  type Case,
  failure,
  get,
  kabel,
  ok,
  plainText,
  put,
  securedCalls,
  threeValues,
  withBody,
  withRaw,
  withRawBody,
} from './case.ts';
import { anyCompleteness, passport, passportValue } from './matchers.ts';

const path = `/products/${kabel.slug}/passport`;
const product = { name: kabel.name, slug: kabel.slug, status: 'draft' } as const;

function values(...written: readonly PassportValueInput[]): Given {
  return given('the product has passport values', { product: kabel.slug, values: written });
}

/** The salt and the hash from the example in the contract, which has the same three values. */
const exampleVersion = {
  salt: '6f1c9d0a4b7e42c3a85d3e90f2b16c47',
  content_hash: '7f1b5824f8eb596612c15fc1adcc2e972a457d54c87a250dc408972eb27aaa62',
};

const reading: Pick<Case, 'call' | 'request'> = {
  call: ({ client }) => client.passports.get(kabel.slug),
  request: get(path),
};

const readings: readonly Case[] = [
  {
    description: 'getPassport: values of every access level, sorted by field_key (reference)',
    given: [
      ...aTenantWithKabel,
      values(
        { field_key: 'voltage', value: '48', unit: 'V', source: 'manual', access_level: 'authority' },
        { field_key: 'halogen_free', value: true, access_level: 'restricted', source: 'supplier' },
        { field_key: 'cable_length', value: 2.5, unit: 'm' },
      ),
    ],
    ...reading,
    response: ok(
      passport(product, [
        passportValue({ field_key: 'cable_length', value: 2.5, unit: 'm' }),
        passportValue({ field_key: 'halogen_free', value: true, access_level: 'restricted', source: 'supplier' }),
        passportValue({
          field_key: 'voltage',
          value: '48',
          unit: 'V',
          source: 'manual',
          access_level: 'authority',
        }),
      ]),
    ),
  },
  {
    description: 'getPassport: values of every JSON type, unchanged (reference)',
    given: [
      ...aTenantWithKabel,
      values(
        { field_key: 'a_text', value: 'Grüße' },
        { field_key: 'b_number', value: -0.5 },
        { field_key: 'c_truth', value: false },
        { field_key: 'd_null', value: null, is_unknown: true, needs_review: true },
        { field_key: 'e_list', value: [1, 'zwei', null] },
        { field_key: 'f_object', value: { en: 'cable', de: { kurz: 'Kabel' } } },
      ),
    ],
    ...reading,
    response: ok(
      passport(product, [
        passportValue({ field_key: 'a_text', value: 'Grüße' }),
        passportValue({ field_key: 'b_number', value: -0.5 }),
        passportValue({ field_key: 'c_truth', value: false }),
        passportValue({ field_key: 'd_null', value: null, is_unknown: true, needs_review: true }),
        passportValue({ field_key: 'e_list', value: [1, 'zwei', null] }),
        passportValue({ field_key: 'f_object', value: { en: 'cable', de: { kurz: 'Kabel' } } }),
      ]),
    ),
  },
  {
    description: 'getPassport: an update without unit and access level keeps both (reference)',
    given: [
      ...aTenantWithKabel,
      values({ field_key: 'cable_length', value: 2, unit: 'm', access_level: 'restricted', source: 'manual' }),
      values({ field_key: 'cable_length', value: 3 }),
    ],
    ...reading,
    response: ok(
      passport(product, [
        passportValue({ field_key: 'cable_length', value: 3, unit: 'm', access_level: 'restricted' }),
      ]),
    ),
  },
  {
    description: 'getPassport: a field written twice in one request keeps the access level of the first (reference)',
    given: [
      ...aTenantWithKabel,
      values({ field_key: 'voltage', value: '48', access_level: 'restricted' }, { field_key: 'voltage', value: '50' }),
    ],
    ...reading,
    response: ok(passport(product, [passportValue({ field_key: 'voltage', value: '50', access_level: 'restricted' })])),
  },
  {
    description: 'getPassport: the content hash covers the salt and the values as the contract defines (reference)',
    given: [
      ...aTenantWithKabel,
      given('the product has passport values', {
        product: kabel.slug,
        values: threeValues,
        salt: exampleVersion.salt,
      }),
    ],
    ...reading,
    response: ok(
      passport(
        product,
        threeValues.map((value) => passportValue(value)),
        exampleVersion,
      ),
    ),
  },
  {
    description: 'getPassport: keys sorted by UTF-16 code units, an emoji before a full-width letter (reference)',
    given: [...aTenantWithKabel, values({ field_key: '\uff21', value: 2 }, { field_key: '\u{1f50c}', value: 1 })],
    ...reading,
    response: ok(
      passport(product, [
        passportValue({ field_key: '\u{1f50c}', value: 1 }),
        passportValue({ field_key: '\uff21', value: 2 }),
      ]),
    ),
  },
  {
    description: 'getPassport: a new product has a version without values',
    given: aTenantWithKabel,
    ...reading,
    response: ok(passport(product, [], {})),
  },
];

function writing(body: readonly PassportValueInput[]): Pick<Case, 'call' | 'request'> {
  return { call: ({ client }) => client.passports.put(kabel.slug, body), request: put(path, body) };
}

function written(updated: number): ReturnType<typeof ok> {
  return ok({ updated, completeness: anyCompleteness });
}

const writings: readonly Case[] = [
  {
    description: 'putPassport: new fields',
    given: aTenantWithKabel,
    ...writing(threeValues),
    response: written(3),
  },
  {
    description: 'putPassport: one existing and one new field',
    given: [...aTenantWithKabel, values({ field_key: 'cable_length', value: 2, unit: 'm' })],
    ...writing([
      { field_key: 'cable_length', value: '2.5' },
      { field_key: 'voltage', value: '48' },
    ]),
    response: written(2),
  },
  {
    description: 'putPassport: a field written twice counts once (reference)',
    given: aTenantWithKabel,
    ...writing([
      { field_key: 'cable_length', value: '2' },
      { field_key: 'cable_length', value: '3' },
    ]),
    response: written(1),
  },
  {
    description: 'putPassport: an empty array',
    given: aTenantWithKabel,
    ...writing([]),
    response: written(0),
  },
];

const { call, request } = securedCalls.putPassport;

const refusals: readonly Case[] = [
  {
    description: 'putPassport: a body that is not JSON',
    given: aTenantWithKabel,
    call,
    alter: withRaw(brokenJson),
    request: withRawBody(request, brokenJson),
    response: failure(400, 'invalid_json'),
  },
  {
    description: 'putPassport: a body that is not an array',
    given: aTenantWithKabel,
    call,
    alter: withBody({ field_key: 'cable_length', value: 2 }),
    request: put(path, { field_key: 'cable_length', value: 2 }),
    response: failure(400, 'values_must_be_array'),
  },
  {
    description: 'putPassport: an element without field_key',
    given: aTenantWithKabel,
    call,
    alter: withBody([...threeValues, { value: 2 }]),
    request: put(path, [...threeValues, { value: 2 }]),
    response: failure(400, 'field_key_required'),
  },
  {
    description: 'putPassport: an element with an empty field_key',
    given: aTenantWithKabel,
    ...writing([{ field_key: '', value: 2 }]),
    response: failure(400, 'field_key_required'),
  },
  {
    description: 'putPassport: an access level that does not exist (reference)',
    given: aTenantWithKabel,
    call,
    alter: withBody([{ field_key: 'voltage', value: '48', access_level: 'secret' }]),
    request: put(path, [{ field_key: 'voltage', value: '48', access_level: 'secret' }]),
    response: failure(400, 'invalid_request'),
  },
  {
    description: 'putPassport: one value more than the limit of a passport (reference)',
    given: [...aTenantWithKabel, given('the passport is full', { product: kabel.slug, values: 5000 })],
    ...writing([{ field_key: 'voltage', value: '48' }]),
    response: failure(400, 'invalid_request'),
  },
  {
    description: 'putPassport: a content type other than JSON (reference)',
    given: aTenantWithKabel,
    call,
    alter: withRaw(plainText),
    request: withRawBody(request, plainText),
    response: failure(415, 'unsupported_media_type'),
  },
];

export const passports: readonly Case[] = [...readings, ...writings, ...refusals];
