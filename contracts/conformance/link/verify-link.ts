/**
 * Verifies a link as anyone who scanned it can: without a key, in at most ten requests. A check fails only for what the
 * description of the API says; what the description leaves open is a note.
 */

import { dayOf, gtin14, hasValidCheckDigit, isRecord } from '@product-passport/openapi';
import { parseDigitalLink } from '@product-passport/sdk/gs1';
import { shown } from '../../judge/finding.ts';
import { type Check, checksOf, type Findings, resultOfCheck } from '../client/check.ts';
import { jsonIn } from '../http/exchange.ts';
import { type JsonLdFault, jsonLdFaults } from '../json-ld.ts';
import type { Provider } from '../provider.ts';
import { type Run, verdictOf } from '../result.ts';
import { withSecretsOf } from '../traffic/judge.ts';
import { suiteFacts } from '../verify.ts';
import {
  folded,
  groupFields,
  gtinsIn,
  hashOutcome,
  hiddenIn,
  inventedTermsIn,
  type Page,
  readPage,
  textsIn,
  unread,
} from './documents.ts';
import {
  foreignHost,
  gtinPartOf,
  type Inspection,
  inspect,
  isRedirect,
  type LinkOptions,
  mayHaveToken,
  probeQuery,
  redirectOf,
  tokenIn,
  type Visit,
  withoutToken,
  wrongForm,
} from './inspect.ts';

export interface VerifyLinkOptions extends LinkOptions {
  readonly link: string;
}

export async function verifyLink(options: VerifyLinkOptions): Promise<{ run: Run; provider: Provider }> {
  const { link, signal } = options;
  const startedAt = new Date();
  const url = URL.canParse(link) ? new URL(link) : undefined;
  const wrong = url === undefined ? 'is not a web address' : wrongForm(url);
  const inspection = url && wrong === undefined ? await inspect(url, options) : undefined;
  const results = await Promise.all(
    checks.map(async (check) => {
      const found = inspection ? await check.findings(inspection) : unopened(check, wrong);
      // A provider may limit requests.
      const isLimited = found.examples?.some(({ response }) => response?.status === 429) === true;
      const isUnknown = isLimited || signal.aborted;
      const why = isLimited ? 'The provider refused a request with 429.' : 'The run was interrupted.';
      const findings = isUnknown ? { notExercised: why } : found;
      // LINK-9.fields never fails, so it shows all requests. A finding shows only its own.
      const exchanges = check.id === 'LINK-9.fields' ? (inspection?.sent ?? []) : (found.examples ?? []);
      return resultOfCheck(check, findings, { claim: 'link', exchanges, isRequired: isUnknown });
    }),
  );
  const { origin } = inspection?.link ?? new URL('https://invalid');
  const provider = withSecretsOf(inspection?.sent ?? [], { base_url: `${origin}/api/v1`, site_url: origin });
  const run: Run = {
    ...verdictOf(results, !signal.aborted),
    claims: ['link'],
    baseUrl: url === undefined ? link : withoutSecrets(url),
    seed: 0,
    ...suiteFacts(startedAt),
    results,
  };
  return { run, provider };
}

/** The address for a report. */
function withoutSecrets(url: URL): string {
  const plain = withoutToken(url);
  plain.username = '';
  plain.password = '';
  return plain.href;
}

/** A link that cannot be requested fails the first check. */
function unopened({ id }: LinkCheck, wrong = ''): Findings {
  return id === 'LINK-1.form' ? { reasons: [`The link ${wrong}.`] } : { notExercised: 'The link cannot be opened.' };
}

type LinkCheck = Check<(inspection: Inspection) => Findings | Promise<Findings>>;

const resolver = '/paths/~101~1{gtin}/get';
const page = '/paths/~1p~1{tenant}~1{product}/get';
const document = '/paths/~1p~1{tenant}~1{product}~1jsonld/get';

