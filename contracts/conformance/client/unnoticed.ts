/** What a report says about a mistake that tests do not notice: its consequences, what the tests leave out, and the shortest test. */

import { isRecord, member, readDocument } from '@product-passport/openapi';
import { shown } from '../../judge/finding.ts';
import { operationAt } from '../../judge/operation-at.ts';
import { authentication, tenancy } from '../../mutants/provider/families/access.ts';
import { paging, search } from '../../mutants/provider/families/lists.ts';
import { digitalLink, publicSide } from '../../mutants/provider/families/public-side.ts';
import { http, responses } from '../../mutants/provider/families/responses.ts';
import { scanStatistics } from '../../mutants/provider/families/scans.ts';
import { jsonIn, type WireRequest } from '../http/exchange.ts';
import { loadedSuite } from '../verify.ts';
import type { Passed } from './service.ts';

/** Each group, with what its tests should do. */
export const groups = {
  paging: 'Test with more products than fit on a page, and compare the products of all pages with those that exist.',
  search: 'Test that a filter or search returns the wanted products and no others.',
  errors: 'Test the status and the code of each error that your program handles.',
  data: 'Test that what you read back equals what you wrote, value by value.',
  form: 'Test that a response in another form ends in an error instead of wrong data.',
  security: 'Test that your program refuses data that is not yours, and that nothing hidden becomes public.',
  public: 'Test the public page, the document and the Digital Link of a product that you made.',
  scans: 'Test the statistics with views that your test made.',
  unusual: 'A correct service may do this. Test what your program needs, and ignore the rest.',
} as const;
export type Group = keyof typeof groups;

export const groupNames: Readonly<Record<Group, string>> = {
  paging: 'Paging',
  search: 'Search',
  errors: 'Errors',
  data: 'Written data',
  form: 'Form',
  security: 'Security',
  public: 'Public pages',
  scans: 'Scan statistics',
  unusual: 'Correct services',
};

const families: readonly (readonly [Group, readonly { readonly id: string }[]])[] = [
  ['paging', paging],
  ['search', search],
  ['security', [...authentication, ...tenancy]],
  ['errors', http],
  ['form', responses],
  ['public', [...publicSide, ...digitalLink]],
  ['scans', scanStatistics],
];

/** Ids of mistakes in errors, in whichever family they are. */
const ofErrors =
  /-(4\d\d|500|200)$|own-code|error|missing-key|missing-name|unknown-(group|product)|taken-slug|not-checked/;
const ofSecurity =
  /shows-all|values-in|token(-.*)?-opens$|view-opens|draft-(page|document|redirected)|markup-on|stack-in|sql-in|path-in|token-in|other-tenant/;

/** The group of a mistake, or of an unusual service. */
export function groupOf(id: string, isCorrect: boolean): Group {
  if (isCorrect) return 'unusual';
  if (ofSecurity.test(id)) return 'security';
  const group = families.find(([, members]) => members.some((one) => one.id === id))?.[0];
  return group !== 'paging' && group !== 'search' && ofErrors.test(id) ? 'errors' : (group ?? 'data');
}

