/** Requirements of the committed pact: it fits the contract, and it is complete. */
import { describe, expect, test } from '@jest/globals';
import { codesOf, type Operation, readContract } from '@product-passport/openapi';
import { createJudge } from './judge/judge.ts';
import {
  codeOf,
  type Difference,
  differences,
  headerOf,
  type Interaction,
  operationOf,
  readPact,
  requestBodyOf,
} from './pact-file.ts';
import { catalogue, examples, firstState, isStateName, keys } from './states/catalogue.ts';

const pact = readPact();
const judge = createJudge();
const descriptive = createJudge(undefined, { rules: 'description' });
const { operations, describedCodes } = readContract();
const named = pact.interactions.map((interaction) => [interaction.description, interaction] as const);

function statesOf({ providerStates = [] }: Interaction): readonly string[] {
  return providerStates.map(({ name }) => name);
}

describe('the interaction fits the contract:', () => {
  const all = differences(pact);

  test.each(named)('%s', async (description, { response }) => {
    // The comparator reports requests that are invalid on purpose. The contract's judge checks them below.
    const onPurpose = ({ code }: Difference) => [400, 415].includes(response.status) && code.startsWith('request.');
    const own = (await all).filter((difference) => difference.description === description && !onPurpose(difference));
    expect(own.map(({ text }) => text)).toEqual([]);
  });

  test('the comparator reports nothing outside the interactions', async () => {
    const descriptions = new Set(named.map(([description]) => description));
    expect((await all).filter(({ description }) => !descriptions.has(description))).toEqual([]);
  });
});

test('a page may write its doctype in capitals, as HTML allows', () => {
  const patterns = [...JSON.stringify(pact).matchAll(/"regex":("\^<!(?:[^"\\]|\\.)*")/g)].map(([, text = '']) =>
    JSON.parse(text),
  );
  expect(patterns.length).toBeGreaterThan(3);
  for (const doctype of ['<!doctype html>', '<!DOCTYPE html>', '<!DOCTYPE HTML>'])
    expect(patterns.filter((pattern) => !new RegExp(pattern).test(`${doctype}<title>`))).toEqual([]);
});

describe('the example response has only fields of the contract:', () => {
  const withJson = named.filter(([, { response }]) => /json/.test(headerOf(response, 'content-type') ?? ''));

  test.each(withJson)('%s', (_description, interaction) => {
    const { operationId } = operationOf(operations, interaction);
    const { status, body } = interaction.response;
    const headers = { 'content-type': headerOf(interaction.response, 'content-type') };
    expect(descriptive.response({ operationId, status, headers, body: body?.content })).toEqual([]);
  });
});

describe('the error code is the one that the contract gives for the request:', () => {
  test.each(named)('%s', (_description, interaction) => {
    const { status } = interaction.response;
    const expected = expectedCode(interaction);
    // A page has no error code; the status stands for it.
    const code = codeOf(interaction) ?? { 500: 'internal_error' }[status];
    // The request alone does not show that a product is missing.
    if (status !== 404 || expected !== undefined) expect(code).toBe(expected);
  });

  /** The error code that follows from the request or from a state, in the order of the service's checks. */
  function expectedCode(interaction: Interaction): string | undefined {
    const key = headerOf(interaction.request, 'authorization');
    const operation = operationOf(operations, interaction);
    if (operation.side.secured && key !== `Bearer ${keys.valid}` && key !== `Bearer ${keys.publishing}`)
      return 'invalid_api_key';
    const { text, value, isJson } = requestBodyOf(interaction);
    if (text !== undefined && !isJson) return 'unsupported_media_type';
    if (text !== undefined && value === undefined) return 'invalid_json';
    const [finding] = judge.request({
      operationId: operation.operationId,
      query: interaction.request.query ?? {},
      pathParameters: operation.pathParameters,
      body: value,
    });
    const explained = statesOf(interaction).map((name) => (isStateName(name) ? catalogue[name].explains : undefined));
    const mayNotPublish = operation.operationId === 'setProductStatus' && key === `Bearer ${keys.valid}`;
    const isThere = statesOf(interaction).includes('the tenant has a product');
    return (
      finding?.code ??
      explained.find((code) => code !== undefined) ??
      (mayNotPublish && isThere ? 'key_cannot_publish' : undefined) ??
      inUse(operation, interaction)
    );
  }
});

/** Two products have values: the same serial number. */
function inUse({ operationId }: Pick<Operation, 'operationId'>, interaction: Interaction): string | undefined {
  const written = statesOf(interaction).filter((name) => name === 'the product has passport values');
  return operationId === 'setProductStatus' && written.length === 2 ? 'value_in_use' : undefined;
}