const checks: readonly LinkCheck[] = checksOf<LinkCheck['findings']>([
  ['LINK-1.form', '/components/schemas/Gtin', 'A Digital Link has a GTIN of 8, 12, 13 or 14 digits.', formOf],
  ['LINK-2.redirect', resolver, 'The Digital Link redirects to a passport with 302 or 307.', redirectFindings],
  ['LINK-2.unknown', resolver, 'A GTIN that no product has leads to no passport.', unknownFindings],
  ['LINK-3.end', resolver, 'The redirects end, after at most five.', endFindings],
  ['LINK-3.target', resolver, 'The redirects end at an address that anybody may open.', targetFindings],
  ['LINK-3.token', resolver, 'No other host gets the access token of the link.', tokenFindings],
  ['LINK-4.page', page, 'The passport page is HTML with the status 200.', pageFindings],
  ['LINK-4.text', page, 'The passport page can be read without script.', textFindings],
  ['LINK-5.linkset', resolver, 'A linkset has the form of RFC 9264, and public addresses.', linksetFindings],
  ['LINK-5.document', document, 'The document is JSON-LD with terms of schema.org or GS1.', documentFindings],
  ['LINK-6.product', document, 'The document is about the product of the link.', ofDocument(productFindings)],
  ['LINK-7.public', document, 'The page and the document show only public values.', publicFindings],
  ['LINK-8.hash', document, 'The hash of the public values can be recomputed.', ofDocument(hashFindings)],
  ['LINK-9.fields', document, 'The mandatory public fields of the group have values.', ofDocument(fieldFindings)],
]);

const notFound = { notExercised: 'The link leads to no passport.' } as const;
const noDigitalLink = { notExercised: 'The link has no GTIN: it is not a Digital Link.' } as const;

/** `GET https://id.example.com/01/1 → 404` */
function lineOf(visit: Visit): string {
  const { url, response, failure } = visit;
  const { location } = response?.headers ?? {};
  const isBroken = isRedirect(visit) && location !== undefined && redirectOf(visit) === undefined;
  return `GET ${url.href} → ${failure ?? response?.status}${isBroken ? ` to ${shown(location)}, not an address` : ''}`;
}

/** Where a redirect leads. No report has the token. */
function targetOf(visit: Visit): string | undefined {
  const target = redirectOf(visit);
  return target && withoutToken(target).href;
}

function fault(visit: Visit, what: string): Findings {
  return { reasons: [`${lineOf(visit)}${what}.`], examples: [visit] };
}

/** Why the response has no body to judge. */
function bodyFault(last: Visit, what: string, ofType: RegExp, expected: string): Findings | undefined {
  const { status, headers = {}, unreadable } = last.response ?? {};
  if (status !== 200) return fault(last, `. Expected: 200 with ${what}`);
  if (unreadable !== undefined) return fault(last, `: the body ${unreadable}`);
  const type = headers['content-type'] ?? 'no content type';
  return ofType.test(type) ? undefined : fault(last, `, ${type}. Expected: ${expected}`);
}

/** The notes whose condition holds. */
function noted(...notes: readonly (readonly [isMeant: boolean | undefined, note: string])[]): Findings {
  return { notes: notes.filter(([isMeant]) => isMeant).map(([, note]) => note) };
}

function formOf({ link }: Inspection): Findings {
  const digits = gtinPartOf(link);
  const isGtin = /^(?:\d{8}|\d{12,14})$/.test(digits ?? '');
  if (digits !== undefined && !isGtin) {
    return { reasons: [`The GTIN must have 8, 12, 13 or 14 digits, is ${digits.slice(0, 30)}.`] };
  }
  const gtin = digits ?? '';
  return noted(
    [link.protocol === 'http:', 'The link begins with http:, so others can read and change the page.'],
    [isGtin && !hasValidCheckDigit(gtin), `The check digit of ${gtin} is wrong. Scanners of shops may refuse it.`],
    [isGtin && gtin.length < 14, `GS1 writes a GTIN in a link with 14 digits: ${gtin14(gtin)}.`],
    [
      isGtin && !isDigitalLink(link),
      'After the GTIN, GS1 allows the key qualifiers 22, 10 and 21 in this order, or 235.',
    ],
  );
}

function isDigitalLink({ href }: URL): boolean {
  try {
    return parseDigitalLink(href).gtin !== '';
  } catch {
    return false;
  }
}

