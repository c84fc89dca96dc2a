import { describe, expect, test } from '@jest/globals';
import { createPublicClient } from '../../sdk/src/public.ts';
import { statusesOfPage } from './contract.ts';
import { fakeFetch, html, json, refusal, rejection, siteUrl } from './fake-fetch.ts';

const site = (...answers: Parameters<typeof fakeFetch>) =>
  createPublicClient({ siteUrl, fetch: fakeFetch(...answers).fetch });
const redirect = (status: number, location?: string) =>
  new Response(null, { status, headers: location === undefined ? {} : { location } });

describe('passports.page', () => {
  test('is the HTML, as it came', async () => {
    const page = '<!doctype html><title>Größe</title>';
    expect(await site(html(200, page)).passports.page('t', 'p')).toBe(page);
  });

  const pageErrors: [number, string][] = [
    [404, 'not_found'],
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
  ])('%s is no answer of the contract', async (_name, answer) => {
    expect(await rejection(site(answer).passports.page('t', 'p'))).toMatchObject({ name: 'UnexpectedAnswerError' });
  });
});

describe('passports.document', () => {
  test('is the JSON-LD', async () => {
    const body = { '@context': 'https://schema.org/', '@type': 'Product' };
    const answer = new Response(JSON.stringify(body), { headers: { 'content-type': 'application/ld+json' } });
    expect(await site(answer).passports.document('t', 'p')).toEqual(body);
  });

  test('a refusal is a refusal, a page of HTML is not', async () => {
    expect(await rejection(site(refusal(404, 'not_found')).passports.document('t', 'p'))).toMatchObject({
      name: 'ApiError',
    });
    expect(await rejection(site(html(404, 'no')).passports.document('t', 'p'))).toMatchObject({
      name: 'UnexpectedAnswerError',
    });
  });
});

describe('resolve', () => {
  test.each([302, 307])('gives the target of a %i, and does not follow it', async (status) => {
    const { fetch, requests } = fakeFetch(redirect(status, 'https://passport.example.com/p/nordlicht/kabel?zugang=t'));
    const target = await createPublicClient({ siteUrl, fetch }).resolve('09520001000072', { zugang: 't' });
    expect(target).toBe('https://passport.example.com/p/nordlicht/kabel?zugang=t');
    expect(requests.map(({ redirect: mode }) => mode)).toEqual(['manual']);
  });

  test('makes a relative target whole', async () => {
    expect(await site(redirect(307, '/p/t/p')).resolve('09520001000072')).toBe(`${siteUrl}/p/t/p`);
  });

  test.each([
    ['none', redirect(307)],
    ['an empty one', redirect(307, '')],
    ['a script', redirect(307, 'javascript:alert(1)')],
    ['no URL', redirect(307, 'https://')],
  ])('a target that is %s is refused', async (_name, answer) => {
    expect(await rejection(site(answer).resolve('09520001000072'))).toMatchObject({
      code: 'redirect_refused',
      status: 307,
    });
  });

  test('a redirect that a browser hides has a code of its own', async () => {
    // Only a browser's network makes such a response; a script cannot.
    const hidden = Object.defineProperties(new Response(null), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
      ok: { value: false },
    });
    expect(await rejection(site(() => hidden).resolve('09520001000072'))).toMatchObject({
      name: 'UnexpectedAnswerError',
      code: 'redirect_hidden',
      operation: 'resolveGtin',
    });
  });

  test('a page that was reached after all, and a refusal', async () => {
    expect(await rejection(site(html(200, 'x')).resolve('09520001000072'))).toMatchObject({
      code: 'unexpected_answer',
    });
    expect(await rejection(site(json({})).resolve('09520001000072'))).toMatchObject({ code: 'unexpected_answer' });
    expect(await rejection(site(refusal(404, 'not_found')).resolve('1'))).toMatchObject({ code: 'not_found' });
    expect(await rejection(site(refusal(400, 'invalid_gtin')).resolve('1'))).toMatchObject({ code: 'invalid_gtin' });
  });
});