describe('every interaction', () => {
  test('has a unique name that begins with the operation and marks codes and headers of the claim reference', () => {
    expect(new Set(named.map(([description]) => description)).size).toBe(named.length);
    for (const [description, interaction] of named) {
      const code = codeOf(interaction);
      expect(description.split(':')[0]).toBe(operationOf(operations, interaction).operationId);
      const marked = Object.keys(interaction.response.headers ?? {}).filter(
        (name) => !/^(content-type|location)$/i.test(name),
      );
      if ((code !== undefined && !describedCodes.includes(code)) || marked.length > 0)
        expect(description).toMatch(/\(reference\)$/);
    }
  });

  test('begins with the same state, which removes the data of earlier interactions', () => {
    for (const [, interaction] of named) {
      const [first, ...later] = statesOf(interaction);
      expect(first).toBe(firstState);
      expect(later).not.toContain(firstState);
    }
  });

  test('sends a return value of its own states instead of each example of one', () => {
    const sent = new Set<string>();
    for (const [, interaction] of named) {
      const { headers, query, generators = {} } = interaction.request;
      const text = JSON.stringify([headers, query]);
      const found = Object.entries(examples).flatMap(([name, example]) => (text.includes(example) ? [name] : []));
      const expressions = Object.values(generators).flatMap((ofPlace) => Object.values(ofPlace));
      const sentNames = expressions.map(({ expression = '' }) => /\$\{(\w+)\}$/.exec(expression)?.[1]);
      expect(sentNames).toEqual(found);
      const returned = statesOf(interaction).map((name) => (isStateName(name) ? catalogue[name].returns : undefined));
      expect(returned).toEqual(expect.arrayContaining(found));
      for (const name of found) sent.add(name);
    }
    expect([...sent].sort()).toEqual(Object.keys(examples).sort());
  });

  test('uses states of the catalogue, and every state of the catalogue is used', () => {
    for (const [, interaction] of named) expect(statesOf(interaction)).not.toEqual([]);
    const used = new Set(pact.interactions.flatMap(statesOf));
    expect([...used].sort()).toEqual(Object.keys(catalogue).sort());
  });
});

describe('the pact is complete:', () => {
  const foreign = 'another tenant with a product';

  test.each(operations.map((operation) => [operation.operationId, operation] as const))('%s', (_id, operation) => {
    const own = pact.interactions.filter(
      (candidate) => operationOf(operations, candidate).operationId === operation.operationId,
    );
    const missing = requiredInteractions(operation).filter(([, fits]) => !own.some(fits));
    expect(missing.map(([what]) => what)).toEqual([]);
  });

  /** The interactions that the pact must have for an operation, derived from the contract. */
  function requiredInteractions({
    variantOf,
    side: { secured },
    responses,
    path,
  }: Operation): [string, (one: Interaction) => boolean][] {
    const refused = (one: Interaction) => one.response.status === 401 && codeOf(one) === 'invalid_api_key';
    const withKey = (one: Interaction, key: string) => headerOf(one.request, 'authorization') === `Bearer ${key}`;
    const absent = (one: Interaction) => one.response.status === 404;
    const ofProduct = /\{(slug|product)\}/.test(path);
    const success = ({ response }: Interaction) => response.status < 400;
    // The state makes the requests of one tenant fail.
    const namesTenant = secured || path.includes('{');
    const canFail = '500' in responses && namesTenant;
    if (variantOf !== undefined) return [['a success', success]];
    const list: [boolean, string, (one: Interaction) => boolean][] = [
      [true, 'a success', success],
      [secured, 'no key', (one) => refused(one) && headerOf(one.request, 'authorization') === undefined],
      [secured, 'an unknown key', (one) => refused(one) && withKey(one, keys.unknown)],
      [secured, 'a revoked key', (one) => refused(one) && withKey(one, keys.revoked)],
      ['404' in responses, 'a product that is not there', (one) => absent(one) && !statesOf(one).includes(foreign)],
      [ofProduct, 'a product of another tenant', (one) => absent(one) && statesOf(one).includes(foreign)],
      [canFail, 'a failure', (one) => one.response.status === 500],
    ];
    const described = describedCodes.filter((code) => canFail || code !== 'internal_error');
    const ofCodes = Object.entries(responses).flatMap(([status, response]) =>
      codesOf(response)
        .filter((code) => described.includes(code))
        .map((code): (typeof list)[number] => [
          true,
          `${status} ${code}`,
          (one) => one.response.status === Number(status) && codeOf(one) === code,
        ]),
    );
    return [...list, ...ofCodes].filter(([applies]) => applies).map(([, what, fits]) => [what, fits]);
  }
});