function redirectFindings({ link, resolver: visit, passport, journey }: Inspection): Findings {
  const nowhere = '. Expected: an address /p/{tenant}/{product}, or a Digital Link /01/{gtin} that leads to one';
  if (visit === undefined) {
    if (gtinPartOf(link) !== undefined) return notFound;
    return passport === undefined ? fault(journey.last, nowhere) : noDigitalLink;
  }
  const { status = 0 } = visit.response ?? {};
  if (status >= 200 && status < 300) return fault(visit, ', not a redirect with 302 or 307');
  if (redirectOf(visit) === undefined) return fault(visit, '. Expected: 302 or 307 with an address');
  if (status !== 302 && status !== 307) return fault(visit, '. Expected: 302 or 307');
  if (journey.blocked !== undefined) return { notExercised: 'The redirect was not followed.' };
  return passport === undefined ? fault(journey.last, nowhere) : {};
}

const noRedirect = { notExercised: 'The link does not redirect.' } as const;

function endFindings({ journey: { visits, last, blocked, isEndless } }: Inspection): Findings {
  if (visits.every((visit) => redirectOf(visit) === undefined)) return noRedirect;
  return isEndless ? fault(last, ` leads to ${targetOf(last)}, which ${blocked}`) : {};
}

function targetFindings({ journey, link, probe }: Inspection): Findings {
  const { visits, last, blocked, isEndless } = journey;
  const [first] = visits;
  if (first === undefined || redirectOf(first) === undefined) return noRedirect;
  if (isEndless) return { notExercised: 'The redirects do not end.' };
  if (blocked !== undefined) return fault(last, ` leads to ${targetOf(last)}, which ${blocked}`);
  const asked = [...link.searchParams.values()].join(' ');
  const foreign = visits.find(({ url }) => url.host !== link.host && asked.includes(url.host));
  if (foreign !== undefined) return fault(first, ` leads to ${foreign.url.host}, which its query names`);
  const probed = probe && redirectOf(probe);
  if (probe && probed?.hostname === foreignHost) return fault(probe, ' leads to the address in its query');
  return noted(
    [
      probed && !probed.search.includes(probeQuery) && tokenIn(link) === undefined,
      'The redirect drops the query, so zugang opens the public page only.',
    ],
    [probe && !probed, `A query that it does not know stops the resolver: ${probe?.response?.status}.`],
    [
      visits.some((visit) => visit.url.protocol === 'https:' && redirectOf(visit)?.protocol === 'http:'),
      'A redirect leads from https: to http:.',
    ],
  );
}

function tokenFindings({ journey: { visits }, link }: Inspection): Findings {
  const redirects = visits.flatMap((visit) => {
    const target = tokenIn(visit.url) === undefined ? undefined : redirectOf(visit);
    return target === undefined ? [] : [{ visit, target }];
  });
  const leak = redirects.find(({ target }) => tokenIn(target) !== undefined && !mayHaveToken(target, link));
  if (leak !== undefined) return fault(leak.visit, ` hands zugang on to another host, ${leak.target.host}`);
  const isDropped = redirects.some(({ target }) => tokenIn(target) === undefined);
  return noted([isDropped, 'A redirect drops zugang, so the link opens the public page only.']);
}

function unknownFindings({ gtin, unknown, passport }: Inspection): Findings {
  if (gtin === undefined) return noDigitalLink;
  if (unknown?.response === undefined) return notFound;
  const { status } = unknown.response;
  if (status >= 200 && status < 300) return fault(unknown, '. Expected: 404, or another refusal');
  const target = redirectOf(unknown);
  const isSame = target?.host === passport?.host && target?.pathname === passport?.pathname;
  if (target !== undefined && isSame) return fault(unknown, ' leads to the same passport. Expected: 404');
  return noted([status !== 404, `A GTIN that no product has gets ${status}. Most resolvers say 404.`]);
}