/** What happens to the program and its users, by the id of the mistake. */
const consequences: Readonly<Record<string, string>> = {
  'limit-not-echoed': 'A program that computes the next offset from `limit` leaves out products or reads them twice.',
  'default-limit-20': 'A program that expects 50 products on a page stops after 20.',
  'limit-ignored': 'A program that asks for small pages reads the same products several times.',
  'maximum-100': 'A program that asks for 200 products and counts on them skips every second hundred.',
  'offset-ignored': 'The second page repeats the first: an import creates each product twice, or never ends.',
  'offset-is-page': 'Whole pages are left out: an export lacks most of the products.',
  'offset-one-too-far': 'One product of each page is left out: a comparison deletes or creates it again.',
  'total-of-page': 'A program that trusts `total` stops after the first page.',
  'total-from-rows': 'A program that reads `total` from its last page believes that there are no products.',
  'past-end-404': 'A program that reads until a page is empty ends with an error.',
  'order-by-nothing': 'Products move between pages: some are read twice, and others never.',
  'last-page-lost': 'The last products are left out of every export.',
  'status-filter-ignored': 'Drafts and archived products are treated as active ones.',
  'status-filter-after-paging': 'A page looks short, and a program that stops at a short page loses the rest.',
  'drafts-hidden': 'A program that looks for an earlier draft does not find it, and creates the product again.',
  'products-total-of-active':
    'A program that compares this number with its own finds a difference that does not exist.',
  'totals-as-text': 'A comparison of text with a number is never true, so the loop over the pages does not end.',
  'search-ignored': 'A program that takes the first result changes the wrong product.',
  'search-case-sensitive': 'A product is not found, and is created a second time.',
  'search-from-beginning': 'A product is not found, and is created a second time.',
  'search-whole-words': 'A product is not found, and is created a second time.',
  'search-any-word': 'A program that takes the first result changes the wrong product.',
  'search-words-in-any-order': 'A program that takes the first result changes the wrong product.',
  'search-total-of-all': 'A program that reads until `total` never ends.',
  'search-after-paging': 'Products on later pages are never found.',
  'search-without-status': 'Archived products are treated as active ones.',
  'reads-without-key': 'A wrong key looks like a right one, and the program works with the data of another tenant.',
  'missing-key-403': 'A program that asks for a new key after a 401 never does.',
  'missing-key-login-page': 'A program that follows the redirect reads a login page as if it were data.',
  'own-code-for-missing-key': 'A program that decides by the code does not recognise the error.',
  'revoked-key-works': 'A key that was withdrawn still opens the data.',
  'revoked-key-told-apart': 'A program that decides by the code does not recognise the error.',
  'unknown-key-404': 'A wrong key looks like a missing product, and the program creates it.',
  'reads-foreign-product': 'The program shows or changes the product of another tenant.',
  'lists-foreign-products': 'The program imports the products of another tenant as its own.',
  'search-in-all-tenants': 'The program finds the product of another tenant, and works with it.',
  'total-of-all-tenants': 'A program that reads until `total` never ends.',
  'tenant-of-first-key': 'The program works for the wrong tenant, and nothing says so.',
  'cache-without-key': 'The program gets what another tenant asked for.',
  'scans-of-all-tenants': 'A report counts the views of other shops.',
  'top-products-of-all-tenants': 'A report names products of other shops.',
  'error-without-envelope': 'A program that reads `error.code` fails with an error of its own, and hides the real one.',
  'error-as-text': 'A program that reads `error.code` finds nothing, and treats every error alike.',
  'error-without-message': 'The log of the program does not say what went wrong.',
  'errors-with-200': 'The program takes an error for a product.',
  'json-as-html': 'A program that looks at the content type does not read the response.',
  'wrapped-in-data': 'Every member is missing, and a program with defaults writes empty values.',
  'camel-case': 'Members are missing, and a program with defaults writes empty values.',
  'null-as-false': 'A GTIN of `false` is printed or sent on.',
  'json-in-latin-1': 'Names with umlauts become unreadable, and are written back in that form.',
  'empty-body': 'A program that reads the result of a write fails after the write was stored, and may write again.',
  'connection-closed': 'A lost connection looks like no views at all.',
  'unknown-product-500': 'A program that creates missing products never does, or waits for a service that works.',
  'unknown-product-200': 'A missing product looks like an existing one without data.',
  'unknown-product-own-code': 'A program that creates products after `not_found` does not.',
  'created-201': 'A program that accepts only 200 believes that the creation failed, and creates the product again.',
  'created-active': 'A passport is public before anyone has checked it.',
  'created-only-id': 'A program that reads the status or the name of the created product gets nothing.',
  'name-in-lower-case': 'The public page shows another name than the one that was sent.',
  'urn-of-version': 'The identifier that is printed on products no longer leads to them.',
  'group-lost': 'A program that checks values against the template of the group checks against the wrong one.',
  'model-lost': 'A comparison finds a difference after each write, and writes forever.',
  'emoji-lost': 'The public page shows another name than the one that was sent.',
  'name-cut': 'A program that looks for the name it sent does not find it, and creates the product again.',
  'slug-from-name': 'A program that reads the product by the slug it sent does not find it, and creates it again.',
  'urn-without-tenant': 'The identifier is printed on products, and belongs to nobody.',
  'list-disagrees': 'A program that compares identifiers finds a difference that does not exist.',
  'products-total-cached': 'A check after an import reports missing products.',
  'gtin-as-14-digits': 'A program that looks for the GTIN it sent does not find it, and creates the product again.',
  'gtin-as-number': 'A GTIN loses its zeros, and its printed code leads nowhere.',
  'gtin-of-13-digits-only': 'Products with 8, 12 or 14 digits cannot be created.',
  'gtin-not-checked': 'A mistyped GTIN is printed on products.',
  'taken-slug-409': 'A program that counts on a free slug stops in the middle of an import.',
  'taken-slug-returns-other': 'The passport values of a new product are written to another product.',
  'constant-id': 'A program that stores products by id keeps one of them.',
  'missing-name-default': 'A row without a name becomes a public product with an invented one.',
  'unknown-group-accepted': 'The product gets the wrong template, and required fields are never asked for.',
  'local-times': 'A program that reads times fails, or is wrong by hours.',
  'times-in-seconds': 'A date of 1970 stands in every report.',
  'updated-before-created': 'A program that reads only what changed leaves out every new product.',
  'created-at-moves': 'A report of new products repeats old ones.',
  'write-replaces-all': 'A write of one value deletes all others, without an error.',
  'existing-field-kept': 'A correction is acknowledged, and the old value stays public.',
  'existing-field-doubled': 'The page shows two values, and nobody knows which one holds.',
  'new-field-dropped': 'A value is acknowledged, and is not there.',
  'write-to-all-products': 'Every product gets the values of one.',
  'updated-is-1': 'A program that compares `updated` with what it sent reports a failure, or reports none.',
  'completeness-of-before': 'A program that activates complete passports activates an incomplete one, or never does.',
  'list-without-completeness': 'A program that looks for complete passports in the list finds none.',
  'wrapped-array-accepted': 'A program with a wrong body works here, and fails with another service.',
  'passport-of-other-product': 'The passport has the name of something else.',
  'missing-key-skipped': 'Values are left out, and the response says that all is well.',
  'default-source-manual': 'The passport says that a person entered what a program sent.',
  'default-level-restricted': 'Public values are hidden, and the passport looks empty.',
  'owner-sees-public-only': 'A program that compares and writes back deletes hidden values.',
  'authority-is-restricted': 'Recyclers read what only authorities may see.',
  'level-never-changes': 'A value that was hidden by a correction stays public.',
  'unit-lost': 'A number without its unit is wrong by any factor.',
  'unknown-lost': 'A value that is marked as unknown looks like one that was forgotten.',
  'values-as-text': '"2" is not 2: sums and comparisons are wrong.',
  'text-as-number': 'A number of an article loses its zeros.',
  'numbers-of-32-bits': 'A weight or a share changes by a little, and no hash fits.',
  'text-trimmed': 'A comparison finds a difference after each write, and writes forever.',
  'text-cut-at-255': 'The end of an instruction or a warning is lost.',
  'utf8-of-three-bytes': 'A text loses characters without an error.',
  'markup-escaped': 'The page shows `&amp;`, and each write makes it longer.',
  'arrays-sorted': 'The order of a list, such as steps of dismantling, is lost.',
  'empty-text-as-null': 'A value that is empty on purpose looks unknown.',
  'no-hash': 'Nobody can check that the passport is unchanged.',
  'no-version-time': 'A program that asks when a passport changed gets nothing.',
  'lost-writes': 'Of two programs that write at the same time, one loses its values without an error.',
  'scan-counted-twice': 'A report shows twice the interest.',
  'scan-not-counted': 'A report shows hardly any interest.',
  'default-of-7-days': 'A monthly report shows a week.',
  'days-not-echoed': 'A report says that it covers another period than it does.',
  'total-of-all-time': 'The total of a report does not fit its days.',
  'today-missing': 'Today’s views never appear in a daily report.',
  'role-missing': 'The largest group of readers is missing in the report.',
  'top-products-once': 'A report shows every product as equally popular.',
  'days-as-times': 'A program that looks up a date does not find it.',
  'per-day-as-object': 'A program that draws the days fails.',
  'redirect-301': 'A phone keeps the old address of a printed code forever.',
  'draft-redirected': 'A link to a draft says that the product exists, before anybody published it.',
  'token-of-other-product-opens': 'A link for one product opens what is hidden of all products.',
  'token-of-other-tenant-opens': 'A link of one business opens what another one hides.',
  'token-of-namesake-opens': 'A link of one business opens what another one hides.',
  'markup-on-page': 'A value can run a script in the browser of everybody who reads the passport.',
  'gtin-not-found': 'A printed code leads nowhere.',
  'link-with-other-gtin': 'A label leads to another product.',
  'link-to-page': 'A label is printed with an address that may change.',
  'carrier-without-id': 'A program that stores carriers by id keeps one of them.',
  'writes-without-key': 'Anybody can change the passports that your program wrote.',
  'write-before-key-check': 'A write with a wrong key is refused, and stored all the same.',
  'revoked-key-writes': 'A key that was withdrawn still changes the data.',
  'key-in-query': 'A key in an address is stored in the logs of every proxy.',
  'key-in-header': 'The key of your program is stored wherever responses are logged.',
  'key-in-message': 'The key of your program is stored wherever errors are logged.',
  'reads-foreign-passport': 'The program reads the hidden values of another tenant.',
  'writes-foreign-passport': 'The program changes the passport of another tenant.',
  'foreign-product-403': 'The program learns which products another tenant has.',
  'no-maximum': 'A program that asks for everything gets a response that is too large to read.',
  'invalid-limit-500': 'A program that repeats a request after a 500 never ends.',
  'search-in-slugs': 'A program that takes the first result changes the wrong product.',
  'search-with-wildcards': 'A name with a percent sign finds other products.',
  'search-with-underscores': 'A name with an underscore finds other products.',
  'slug-ignored': 'A program that reads the product by the slug it sent does not find it, and creates it again.',
  'missing-name-422': 'A program that looks for 400 does not recognise the error, and repeats the request.',
  'missing-name-own-code': 'A program that decides by the code does not recognise the error.',
  'wildcard-slug': 'A program that reads one product gets another one.',
  'half-a-write': 'A refused write leaves some of its values in the passport.',
  'null-members-dropped': 'A program that reads a member that is always there fails.',
  'hash-of-product': 'A changed value is not found, because the hash stays the same.',
  'hash-of-keys': 'A changed value is not found, because the hash stays the same.',
  'hash-of-first-field': 'A changed value is not found, because the hash stays the same.',
  'template-version-as-text': 'A program that compares versions as numbers is wrong.',
  'version-for-each-write': 'A program that waits for a new version sees changes that are none.',
  'surplus-member': 'Data of the inside of the service reaches your logs.',
  'broken-json-own-code': 'A program that decides by the code does not recognise the error.',
  'country-missing': 'A program that chooses the language by the country fails.',
  'carriers-as-array': 'A program that reads `items` prints no labels.',
  'redirect-to-home': 'A customer who scans a product sees no passport.',
  'redirect-to-other-product': 'A customer who scans a product sees the passport of another.',
  'page-shows-all': 'Everybody reads what only recyclers or authorities may see.',
  'document-shows-all': 'Everybody reads what only recyclers or authorities may see.',
  'draft-page': 'A passport is public before anyone has checked it.',
  'page-not-served': 'A printed code leads to an error.',
};

