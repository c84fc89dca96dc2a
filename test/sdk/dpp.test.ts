/** The client of the EU reads: providers that write what the public sources write, its errors, its pages, its words. */
import { describe, expect, test } from '@jest/globals';
import { createDppClient, type DppClientOptions, show } from '../../sdk/src/dpp.ts';
import * as de from '../../sdk/src/generated/languages/de.ts';
import { show as showDocument } from '../../sdk/src/templates.ts';
import { base, item, model, serve, sources, twin } from '../contracts/dpp/twin.ts';
import { endless, rejection } from '../support/thrown.ts';

const handler = (respond: ReturnType<typeof twin>) => {
  const served = serve(respond);
  return async (url: string, init: RequestInit) => served(new Request(url, init));
};

const connect = (respond = twin(), options: Partial<DppClientOptions> = {}) =>
  createDppClient({ baseUrl: `${base}/`, fetch: handler(respond) as never, ...options });

/** Responds to every request in turn, the last response to all others. */
function answering(...responses: readonly (() => Response)[]) {
  const urls: string[] = [];
  const fetch = async (url: string) => {
    urls.push(url);
    if (urls.length > 20) throw new Error(endless);
    return (responses[Math.min(urls.length, responses.length) - 1] ?? Response.error)();
  };
  return { urls, client: createDppClient({ baseUrl: base, fetch: fetch as never, timeoutMs: 5000 }) };
}