function pageFindings({ journey, link, passport }: Inspection): Findings {
  const { last, blocked } = journey;
  if (blocked !== undefined || (passport === undefined && gtinPartOf(last.url) !== undefined)) return notFound;
  const wrong = bodyFault(last, 'the page', /^(?:text\/html|application\/xhtml\+xml)\b/i, 'text/html');
  if (wrong !== undefined) return wrong;
  const { headers = {}, text = '' } = last.response ?? {};
  const cache = headers['cache-control'] ?? headers.expires ?? '';
  const isKept = tokenIn(link) !== undefined && !/no-store/i.test(cache);
  const isSilent = !readPage(text).hasLanguage && headers['content-language'] === undefined;
  return noted(
    [isSilent, 'The page does not declare its language, so a screen reader may speak the wrong one.'],
    [cache === '', 'The page has no Cache-Control, so a browser may show an old passport.'],
    [isKept, 'The page has no Cache-Control: no-store, so a cache may keep what zugang opens.'],
    [headers['set-cookie'] !== undefined, 'The page sets a cookie. A passport needs none.'],
    [!/nosniff/i.test(headers['x-content-type-options'] ?? ''), 'The page has no X-Content-Type-Options: nosniff.'],
  );
}

/** The page, if it is one that a person can read. */
function pageIn(inspection: Inspection): Page | undefined {
  const { notes } = pageFindings(inspection);
  return notes && readPage(inspection.journey.last.response?.text ?? '');
}

function textFindings(inspection: Inspection): Findings {
  const { last } = inspection.journey;
  const read = pageIn(inspection);
  if (read === undefined) return notFound;
  if (!/[\p{L}\uFFFD]/u.test(read.text)) return fault(last, ': without script the page has no text');
  const texts = textsIn(inspection.json);
  if (texts.length === 0 || texts.some((text) => read.text.includes(folded(text)))) return {};
  const what = 'the page has nothing of what the document says of the product';
  // A page in another language may share no word with the document.
  const isShell = read.hasScript && read.text.length < 160 && !read.text.includes(unread);
  return isShell ? fault(last, `: without script ${what}`) : noted([true, `${lineOf(last)}: ${what}.`]);
}

function linksetFindings({ linkset, closedLinks }: Inspection): Findings {
  const { status, headers = {}, text = '' } = linkset?.response ?? {};
  const isLinkset = status === 200 && /^application\/linkset\+json\b/i.test(headers['content-type'] ?? '');
  if (linkset === undefined || !isLinkset) return { notExercised: 'The resolver offers no linkset.' };
  const json = jsonIn(text);
  if (!hasLinks(json)) return fault(linkset, ': the linkset must be a list of objects with anchor, and lists of href');
  if (closedLinks.length > 0) return fault(linkset, `: the linkset has a wrong address: ${closedLinks.join('; ')}`);
  return { notes: inventedNotes(json) };
}

function hasLinks(json: unknown): boolean {
  if (!isRecord(json) || !Array.isArray(json.linkset)) return false;
  return json.linkset.every((context) => {
    if (!isRecord(context) || typeof context.anchor !== 'string') return false;
    const relations = Object.values(context).filter((value) => Array.isArray(value));
    return relations.every((targets) => targets.every((one) => !isRecord(one) || typeof one.href === 'string'));
  });
}

function inventedNotes(json: unknown): string[] {
  return inventedTermsIn(json).map((term) => `The GS1 Web Vocabulary has no term ${term}.`);
}

/** Why there is no document to judge. */
function documentFault({ passport, document: journey, json }: Inspection): Findings | undefined {
  if (passport === undefined || journey === undefined) return notFound;
  const { last, blocked } = journey;
  if (blocked !== undefined) return fault(last, ` leads to ${targetOf(last)}, which ${blocked}`);
  const wrong = bodyFault(last, 'the document', /^application\/ld\+json\b/i, 'application/ld+json');
  if (wrong !== undefined) return wrong;
  return typeof json === 'object' && json !== null ? undefined : fault(last, ': the body must be a JSON object');
}

/** A check of the document, if there is one. */
function ofDocument(
  findings: (last: Visit, inspection: Inspection) => Findings | Promise<Findings>,
): LinkCheck['findings'] {
  return (inspection) =>
    inspection.document === undefined || documentFault(inspection) !== undefined
      ? notFound
      : findings(inspection.document.last, inspection);
}

