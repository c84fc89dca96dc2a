/** No report contains a secret: canaries in every place of a run, and every file that the run writes. */

import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { progressOn } from '../../../contracts/conformance/cli/command.ts';
import type { Provider } from '../../../contracts/conformance/provider.ts';
import { reportOf } from '../../../contracts/conformance/report/report.ts';
import { annotationsOf, stepSummaryOf, textOf } from '../../../contracts/conformance/report/text.ts';
import { writeReports } from '../../../contracts/conformance/report/write.ts';
import { newFolder } from '../../support/files.ts';
import { exchangeWith, resultWith, runWith } from '../../support/suite.ts';

const keys = {
  first: 'ppk_canary-first-key-0123456789abcdef',
  second: 'ppk_canary-second-key-0123456789abcdef',
  revoked: 'ppk_canary-revoked-key-0123456789abcdef',
};
const tokens = {
  recycler: 'eyJcanary-recycler-token.0123456789',
  inspector: 'eyJcanary-inspector-token.0123456789',
  revoked: 'eyJcanary-revoked-token.0123456789',
  expired: 'eyJcanary-expired-token.0123456789',
};
/** Of a provider of the EU's reads, which repeats it without `Bearer`. */
const bearer = 'canary-bearer';
const provider: Provider = {
  base_url: 'http://passports.test/api/v1',
  tenants: [
    { slug: 'first', api_key: keys.first },
    { slug: 'second', api_key: keys.second },
  ],
  revoked_api_key: keys.revoked,
  access_tokens: [
    { tenant: 'first', product: null, role: 'recycler', token: tokens.recycler },
    { tenant: 'first', product: null, role: 'inspector', token: tokens.inspector },
    { tenant: 'first', product: null, role: 'recycler', token: tokens.revoked, revoked: true },
  ],
  expired_access_token: tokens.expired,
  dpp: { base_url: 'http://passports.test/dpp/v1', headers: { authorization: `Bearer ${bearer}` } },
};
const secrets = [...Object.values(keys), ...Object.values(tokens), bearer];

