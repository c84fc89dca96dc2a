/** Where the rule of each case comes from. */

import type { Contract } from '@product-passport/openapi';
import { stepsOf } from '../../judge/finding.ts';
import type { Result } from '../result.ts';
import { description } from './description.ts';

/**
 * By an id, or by the beginning of ids: the longest one applies. `D4.2` is a sentence of description.ts, and `robustness` is
 * said where the description says nothing. Cases of the claim `reference` are not here: their source is their clause. A case
 * may also name its own source.
 */
export const sources: Readonly<Record<string, string>> = {
  'AUTH-1.': 'D1.5',
  'AUTH-1.stores-nothing': 'follows from D1.5',
  'AUTH-2.': 'follows from D1.4, D1.5',
  'AUTH-2.key-in-query': 'follows from D1.4; decision 12',
  'AUTH-3.': 'D1.5',
  'AUTH-3.revoked-': 'D1.5, D1.6',
  'AUTH-5.': 'D9.1; robustness: a key has no effect where none is needed',
  'AUTH-6.': 'follows from D1.7',

  'TEN-1.': 'D2.2; decision 21',
  'TEN-1.write-stores-nothing': 'D2.1',
  'TEN-2.': 'D2.1',
  'TEN-2.products-total': 'follows from D2.1, D2.3; decision 8',
  'TEN-2.tenant': 'D2.3',
  'TEN-3.': 'follows from D2.1, D2.4',

  'PAGE-1.above-maximum': 'D4.2; decision 5',
  'PAGE-1.defaults': 'D4.2, D4.3',
  'PAGE-1.echo': 'follows from D4.1, D4.2, D4.3',
  'PAGE-1.maximum': 'follows from D4.2',
  'PAGE-1.open-': 'robustness: a mistake of a client is no failure of the service; decision 5',

  'PAGE-3.': 'follows from D4.1, D4.3',
  'PAGE-4.': 'follows from D4.1, D4.2, D4.3; decision 18',
  'PAGE-5.': 'D4.4',
  'PAGE-5.active-pages': 'follows from D4.1, D4.3, D4.4',
  'PAGE-5.archived-pages': 'follows from D4.1, D4.3, D4.4',
  'PAGE-5.draft-pages': 'follows from D4.1, D4.3, D4.4',
  'PAGE-5.totals': 'follows from D3.2, D4.1, D4.4',

  'SRCH-1.': 'D4.5',
  'SRCH-1.encoded-': 'follows from D4.5; RFC 3986, 2.1: percent-encoding',
  'SRCH-1.hostile-': 'robustness: D4.5 sets no limits to the text, and a failure may be a way in',
  'SRCH-1.with-paging': 'follows from D4.1, D4.5',
  'SRCH-1.with-status': 'follows from D4.4, D4.5',
  'SRCH-2.': 'follows from D4.5; decision 11',

  'PROD-1.draft': 'D5.3',
  'PROD-1.group': 'follows from D3.7, D5.1; decision 10',
  'PROD-1.listed': 'follows from D3.1, D4.1, D5.2',
  'PROD-1.model': 'follows from D3.7, D5.1; decision 10',
  'PROD-1.name': 'follows from D3.1, D5.1',
  'PROD-1.name-emoji': 'follows from D1.1, D5.1; RFC 8259, 8.1: JSON is UTF-8',
  'PROD-1.name-long': 'follows from D5.1; decision 19',
  'PROD-1.same-body': 'D5.2',
  'PROD-1.status': 'D5.2',
  'PROD-1.urn': 'D3.5',
  'PROD-1.urn-stays': 'D3.5',
  'PROD-2.': 'follows from D3.3, D5.1',
  'PROD-2.refused-': 'follows from D3.3; decision 4',
  'PROD-3.concurrent': 'follows from D2.4, D5.4',
  'PROD-3.ids': 'follows from D2.4, D3.1, D3.5',
  'PROD-3.sent': 'follows from D5.1, D5.4; decision 14',
  'PROD-3.taken': 'D5.4; decision 14',
  'PROD-4.': 'D5.5',
  'PROD-5.': 'D5.6',
  'PROD-5.unknown-': 'D5.7',
  'PROD-7.': 'D3.8',
  'PROD-8.': 'follows from D3.6; decision 1',

  'PASS-1.completeness': 'follows from D6.8, D6.9',
  'PASS-1.completeness-listed': 'follows from D3.4',
  'PASS-1.create': 'D6.7',
  'PASS-1.own-product': 'follows from D6.7',
  'PASS-1.product': 'D6.1',
  'PASS-1.update': 'D6.7',
  'PASS-1.updated': 'follows from D6.8; decision 7',
  'PASS-2.body-': 'D6.12',
  'PASS-2.no-key-': 'D6.13',
  'PASS-4.defaults': 'D6.5, D6.6',
  'PASS-4.level-': 'D6.2, D6.6',
  'PASS-4.level-changes': 'follows from D6.6, D6.7',
  'PASS-4.review': 'follows from D6.3',
  'PASS-4.source-': 'follows from D6.3, D6.5',
  'PASS-4.unit': 'follows from D6.3',
  'PASS-4.unknown': 'follows from D6.3',
  'PASS-5.': 'follows from D6.4',
  'PASS-6.': 'D6.10',
  'PASS-6.template-version': 'D6.11',
  'PASS-6.time': 'follows from D6.10',
  'PASS-8.different-fields': 'follows from D6.7; decision 20',
  'PASS-8.new-field': 'follows from D6.7; decision 20',
  'PASS-8.same-field': 'robustness: half of two values is a value that nobody wrote; decision 20',

  'HTTP-1.': 'D12.2; RFC 8259, 2: what JSON is; decision 22',
  'HTTP-6.createProduct': 'D3.1, D5.2, D12.1; decision 2',
  'HTTP-6.getMe': 'D2.3, D12.1; decision 2',
  'HTTP-6.getPassport': 'D6.1, D6.3, D12.1; decision 2; decision 16',
  'HTTP-6.getPassportJsonld': 'D9.4',
  'HTTP-6.getPassportPage': 'D9.3',
  'HTTP-6.getProduct': 'D3.1, D3.7, D12.1; decision 2',
  'HTTP-6.getScanStatistics': 'D8.1, D8.4, D8.5, D8.6, D12.1; decision 2',
  'HTTP-6.listCarriers': 'D7.1, D12.1; decision 2',
  'HTTP-6.listProducts': 'D3.1, D4.1, D12.1; decision 2',
  'HTTP-6.putPassport': 'D6.8, D12.1; decision 2',
  'HTTP-6.resolveGtin': 'D11.1',

  'GEN-1.': 'follows from D12.1; robustness: no request makes a service fail',
  'GEN-1.listProducts': 'follows from D4.1, D4.2, D4.3, D4.4, D4.5, D12.1; robustness: no request makes a service fail',
  'GEN-1.createProduct':
    'follows from D3.3, D5.1, D5.5, D5.7, D12.1, D12.2; robustness: no request makes a service fail',
  'GEN-1.getPassportJsonld': 'follows from D9.4; robustness: no request makes a service fail',
  'GEN-1.getPassportPage': 'follows from D9.3; robustness: no request makes a service fail',
  'GEN-1.putPassport':
    'follows from D6.4, D6.7, D6.12, D6.13, D12.1, D12.2; robustness: no request makes a service fail',
  'GEN-1.resolveGtin': 'follows from D11.1; robustness: no request makes a service fail',

  'LEAK-1.': 'follows from D10.3',
  'LEAK-2.': 'D2.1',
  'LEAK-3.': 'robustness: an error that shows the inside of a service helps to attack it',
  'LEAK-4.': 'D9.6',

  'PUB-1.active-': 'D9.1, D9.2',
  'PUB-1.archived-': 'D9.2; decision 13',
  'PUB-1.draft-': 'D9.2; decision 13',
  'PUB-2.hidden-values-': 'D9.6',
  'PUB-2.view-parameter-': 'D10.2',
  'PUB-3.': 'D10.1, D10.2',
  'PUB-3.expired-': 'follows from D10.1; decision 3',
  'PUB-3.forged-': 'follows from D10.1',
  'PUB-3.other-product-': 'follows from D10.1; decision 3',
  'PUB-3.other-tenant-': 'follows from D2.1, D10.3',
  'PUB-3.revoked-': 'D10.1, D10.3',
  'PUB-4.': 'robustness: the description says nothing about text that looks like markup',
  'PUB-5.': 'D9.5',

  'CAR-1.link': 'D7.2; decision 23',
  'CAR-1.link-resolves': 'follows from D7.2, D7.3, D11.1',
  'CAR-1.unknown-product': 'D3.8',
  'CAR-1.fourteen-digits': 'GS1 Digital Link: URI Syntax 1.6.0: a GTIN has 14 digits',

  'SCAN-1.': 'follows from D8.3, D8.5; decision 17',
  'SCAN-1.top-products': 'follows from D8.3, D8.6; decision 17',
  'SCAN-2.dates': 'follows from D8.4',
  'SCAN-2.default': 'D8.2',
  'SCAN-2.echo': 'follows from D8.1, D8.2',
  'SCAN-2.roles': 'D8.5',
  'SCAN-2.sums-': 'follows from D8.3, D8.4, D8.5',

  'GS1-1.draft': 'D9.2; decision 13',
  'GS1-1.redirect': 'D11.1',
  'GS1-4.cors': 'GS1-Conformant Resolver 1.2.0: CORS',
  'GS1-4.default-': 'GS1-Conformant Resolver 1.2.0: redirect to the default link, with every key qualifier of the GTIN',
  'GS1-4.default-link':
    'GS1-Conformant Resolver 1.2.0: one default link without attributes, described by another type, too',
  'GS1-4.description-file':
    'GS1-Conformant Resolver 1.2.0: resolver description file; RFC 8615, 3: well-known addresses',
  'GS1-4.linkset-by-accept': 'GS1-Conformant Resolver 1.2.0: the linkset by Accept; RFC 9264, 4.2: its JSON',
  'GS1-4.linkset-by-type': 'GS1-Conformant Resolver 1.2.0: the linkset by linkType',
  'GS1-4.linkset-form': 'GS1-Conformant Resolver 1.2.0: target, type and title of a link',
  'GS1-4.linkset-levels': 'GS1-Conformant Resolver 1.2.0: the links of each level up to the primary key',
  'GS1-4.methods': 'GS1-Conformant Resolver 1.2.0: GET, HEAD and OPTIONS',
  'GS1-4.query': 'GS1-Conformant Resolver 1.2.0: pass on the pairs of the query',
  'GS1-4.syntax-':
    'GS1-Conformant Resolver 1.2.0: validate the syntax, and respond with 400; GS1 Digital Link: URI Syntax 1.6.0: grammar',
  'GS1-4.types-': 'GS1-Conformant Resolver 1.2.0: redirect to the requested type of link',
  'GS1-4.unknown-gtin': 'GS1-Conformant Resolver 1.2.0: no 200 for an error',
  'GS1-4.unknown-type': 'GS1-Conformant Resolver 1.2.0: 404 without a link of the requested type',

  'CLIENT-1.operation': 'follows from D1.3',
  'CLIENT-1.parameters': 'follows from D4.2, D4.3, D4.4, D4.5, D8.2, D10.1',
  'CLIENT-1.headers': 'D1.2, D1.4',
  'CLIENT-1.body': 'D1.2, D5.1, D6.7',
  'CLIENT-2.wait': 'RFC 9110, 10.2.3: Retry-After',
  'CLIENT-2.repeat': 'robustness: RFC 6585, 4 has the status 429, and D13.11 leaves the rate open',
  'CLIENT-3.': 'RFC 9110, 9.2.2: repeat only what is idempotent',
  'CLIENT-4.': 'robustness: D13.12 leaves open how the API grows',
  'CLIENT-5.': 'follows from D4.1, D4.2, D4.3',
  'CLIENT-6.address': 'follows from D1.4, D1.9',
  'CLIENT-6.redirect': 'RFC 9110, 15.4: header fields after a redirect',
  'CLIENT-7.': 'robustness: the exit code is the only sign that a program worked',

  'LINK-1.': 'D3.3',
  'LINK-2.redirect': 'D11.1',
  'LINK-2.unknown': 'follows from D9.2, D11.1; decision 13',
  'LINK-3.': 'robustness: the description says nothing about further redirects',
  'LINK-4.page': 'D9.3',
  'LINK-4.text': 'follows from D9.3',
  'LINK-5.linkset': 'RFC 9264, 4.2: the JSON of a linkset; robustness: a private address is of no use to others',
  'LINK-5.document': 'D9.4',
  'LINK-6.': 'follows from D11.1',
  'LINK-7.': 'D9.6',
  'LINK-8.': 'openapi.yaml, PassportDocument: dpp:publicContentHash',
  'LINK-9.': 'robustness: notes only, about fields that the templates of this kit call mandatory',
};