/** For the terms of a document. */
const maxMilliseconds = 2_000;

function documentFindings(inspection: Inspection): Findings {
  const { json, document: journey } = inspection;
  const wrong = documentFault(inspection);
  if (wrong !== undefined || journey === undefined) return wrong ?? notFound;
  const { text = '', headers = {} } = journey.last.response ?? {};
  if (!/schema\.org|gs1\.org\/voc/.test(text)) return fault(journey.last, ': it has no term of schema.org or GS1');
  const faults = jsonLdFaults(json, maxMilliseconds);
  const [refused] = textsOf(faults, 'refused');
  if (refused !== undefined) return fault(journey.last, `: a JSON-LD processor refuses it: ${refused}`);
  const [dropped, notLoaded] = [textsOf(faults, 'dropped'), textsOf(faults, 'unread')];
  const names = isRecord(json) ? Object.keys(json).filter((name) => !name.startsWith('@')) : [];
  const isLost = (name: string): boolean => dropped.some((one) => one.startsWith(`/${name}: no context`));
  if (names.length > 0 && notLoaded.length === 0 && names.every(isLost)) {
    return fault(journey.last, ': a JSON-LD processor drops everything, because no context defines the terms');
  }
  // Without their contexts, nobody knows which terms are dropped.
  const words = notLoaded.length > 0 ? 'The suite does not load a context' : 'A JSON-LD processor drops a part';
  const lost = (notLoaded.length > 0 ? notLoaded : dropped).slice(0, 5).map((one) => `${words}: ${one}.`);
  const isClosed = headers['access-control-allow-origin'] === undefined;
  const closed = ['The document has no Access-Control-Allow-Origin, so pages of others cannot read it.'];
  return { notes: [...lost, ...inventedNotes(json), ...(isClosed ? closed : [])] };
}

function textsOf(faults: readonly JsonLdFault[], kind: JsonLdFault['kind']): readonly string[] {
  return faults.filter((one) => one.kind === kind).map(({ text }) => text);
}

function productFindings(last: Visit, { gtin, json }: Inspection): Findings {
  if (gtin === undefined) return noDigitalLink;
  const found = gtinsIn(json);
  if (found.some((one) => one.gtin === gtin)) return {};
  const own = found.find(({ isOwn }) => isOwn);
  if (own === undefined) return { notExercised: 'The document has no GTIN.' };
  return fault(last, `: the GTIN must be ${gtin}, is ${own.gtin}`);
}

const levelInPage = /access[-_]?level["']?\s*[:=]\s*["']?(restricted|authority)\b/i;

function publicFindings(inspection: Inspection): Findings {
  const { link, json, journey, document: read } = inspection;
  if (documentFault(inspection) !== undefined && pageIn(inspection) === undefined) return notFound;
  const hidden = hiddenIn(json).join(', ');
  if (read !== undefined && hidden !== '')
    return fault(read.last, `: values without a token are not public: ${hidden}`);
  const level = tokenIn(link) === undefined && levelInPage.exec(journey.last.response?.text ?? '')?.[1];
  return level ? fault(journey.last, `: the source of the page has a value that is ${level}`) : {};
}

async function hashFindings(last: Visit, { json }: Inspection): Promise<Findings> {
  const { isRight, reason, note } = await hashOutcome(json);
  if (isRight === undefined) return { notExercised: reason, notes: note === undefined ? [] : [note] };
  return isRight ? {} : fault(last, `: ${reason}`);
}

function fieldFindings(_last: Visit, { json }: Inspection): Findings {
  const fields = groupFields(json, dayOf(new Date()));
  if (fields === undefined) return { notExercised: 'The document names no group and fields of a template.' };
  const { group, missing, hidden } = fields;
  return noted(
    [missing.length > 0, `The group ${group} has mandatory public fields without a value: ${missing.join(', ')}.`],
    [hidden.length > 0, `The group ${group} has fields that are usually not public: ${hidden.join(', ')}.`],
  );
}