/** Hidden values. Each has a form of its own in JSON, HTML or an address. */
const hidden = {
  plain: 'canary-plain-value',
  quoted: 'canary "quoted" <value> & more\nlines',
  wide: 'canary wide välue',
  nested: 'canary-nested-value',
  deep: 'canary-deep-value',
  long: `canary-long-${'value-'.repeat(80)}`,
  number: 918273645,
  document: 'canary-document-value',
  iri: 'canary-level-is-an-address',
  listed: 'canary-level-is-in-a-list',
};
const salt = 'canary0salt0123456789abcdef012345';
const passport = {
  values: [
    { field_key: 'a', value: hidden.plain, access_level: 'restricted' },
    { field_key: 'b', value: hidden.quoted, access_level: 'authority' },
    { field_key: 'c', value: hidden.wide, access_level: 'restricted' },
    { field_key: 'd', value: { rows: [{ cell: hidden.nested }] }, access_level: 'restricted' },
    {
      field_key: 'h',
      value: JSON.parse(`${'['.repeat(90)}${JSON.stringify(hidden.deep)}${']'.repeat(90)}`),
      access_level: 'restricted',
    },
    { field_key: 'e', value: hidden.long, access_level: 'restricted' },
    { field_key: 'f', value: hidden.number, access_level: 'authority' },
    { field_key: 'g', value: 'shown to everybody', access_level: 'public' },
  ],
  latest_version: { content_hash: 'b'.repeat(64), salt },
};
const texts = Object.values(hidden).map(String);
const everything = [...secrets, ...texts, salt];
const forms = everything.flatMap((text) => [text, encodeURIComponent(text), JSON.stringify(text)]);
const html = everything.map((text) => `<p>${text.replace(/[&<>"]/g, (one) => `&#${one.charCodeAt(0)};`)}</p>`).join('');
const said = everything.join(' and ');

const exchanges = [
  // What the passport says is hidden is hidden everywhere.
  exchangeWith({ response: { status: 200, headers: {}, text: JSON.stringify(passport) } }),
  exchangeWith({
    request: {
      method: 'PUT',
      path: `/api/v1/products/x/passport?note=${encodeURIComponent(said)}&zugang=${tokens.inspector}`,
      headers: {
        authorization: `Bearer ${keys.first}`,
        cookie: 'session=canary-cookie',
        'x-api-key': 'canary-unknown-key',
        'proxy-authorization': 'Basic canary-proxy',
        referer: `http://passports.test/p/x?zugang=${tokens.recycler}`,
      },
      body: Buffer.from(JSON.stringify({ ...passport, said })),
    },
    response: {
      status: 500,
      headers: { 'set-cookie': 'session=canary-set-cookie', location: `/p/x?zugang=${tokens.revoked}`, 'x-note': said },
      text: `${forms.join('\n')}`,
    },
  }),
  exchangeWith({
    request: { method: 'POST', path: `/p/x?zugang=${tokens.inspector}`, headers: {}, body: Buffer.from(said) },
    response: { status: 200, headers: { 'content-type': 'text/html' }, text: `<b>canary-only-on-this-page</b>${html}` },
  }),
  exchangeWith({
    request: { method: 'GET', path: '/p/x', headers: {} },
    response: { status: 200, headers: { 'content-type': 'text/html' }, text: '<b>a page for everybody</b>' },
  }),
  exchangeWith({
    response: {
      status: 200,
      headers: { 'content-type': 'application/ld+json' },
      text: JSON.stringify({
        'dpp:contentSalt': salt,
        'dpp:values': [
          { 'dpp:accessLevel': 'authority', value: hidden.document },
          { 'x:accessLevel': { '@id': 'https://x.example/ns#restricted' }, 'schema:value': hidden.iri },
          { accessLevel: ['restricted'], value: hidden.listed },
          { accessLevel: { '@id': 'https://x.example/ns#public' }, value: 'shown to everybody' },
        ],
      }),
    },
  }),
  // A key or a token that a case altered is almost the secret itself.
  exchangeWith({
    request: {
      method: 'GET',
      path: `/p/x?lang=de&zugang=${tokens.inspector.slice(0, -1)}x`,
      headers: { authorization: `Bearer ${keys.first.slice(0, -1)}`, link: `</p/x?zugang=${tokens.recycler}x>` },
    },
    response: { status: 200, headers: {}, text: `<a href="/p/x?zugang=${tokens.recycler.slice(0, -1)}">` },
  }),
  exchangeWith({
    request: { method: 'GET', path: '/api/v1/me', headers: { authorization: `Bearer ${keys.second}x` } },
    response: { status: 200, headers: {}, text: JSON.stringify({ note: said }) },
  }),
  { ...withoutResponse(exchangeWith()), failure: `connect failed for ${said}` },
];
const reasons = [
  said,
  ...forms,
  `value must be missing, is ${JSON.stringify(hidden.long).slice(0, 200)}…`,
  `value must be missing, is ${JSON.stringify({ a: 'public', b: hidden.quoted }).slice(0, 40)}…`,
  `${keys.first.slice(0, 20)}…`,
];
const run = runWith([
  resultWith({ status: 'failed', reasons, warnings: reasons, exchanges }),
  resultWith({ id: 'PAGE-1.passed', warnings: reasons, exchanges }),
  resultWith({ id: 'PAGE-1.error', status: 'error', reasons, exchanges }),
  resultWith({ id: 'PAGE-1.skipped', status: 'skipped', reasons, exchanges }),
]);

function withoutResponse({ response: _, ...rest }: ReturnType<typeof exchangeWith>) {
  return rest;
}

/** Every file and every text that leaves the run. */
const outputs = new Map<string, string>();

beforeAll(async () => {
  const folder = newFolder();
  const report = reportOf(run, provider);
  writeReports(folder, report, run.created);
  for (const name of (await readdir(folder)).sort()) outputs.set(name, await readFile(join(folder, name), 'utf8'));
  outputs.set('annotations', annotationsOf(report));
  outputs.set('step summary', stepSummaryOf(report));
  for (const isTTY of [true, false]) {
    let written = '';
    const progress = progressOn({ isTTY, write: (text) => (written += text) });
    for (const [index, result] of run.results.entries()) progress.onResult(result, index + 1, 4);
    outputs.set(isTTY ? 'terminal' : 'pipe', written);
  }
  outputs.set('text', textOf(report, { isVerbose: true }));
});

test('no file and no text has a secret or a hidden value', () => {
  const places = [...outputs].flatMap(([name, text]) =>
    [...text.matchAll(/canary|918273645|välue|v%C3%A4lue/g)].map(
      ({ index }) => `${name}: ${text.slice(Math.max(0, index - 60), index + 60)}`,
    ),
  );
  expect(places).toEqual([]);
  const names = ['created.json', 'junit.xml', 'report.html', 'report.json', 'traffic.har'];
  expect([...outputs.keys()]).toEqual([...names, 'annotations', 'step summary', 'terminal', 'pipe', 'text']);
  expect([...outputs.values()]).not.toContain('');
});

test('public values stay, and curl names the variable of each secret', () => {
  const json = outputs.get('report.json') ?? '';
  expect(json).toContain('shown to everybody');
  expect(json).toContain('a page for everybody');
  for (const name of [
    '$PRODUCT_PASSPORT_KEY',
    '$PRODUCT_PASSPORT_INSPECTOR_TOKEN',
    '$PRODUCT_PASSPORT_RECYCLER_TOKEN',
    '$PRODUCT_PASSPORT_REVOKED_TOKEN',
  ])
    expect(json).toContain(name);
});

test('curl repeats a restricted value that the suite made, and no value that it read', () => {
  const values = (value: string) => JSON.stringify([{ field_key: 'weight', value, access_level: 'restricted' }]);
  const write = (value: string, second: number) =>
    exchangeWith({
      caseId: 'PASS-5.text',
      request: { method: 'PUT', path: '/api/v1/products/a/passport', headers: {}, body: Buffer.from(values(value)) },
      sentAt: `2026-11-22T08:00:0${second}.000Z`,
    });
  const read = exchangeWith({ response: { status: 200, headers: {}, text: values('of the provider') } });
  const exchanges = [read, write('of the suite', 1), write('of the provider', 2)];
  const { cases } = reportOf(runWith([resultWith({ status: 'failed', exchanges })]), {
    base_url: 'http://p.test/api/v1',
  });
  const [, made, repeated] = cases[0]?.exchanges ?? [];
  expect(made?.curl).toContain('of the suite');
  expect(repeated?.curl).not.toContain('of the provider');
});
