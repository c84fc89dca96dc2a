/** The public client: pages, documents, and large and endless bodies. */
import { createServer } from 'node:http';
import { createGzip } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { createPublicClient } from '../../sdk/src/public.ts';
import { statusesOfPage } from '../support/documented.ts';
import { connect, html, json, refusal } from '../support/fake-fetch.ts';
import { listen } from '../support/serve.ts';
import { rejection } from '../support/thrown.ts';

const gtin = '9520001000072';

describe('another provider', () => {
  test('with only a page: the result is its address, and the page is not read to its end', async () => {
    const { promise: wasSent, resolve: closed } = Promise.withResolvers<boolean>();
    const server = createServer(({ url = '' }, response) => {
      if (url.startsWith('/01/')) return response.writeHead(302, { location: '/cable' }).end('Moved');
      response.on('close', () => closed(response.writableFinished));
      return response.writeHead(200, { 'content-type': 'text/html' }).end(Buffer.alloc(64 * 1024 * 1024, ' '));
    });
    const siteUrl = await listen(server);
    const found = await createPublicClient({ siteUrl }).resolve(gtin);
    expect(found).toEqual({ url: `${siteUrl}/cable`, document: undefined });
    expect(await wasSent).toBe(false);
  });

  test('that sends a compression bomb: it is not unpacked to its end', async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/ld+json', 'content-encoding': 'gzip' });
      const gzip = createGzip();
      gzip.pipe(response);
      response.on('close', () => gzip.destroy());
      gzip.end(Buffer.alloc(64 * 1024 * 1024, ' '));
    });
    const siteUrl = await listen(server);
    const error = await rejection(createPublicClient({ siteUrl }).resolve(gtin));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError', code: 'unexpected_response' });
  });
});

describe('passports.page', () => {
  const pageErrors = { 404: 'not_found', 429: 'rate_limited', 500: 'internal_error', 503: 'service_unavailable' };

  test('returns the HTML unchanged, and has the errors of the contract', async () => {
    const page = '<!doctype html><title>Größe</title>';
    expect(await connect(html(200, page)).site.passports.page('t', 'p')).toBe(page);
    expect(statusesOfPage()).toEqual(['200', '304', ...Object.keys(pageErrors)]);
  });

  test.each(Object.entries(pageErrors))('a %i page is the error %s', async (status, code) => {
    const error = await rejection(connect(html(Number(status), '<!doctype html>')).site.passports.page('t', 'p'));
    expect(error).toMatchObject({ name: 'ApiError', status: Number(status), code });
  });

  test.each([
    ['a 502 page', html(502, '<h1>Bad Gateway</h1>')],
    ['an empty 404', new Response(null, { status: 404 })],
    ['an empty page', html(200, '')],
    ['JSON', json({ a: 1 })],
  ])('%s does not follow the contract', async (_name, response) => {
    const error = await rejection(connect(response).site.passports.page('t', 'p'));
    expect(error).toMatchObject({ name: 'UnexpectedResponseError' });
  });
});

describe('passports.document', () => {
  test('a JSON error is an ApiError, an HTML page is not', async () => {
    const failure = (response: Response) => rejection(connect(response).site.passports.document('t', 'p'));
    expect(await failure(refusal(404, 'not_found'))).toMatchObject({ name: 'ApiError' });
    expect(await failure(html(404, 'no'))).toMatchObject({ name: 'UnexpectedResponseError' });
  });
});

// In MiB: 64 Mi characters of a value, and 64 Ki of an error.
test.each([
  [200, 80],
  [404, 5],
  [502, 5],
])('the body of a %i without an end is read for less than %i MiB', async (status, max) => {
  let [pulled, isCancelled] = [0, false];
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled += 1;
      controller.enqueue(new Uint8Array(1024 * 1024).fill(32));
    },
    cancel() {
      isCancelled = true;
    },
  });
  const response = () => new Response(body, { status, headers: { 'content-type': 'application/ld+json' } });
  const error = await rejection(connect(response).site.passports.document('t', 'p'));
  expect(error).toMatchObject({ name: 'UnexpectedResponseError', operation: 'getPassportJsonld', status });
  expect(isCancelled).toBe(true);
  expect(pulled).toBeLessThan(max);
});