/** What the source of a case follows from. */
export type Sourced = Pick<Result, 'id' | 'claim' | 'clause' | 'source'>;

/** @returns for a table: `follows from D4.1, D4.3`. Empty if the case has none. */
export function sourceOf({ id, claim, clause, source }: Sourced, { operations }: Contract): string {
  if (source !== undefined) return source;
  if (claim !== 'reference') return sources[longest(id) ?? ''] ?? '';
  const [part, path = '', method = '', list, index, ...rest] = stepsOf(clause);
  if (part !== 'paths') return `openapi.yaml, ${stepsOf(clause.replace(/^\/components/, '')).join(' › ')}`;
  const operation = operations.find((one) => one.path === path && one.method === method.toUpperCase());
  const parameter = list === 'parameters' ? operation?.parameters[Number(index)]?.name : undefined;
  const place = parameter ?? [list, index, ...rest].filter(Boolean).join(' › ');
  return ['openapi.yaml', `${method.toUpperCase()} ${path}`, place].filter(Boolean).join(', ');
}

function longest(id: string): string | undefined {
  const beginnings = Object.keys(sources).filter((beginning) => id.startsWith(beginning));
  return beginnings.sort((one, other) => other.length - one.length)[0];
}

/** The source with the sentences that it names: `D1.6 (Revoking a key takes effect at once)`. */
export function inWords(source: string): string {
  return source.replace(/\bD(\d+\.\d+)/g, (name, number) => `${name} (${description[number]?.replace(/\.$/, '')})`);
}