/** One sentence for the report. @param id with its group: `paging.offset-ignored` */
export function impactOf(id: string): string {
  const [group = '', name = ''] = id.split('.');
  return consequences[name] ?? groups[group as Group];
}

/** A request that tests sent, and the status of its response. 0: the service closed the connection. */
export interface Sent extends WireRequest {
  readonly status: number;
}

interface Situation {
  readonly id: string;
  readonly sentence: string;
  /** Beginnings of the ids of the mistakes that stay unmet. */
  readonly hides: readonly string[];
  readonly isMissing: (sent: readonly Sent[]) => boolean;
}

/** What tests often leave out, and how requests show that they do. */
export const situations: readonly Situation[] = [
  {
    id: 'paging.second-page',
    sentence: 'Your tests never read a second page of products.',
    hides: ['paging.'],
    isMissing: (sent) => lists(sent).length > 0 && !lists(sent).some(({ path }) => /[?&]offset=0*[1-9]/.test(path)),
  },
  {
    id: 'search.search',
    sentence: 'Your tests never search for a product.',
    hides: ['search.'],
    isMissing: (sent) => lists(sent).length > 0 && !lists(sent).some(({ path }) => /[?&]search=./.test(path)),
  },
  {
    id: 'errors.refusal',
    sentence: 'Your tests never get an error of the API.',
    hides: ['errors.'],
    isMissing: (sent) => !sent.some(({ status }) => status >= 400),
  },
  {
    id: 'data.change',
    sentence: 'Your tests never write to a passport that they wrote to before.',
    hides: ['data.'],
    isMissing: (sent) => {
      const writes = sent.filter(({ method }) => method === 'PUT').map(({ path }) => path);
      return writes.length > 0 && new Set(writes).size === writes.length;
    },
  },
  {
    id: 'public.page',
    sentence: 'Your tests never look at the public page or document of a product that they wrote.',
    hides: ['public.', 'security.'],
    isMissing: (sent) =>
      sent.some(({ method }) => method === 'PUT') && !sent.some(({ path }) => /^\/(p|01)\//.test(path)),
  },
];

function lists(sent: readonly Sent[]): readonly Sent[] {
  return sent.filter(({ method, path }) => method === 'GET' && /^\/api\/v1\/products(\?|$)/.test(path));
}

interface Difference {
  /** The requests up to the one whose response differs. */
  readonly requests: readonly WireRequest[];
  /** The response of a faultless service. */
  readonly expected: Passed | undefined;
  /** `undefined`: the service closed the connection. */
  readonly received: Passed | undefined;
  /** A text without what each service makes up, such as ids. */
  readonly normalized: (text: string) => string;
}

export function shortestTest({ requests, expected, received, normalized }: Difference): string {
  const last = requests.at(-1);
  const write = requests.findLast(({ method }) => method !== 'GET' && method !== 'HEAD');
  if (last === undefined || expected === undefined) return '';
  const before = write === undefined || write === last ? '' : `${nameOf(write)}, then `;
  return `Shortest test: ${before}${nameOf(last)}, and expect ${expectationOf(expected, received, normalized)}.`;
}

/** `list products (GET /api/v1/products?offset=50)` */
function nameOf({ method, path }: WireRequest): string {
  const found = operationAt(loadedSuite().contract.operations, method, path);
  const operation = loadedSuite().contract.operations.find(({ operationId }) => operationId === found?.operationId);
  const item = member(member(readDocument(), 'paths'), operation?.path ?? '');
  const summary = String(member(member(item, operation?.method.toLowerCase() ?? ''), 'summary') ?? 'send');
  return `${summary.charAt(0).toLowerCase()}${summary.slice(1)} (${method} ${path})`;
}

function expectationOf(expected: Passed, received: Passed | undefined, normalized: Difference['normalized']): string {
  if (received === undefined) return `the status ${expected.status}, not a closed connection`;
  if (expected.status !== received.status) return `the status ${expected.status}, not ${received.status}`;
  const [right = '', wrong = ''] = [expected, received].map(({ bytes }) => bytes.toString('utf8'));
  const [rightJson, wrongJson] = [jsonIn(right), jsonIn(wrong)];
  if (rightJson !== undefined && wrongJson === undefined) return 'the body to be JSON';
  const found = differenceIn(rightJson, wrongJson, normalized);
  if (found !== undefined) return found;
  if (normalized(right) !== normalized(wrong)) return textDifference(right, wrong);
  const names = Object.keys({ ...expected.headers, ...received.headers });
  const name = names.find((one) => expected.headers[one] !== received.headers[one] && one !== 'x-request-id') ?? '';
  return `the header ${name} to be ${shown(expected.headers[name])}, not ${shown(received.headers[name])}`;
}

/** The first place where two values differ: `items[0].slug to be "a", not "b"`. */
function differenceIn(
  right: unknown,
  wrong: unknown,
  normalized: Difference['normalized'],
  at = '',
): string | undefined {
  const isSame = (one: unknown, other: unknown): boolean =>
    normalized(`${JSON.stringify(one)}`) === normalized(`${JSON.stringify(other)}`);
  if (isSame(right, wrong)) return undefined;
  const areLists = Array.isArray(right) && Array.isArray(wrong);
  if (areLists && right.length !== wrong.length) {
    return `${at || 'the list'} to have the length ${right.length}, not ${wrong.length}`;
  }
  const areObjects = isRecord(right) && isRecord(wrong);
  if (!areLists && !areObjects) return `${at || 'the body'} to ${wordsOf(right, normalized)}, not ${shown(wrong)}`;
  const [one, other] = [Object(right), Object(wrong)];
  const name = Object.keys({ ...one, ...other }).find((each) => !isSame(one[each], other[each]));
  if (name === undefined) return undefined;
  const place = areLists ? `${at}[${name}]` : `${at}.${name}`.replace(/^\./, '');
  if (!(name in other)) return `the member ${place}`;
  return name in one ? differenceIn(one[name], other[name], normalized, place) : `no member ${place}`;
}

/** A test cannot know ids and times, nor need it compare whole objects. */
function wordsOf(value: unknown, normalized: Difference['normalized']): string {
  if (typeof value === 'object' && value !== null) return `be ${Array.isArray(value) ? 'a list' : 'an object'}`;
  const isMadeUp = typeof value === 'string' && (normalized(value) !== value || /^\d{4}-\d\d-\d\dT/.test(value));
  return isMadeUp ? `have the form of ${shown(value)}` : `be ${shown(value)}`;
}

/** The words around the first letter that differs. */
function textDifference(right: string, wrong: string): string {
  let at = 0;
  while (at < right.length && right[at] === wrong[at]) at += 1;
  const part = (text: string): string => shown(text.slice(Math.max(0, at - 20), at + 40));
  return `the text ${part(right)}, not ${part(wrong)}`;
}
