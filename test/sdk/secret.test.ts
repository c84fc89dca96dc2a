import { inspect } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { apiKey, connect, type FakeResponse, html, refusal, siteUrl } from '../support/fake-fetch.ts';
import { rejection } from '../support/thrown.ts';

/** Everything that a logger, a debugger or another program can see of a value. */
function visible(value: unknown): string {
  const seen = new Set<unknown>();
  const parts: string[] = [];
  const walk = (node: unknown): void => {
    parts.push(
      inspect(node, { showHidden: true, depth: 10, getters: true }),
      String(JSON.stringify(node)),
      String(node),
    );
    if ((typeof node !== 'object' && typeof node !== 'function') || node === null || seen.has(node)) return;
    seen.add(node);
    for (const key of Reflect.ownKeys(node)) {
      parts.push(String(key));
      if (key !== 'caller' && key !== 'arguments') walk(Reflect.get(node, key));
    }
  };
  walk(value);
  return parts.join('\n');
}

test('no property of the client or of a list contains the key', () => {
  const { client } = connect([]);
  const all = visible(client) + visible(client.products.list());
  expect(all).toContain(siteUrl);
  expect(all).not.toContain(apiKey);
});

describe('no error contains the key', () => {
  const echo = `Your request: Authorization: Bearer ${apiKey}`;
  const withRequest = (request: Request): never => {
    throw Object.assign(new Error(`could not send ${request.headers.get('authorization')}`), {
      request,
      options: { headers: Object.fromEntries(request.headers) },
      code: `E${apiKey}`,
      cause: Object.assign(new TypeError(echo), { code: 'ECONNRESET' }),
    });
  };

  const unreadable = () => {
    throw new Proxy(new Error(echo), {
      get: () => {
        throw new Error(echo);
      },
    });
  };
  const redirect = new Response(null, { status: 302, headers: { location: `https://x.example/${apiKey}` } });
  test.each<[string, FakeResponse]>([
    ['a gateway that shows the request', html(502, echo)],
    ['a page whose excerpt ends within the key', html(502, '.'.repeat(450) + echo)],
    ['a refusal that quotes it', refusal(401, 'invalid_api_key', echo)],
    ['a code that quotes it', refusal(401, echo)],
    ['a 200 that is not JSON', html(200, echo)],
    ['a request id that equals it', new Response('{}', { status: 502, headers: { 'x-request-id': apiKey } })],
    ['a redirect that carries it', redirect],
    ['a fetch that throws its request', withRequest],
    ['control characters around it', refusal(400, 'invalid_request', `\n\u001b[31m${echo}`)],
    ['a fetch that throws what cannot be read', unreadable],
    ['a fetch that throws text', () => Promise.reject(echo)],
  ])('%s', async (_name, response) => {
    const error = await rejection(connect(response).client.me.get());
    expect(visible(error)).toContain('getMe');
    expect(visible(error)).not.toContain(apiKey.slice(0, 8));
  });

  test('even if it was passed as a slug', async () => {
    const { client, attempts } = connect(refusal(404, 'not_found', `There is no ${apiKey}.`));
    const error = await rejection(client.products.get(apiKey));
    expect(error).toMatchObject({ path: '/api/v1/products/[secret]' });
    expect(visible([error, attempts])).not.toContain(apiKey);
  });

  test('even if a value that cannot be sent contains it', async () => {
    const toJSON = () => {
      throw new TypeError(`cannot write ${apiKey}`);
    };
    const { client, requests } = connect(refusal(404, 'not_found'));
    const { products, passports } = client;
    const name = { toJSON } as unknown as string;
    const calls = [
      () => products.create({ name }),
      () => products.ensure({ name, slug: 'x' }),
      () => passports.put('x', [{ field_key: 'a', value: { toJSON } }]),
    ];
    for (const call of calls) {
      const error = await rejection(call());
      expect(error).toMatchObject({ name: 'ArgumentError', cause: { message: 'cannot write [secret]' } });
      expect(visible(error)).not.toContain(apiKey);
    }
    expect(requests).toEqual([]);
  });
});

test('no error contains an access token', async () => {
  const zugang = 'eyJhbGciOiJFUzI1NiJ9.eyJyb2xlIjoiaW5zcGVjdG9yIn0.c2ln';
  const { site, attempts } = connect((request) => html(502, `GET ${request.url}`));
  const calls = [
    () => site.passports.page('t', 'p', { zugang }),
    () => site.passports.document('t', 'p', { zugang }),
    () => site.resolve('09520001000072', { zugang }),
  ];
  for (const call of calls) {
    const error = await rejection(call());
    expect(visible(error)).toContain('zugang=[secret]');
    expect(visible([error, attempts])).not.toContain(zugang);
  }
});