async function listed<Value>(values: AsyncIterable<Value>): Promise<Value[]> {
  const all: Value[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('reads', () => {
  // Inside of an envelope there is no passport: the suite names those providers.
  const plain = Object.entries(sources).filter(
    ([, { envelope, asks = [] }]) => !envelope && asks.includes('productIds'),
  );
  test.each(plain)('of %s', async (_name, speech) => {
    const client = connect(twin(speech));
    const passport = await client.get(item.id);
    expect(await client.getByProduct(item.product)).toEqual(passport);
    expect(passport).toMatchObject({ digitalProductPassportId: item.id, dppSchemaVersion: 'EN 18223:2026' });
    const { elements } = await client.get(item.id, { representation: 'full' });
    expect(elements[0]).toMatchObject({ objectType: 'DataElementCollection' });
    expect(await listed(client.idsOf([model.product, 'nothing', item.product], { limit: 1 }))).toEqual([
      item.id,
      model.id,
    ]);
    expect(await client.at(item.id, new Date('2026-04-02'))).not.toEqual(passport);
    expect(await client.at(item.id, '2027-01-01T00:00:00+02:00')).toEqual(passport);
  });

  test('one element, in both forms', async () => {
    const client = connect();
    expect(await client.element(item.id, "$['mass']['value']")).toBe(13);
    expect(await client.element(item.id, "$['recycled']")).toBe(true);
    expect(await client.element(item.id, "$['mass']", { representation: 'full' })).toMatchObject({ elementId: 'mass' });
  });

  test('an id is encoded once into one segment', async () => {
    const { urls, client } = answering(() => Response.json({ digitalProductPassportId: "a/b ü'*" }));
    await client.get("a/b ü'*", { zugang: 'x y' });
    expect(urls).toEqual([`${base}/dpps/a%2Fb%20%C3%BC%27%2A?zugang=x%20y`]);
  });

  test('product ids are sent by the hundred, and a repeated id comes once', async () => {
    const { urls, client } = answering(() => Response.json([item.id]));
    expect(await listed(client.idsOf(Array.from({ length: 201 }, (_, index) => `${index}`)))).toEqual([item.id]);
    expect(urls).toHaveLength(3);
  });

  test.each([['same'], ['A', 'B']])('cursors that come again end the loop: %s, %s', async (...cursors) => {
    const pages = Array.from({ length: 10 }, (_, at) => ({ dppIds: ['a'], nextCursor: cursors[at % cursors.length] }));
    const { client, urls } = answering(...pages.map((page) => () => Response.json(page)));
    const expected = { name: 'UnexpectedResponseError', code: 'pages_stalled' };
    expect(await rejection(listed(client.idsOf(['p'])))).toMatchObject(expected);
    expect(urls).toHaveLength(cursors.length + 1);
  });

  test.each([
    '<https://twin.example/dpp/v1/x?cursor=2>; title="a"; rel="next"',
    '</x?cursor=1>; rel="prev", </x?a,b&cursor=2>;rel=next',
    '</x?cursor=2>; title="a, rel=prev"; Rel="next"',
    "<?cursor=2>; rel='next'",
  ])('the next page stands in Link: %s', async (link) => {
    const { client, urls } = answering(
      () => Response.json(['a'], { headers: { link } }),
      () => Response.json(['b'], { headers: { link: '</x?cursor=1>; rel="prev"; title="rel=next"' } }),
    );
    expect(await listed(client.idsOf(['p']))).toEqual(['a', 'b']);
    expect(urls[1]).toMatch(/\?cursor=2$/);
  });

  test.each([
    ['<http://[bad>; rel="next"', []],
    ['</x?page=2>; rel="next"', []],
    ['', { dppIds: [], nextCursor: { a: 1 } }],
    ['', { items: [], cursor: 2 }],
  ])('a next page without a cursor is unexpected: %s %j', async (link, json) => {
    const { client } = answering(() => Response.json(json, { headers: { link } }));
    const expected = { name: 'UnexpectedResponseError', code: 'unexpected_response', status: 200 };
    expect(await rejection(listed(client.idsOf(['p'])))).toMatchObject(expected);
  });
});

describe('errors', () => {
  const messages = {
    messages: [{ messageType: 'Error', text: 'Nothing there.', code: 'ClientErrorResourceNotFound' }],
  };
  test.each([
    ['the code and the text of the first message', twin(), { code: '404', detail: 'There is no such passport.' }],
    ['the same under another name', () => ({ status: 404, json: messages }), { code: 'ClientErrorResourceNotFound' }],
    [
      'no code: the status',
      () => ({ status: 409, json: { message: [{ text: 'Two.' }] } }),
      { code: '409', detail: 'Two.' },
    ],
    ...[null, {}, '', true].map(
      (code) =>
        [
          `the code ${JSON.stringify(code)}: the status`,
          () => ({ status: 409, json: { message: [{ text: 'Two.', code }] } }),
          { code: '409', detail: 'Two.' },
        ] as const,
    ),
    ['a number', () => ({ status: 409, json: { message: [{ text: 'Two.', code: 7 }] } }), { code: '7' }],
  ])('%s', async (_what, respond, expected) => {
    const error = await rejection(connect(respond).get('https://twin.example/none'));
    expect(error).toMatchObject({ name: 'ApiError', operation: 'readDppById', ...expected });
  });

  test.each([
    ['another body', 404, { detail: 'Not Found' }],
    ['no passport', 200, { payload: {} }],
    ['text', 200, undefined],
  ])('%s is unexpected', async (_what, status, json) => {
    const error = await rejection(connect(() => ({ status, json, ...(json ? {} : { text: 'Hello' }) })).get('x'));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', code: 'unexpected_response', status });
  });

  test('every read is sent again after a failure of the service, also the POST', async () => {
    const down = () => new Response('', { status: 503, headers: { 'retry-after': '0' } });
    const { urls, client } = answering(down, () => Response.json(['a']));
    expect(await listed(client.idsOf(['p']))).toEqual(['a']);
    expect(urls).toHaveLength(2);
  });

  test('the full form without elements is unexpected', async () => {
    const { client } = answering(() => Response.json({ digitalProductPassportId: 'x' }));
    expect(await client.get('x')).toEqual({ digitalProductPassportId: 'x' });
    const full = { representation: 'full' } as const;
    for (const call of [client.get('x', full), client.getByProduct('x', full), client.at('x', '2026-04-02', full)])
      expect(await rejection(call)).toMatchObject({ name: 'UnexpectedResponseError', code: 'unexpected_response' });
  });

  test.each<[string, Record<string, string>, string]>([
    ['[secret] is wrong', { 'x-api-key': 'a-secret-of-the-test' }, 'a-secret-of-the-test is wrong'],
    ['[secret] is wrong', { authorization: 'Bearer a-secret' }, 'Bearer a-secret is wrong'],
    ['[secret] is wrong', { authorization: ' Bearer \t a-secret ' }, 'a-secret is wrong'],
    ['No model', { 'accept-language': 'de', 'x-note': 'a mode' }, 'No model'],
  ])('an error has %j with the headers %j', async (detail, headers, text) => {
    const respond = () => ({ status: 401, json: { message: [{ text }] } });
    expect(await rejection(connect(respond, { headers }).get('x'))).toMatchObject({
      detail,
      message: expect.stringContaining(`401: ${detail} (`),
    });
  });

  test('a provider that wants a key gets it', async () => {
    const headers = { 'x-api-key': 'a-secret-of-the-test' };
    expect(await connect(twin({ key: 'x-api-key' }), { headers }).get(item.id)).toMatchObject({ dppStatus: 'active' });
  });

  test('null in place of options is none', async () => {
    const client = connect(twin(), { headers: null as never });
    expect(await client.get(item.id, null as never, null as never)).toMatchObject({ dppStatus: 'active' });
    expect(await listed(client.idsOf([item.product], null as never, null as never))).toEqual([item.id]);
  });

  test.each([new Date(Number.NaN), undefined, null, 5])('the date %p is refused', async (date) => {
    const call = connect().at(item.id, date as Date);
    expect(await call.result()).toMatchObject({ error: { name: 'ArgumentError', argument: 'date' } });
    expect(await rejection(call.withResponse())).toMatchObject({ name: 'ArgumentError', argument: 'date' });
  });

  test.each([[undefined], ['abc'], [null], [[1]]])('the product ids %p are refused', async (ids) => {
    const expected = { name: 'ArgumentError', argument: 'productIds' };
    expect(await rejection(listed(connect().idsOf(ids as never)))).toMatchObject(expected);
  });

  test.each<[string, Partial<DppClientOptions>]>([
    ['baseUrl', { baseUrl: 'https://passport.example.com/api' }],
    ['baseUrl', { baseUrl: 'ftp://passport.example.com/v1' }],
    ['headers.x-key', { headers: { 'x-key': 'a\nb' } }],
    ['timeoutMs', { timeoutMs: 0 }],
  ])('%s is refused: %j', (argument, options) => {
    expect(() => connect(twin(), options)).toThrow(expect.objectContaining({ name: 'ArgumentError', argument }));
  });

  test.each(['', '.', '..', '\ud800'])('the id %j is refused', async (id) => {
    expect(await rejection(connect().get(id))).toMatchObject({ name: 'ArgumentError', argument: 'dppId' });
  });
});

test('the words are those of the document', async () => {
  const values = {
    cable_length: { value: 2, unit: 'm' },
    material: [{ value: 'Baumwolle', language: 'de' }],
    own_key: [1, 2],
  };
  const { digitalProductPassportId, dppStatus } = await connect().get(item.id);
  const passport = {
    digitalProductPassportId,
    dppStatus,
    contentSpecificationIds: ['https://a.example/ns/dpp#group-cable'],
  };
  const document = {
    category: 'cable',
    additionalProperty: [
      { propertyID: 'cable_length', value: 2, unitText: 'm', 'dpp:locale': undefined },
      { propertyID: 'material', value: 'Baumwolle', 'dpp:locale': 'de' },
      { propertyID: 'own_key', value: [1, 2] },
    ],
  };
  const shown = show({ ...passport, ...values } as never, de);
  expect(shown).toEqual(showDocument(document as never, de));
  expect(shown.flatMap(({ fields }) => fields.flatMap(({ texts }) => texts))).toEqual([
    expect.stringMatching(/^2\sm$/),
    'Baumwolle',
    '1',
    '2',
  ]);
});
