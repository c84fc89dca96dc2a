import { describe, expect, test } from '@jest/globals';
import { createPublicClient } from '../../sdk/src/public.ts';
import { statusesOfPage } from '../support/documented.ts';
import { byteByByte, fakeFetch, html, json, refusal, rejection, siteUrl } from '../support/fake-fetch.ts';

const site = (...responses: Parameters<typeof fakeFetch>) =>
  createPublicClient({ siteUrl, fetch: fakeFetch(...responses).fetch });

describe('passports.page', () => {
  test('returns the HTML unchanged', async () => {
    const page = '<!doctype html><title>Größe</title>';
    expect(await site(html(200, page)).passports.page('t', 'p')).toBe(page);
  });

  const pageErrors: [number, string][] = [
    [404, 'not_found'],
    [429, 'rate_limited'],
    [500, 'internal_error'],
    [503, 'service_unavailable'],
  ];

  test('has these errors in the contract', () => {
    expect(statusesOfPage()).toEqual(['200', '304', ...pageErrors.map(([status]) => String(status))]);
  });

  test.each(pageErrors)('a %i page is the error %s', async (status, code) => {
    const error = await rejection(site(html(status, '<!doctype html>')).passports.page('t', 'p'));
    expect(error).toMatchObject({ name: 'ApiError', status, code });
  });

  test.each([
    ['a 502 page', html(502, '<h1>Bad Gateway</h1>')],
    ['an empty 404', new Response(null, { status: 404 })],
    ['an empty page', html(200, '')],
    ['JSON', json({ a: 1 })],
  ])('%s does not follow the contract', async (_name, response) => {
    expect(await rejection(site(response).passports.page('t', 'p'))).toMatchObject({ name: 'UnexpectedResponseError' });
  });
});

describe('passports.document', () => {
  test('returns the JSON-LD', async () => {
    const body = { '@context': 'https://schema.org/', '@type': 'Product' };
    const response = new Response(JSON.stringify(body), { headers: { 'content-type': 'application/ld+json' } });
    expect(await site(response).passports.document('t', 'p')).toEqual(body);
  });

  test('is complete when its characters arrive in pieces', async () => {
    const body = { name: 'Größe 5 € ✓ 🧵' };
    expect(await site(() => byteByByte(JSON.stringify(body))).passports.document('t', 'p')).toEqual(body);
  });

  test('a JSON error is an ApiError, an HTML page is not', async () => {
    expect(await rejection(site(refusal(404, 'not_found')).passports.document('t', 'p'))).toMatchObject({
      name: 'ApiError',
    });
    expect(await rejection(site(html(404, 'no')).passports.document('t', 'p'))).toMatchObject({
      name: 'UnexpectedResponseError',
    });
  });
});

describe('a body', () => {
  /** Sends for as long as it is read. */
  const endless = () => {
    let pulled = 0;
    let cancelled = false;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
      },
      cancel() {
        cancelled = true;
      },
    });
    return { body, state: () => ({ pulled, cancelled }) };
  };

  test.each([200, 404, 502])('without an end is not read to its end: %i', async (status) => {
    const { body, state } = endless();
    const response = () => new Response(body, { status, headers: { 'content-type': 'application/ld+json' } });
    const error = await rejection(site(response).passports.document('t', 'p'));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', operation: 'getPassportJsonld', status });
    expect(state().cancelled).toBe(true);
    expect(state().pulled).toBeLessThan(status === 200 ? 80 : 5);
  });

  test('is no longer read after the signal fires', async () => {
    const controller = new AbortController();
    const { fetch } = fakeFetch(({ signal }) => {
      controller.abort('enough');
      signal.throwIfAborted();
      return json({});
    });
    const { signal } = controller;
    const error = await rejection(createPublicClient({ siteUrl, fetch }).passports.page('t', 'p', {}, { signal }));
    expect(error).toMatchObject({ name: 'AbortError', cause: 'enough', operation: 'getPassportPage' });
  });

  test('that breaks off is a network error', async () => {
    const broken = () => {
      const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) });
      return new Response(body, { headers: { 'content-type': 'text/html' } });
    };
    expect(await rejection(site(broken).passports.page('t', 'p'))).toMatchObject({
      name: 'NetworkError',
      cause: { name: 'TypeError', message: 'terminated' },
    });
  });
});

test('slugs and tokens with any characters arrive unchanged', async () => {
  const { fetch, requests } = fakeFetch(json({}));
  const text = 'a b?c#d&e=f+g;ß✓';
  const query = { zugang: text };
  await createPublicClient({ siteUrl: `${siteUrl}/base/`, fetch }).passports.document(text, text, query);
  const { pathname, searchParams, hash } = new URL(String(requests[0]?.url));
  expect(pathname.split('/').map(decodeURIComponent)).toEqual(['', 'base', 'p', text, text, 'jsonld']);
  expect([Object.fromEntries(searchParams), hash]).toEqual([query, '']);
});
