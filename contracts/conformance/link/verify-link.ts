/**
 * Verifies a link as anyone who scanned it can: without a key, in at most ten requests. A check fails only for what the
 * description of the API says; what the description leaves open is a note.
 */

import { dayOf, gtin14, hasValidCheckDigit, isRecord } from '@product-passport/openapi';
import { parseDigitalLink } from '@product-passport/sdk/gs1';
import { shown } from '../../judge/finding.ts';
import { type Check, checksOf, type Findings, resultOfCheck } from '../client/check.ts';
import type { Exposure } from '../exposure.ts';
import { proxyFor } from '../http/environment-proxy.ts';
import { type JsonLdFault, jsonLdFaults } from '../json-ld.ts';
import type { Provider } from '../provider.ts';
import { type Run, verdictOf } from '../result.ts';
import { withSecretsOf } from '../traffic/judge.ts';
import { suiteFacts } from '../verify.ts';
import {
  gtinInAddress,
  gtinPartOf,
  mayHaveToken,
  passportPath,
  serialIn,
  tokenIn,
  withoutQuery,
  withoutToken,
  wrongText,
} from './address.ts';
import {
  groupFields,
  hasGtin,
  hashOutcome,
  hiddenIn,
  hiddenInPage,
  inventedTermsIn,
  isEmpty,
  jsonFault,
  ownGtinsIn,
  placeIn,
  serialsIn,
  wordsOf,
} from './documents.ts';
import type { LinkOptions } from './guard.ts';
import {
  bodyOf,
  foreignHost,
  type Inspection,
  inspect,
  isRedirect,
  lossOf,
  probeQuery,
  redirectOf,
  type Visit,
} from './inspect.ts';
import { isGarbled, isNamed, isNoText, isSeen, type Page } from './page.ts';

export interface VerifyLinkOptions extends LinkOptions {
  readonly link: string;
}

export async function verifyLink(options: VerifyLinkOptions): Promise<{ run: Run; provider: Provider }> {
  const { link, signal } = options;
  const startedAt = new Date();
  const wrong = wrongText(link);
  const inspection = wrong === undefined ? await inspect(new URL(link), options) : undefined;
  const sent = inspection?.sent ?? [];
  const results = await Promise.all(
    linkChecks.map(async (check) => {
      const found: Findings = inspection ? await check.findings(inspection) : unopened(check, wrong);
      const lost = sent.find((visit) => found.examples?.includes(visit) && lossOf(visit) !== undefined);
      const isUnknown = lost !== undefined || signal.aborted;
      const why = signal.aborted ? 'The run was interrupted.' : lost && lossSentence(lost);
      const findings = isUnknown ? { notExercised: why ?? '' } : found;
      // LINK-9.fields never fails, so it shows all requests. A finding shows only its own.
      const exchanges = check.id === 'LINK-9.fields' ? sent : (found.examples ?? []);
      const result = resultOfCheck(check, findings, { claim: 'link', exchanges, isRequired: isUnknown });
      return result.status === 'failed' ? { ...result, exposes: exposed[check.id] } : result;
    }),
  );
  const { origin } = inspection?.link ?? new URL('https://invalid');
  const provider = withSecretsOf(sent, { base_url: `${origin}/api/v1`, site_url: origin });
  const { verdict, because } = verdictOf(results, !signal.aborted);
  const lost =
    verdict === 'incomplete' && !signal.aborted ? sent.find((visit) => lossOf(visit) !== undefined) : undefined;
  const isUnseen =
    verdict === 'conformant' && results.some(({ warnings }) => warnings.some((one) => one.startsWith(unseen)));
  const remark = lost ? lossSentence(lost) : isUnseen ? `Programs can read it; ${unseen.toLowerCase()}.` : because;
  const run: Run = {
    ...{ verdict, because: remark },
    claims: ['link'],
    baseUrl: wrong === undefined || URL.canParse(link) ? withoutSecrets(new URL(link)) : withoutQuery(link),
    seed: 0,
    ...suiteFacts(startedAt),
    results,
  };
  return { run, provider };
}

/** What a link shows that fails one of these checks. */
const exposed: Readonly<Record<string, Exposure>> = { 'LINK-3.token': 'secret', 'LINK-7.public': 'hidden value' };

/** `https://id.example.com could not be reached: the host name does not exist. Check it.` */
function lossSentence(visit: Visit): string {
  return `${visit.url.origin} could not be reached: ${lossOf(visit)}.`;
}

const unseen = 'Nobody saw the product on the page';

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

export const linkChecks: readonly LinkCheck[] = checksOf<LinkCheck['findings']>([
  ['LINK-1.form', '/components/schemas/Gtin', 'A Digital Link has a GTIN of 8, 12, 13 or 14 digits.', formOf],
  ['LINK-2.redirect', resolver, 'The Digital Link redirects to a passport with 302 or 307.', redirectFindings],
  ['LINK-2.unknown', resolver, 'A GTIN that no product has leads to no passport.', unknownFindings],
  ['LINK-3.end', resolver, 'The redirects end, after at most five.', endFindings],
  ['LINK-3.target', resolver, 'The redirects end at an address that anybody may open.', targetFindings],
  ['LINK-3.token', resolver, 'No other host gets the access token of the link.', tokenFindings],
  ['LINK-4.page', page, 'The passport page is HTML with the status 200.', pageFindings],
  ['LINK-4.text', page, 'The passport page shows the product, without script.', textFindings],
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
      visits.some(({ url }) => proxyFor(url) !== undefined),
      'Through the proxy no name is looked up here: the addresses of the redirects are judged as they are written.',
    ],
    [
      probed && !probed.search.includes(probeQuery) && tokenIn(link) === undefined,
      'The redirect drops the query, so zugang opens the public page only.',
    ],
    [
      probe && !probed && lossOf(probe) === undefined,
      `A query that it does not know stops the resolver: ${probe?.response?.status}.`,
    ],
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
  if (unknown !== undefined && lossOf(unknown) !== undefined) return fault(unknown, '');
  if (unknown?.response === undefined) return notFound;
  const { status } = unknown.response;
  if (status >= 200 && status < 300) return fault(unknown, '. Expected: 404, or another refusal');
  const target = redirectOf(unknown);
  const isSame = target?.host === passport?.host && target?.pathname === passport?.pathname;
  if (target !== undefined && isSame) return fault(unknown, ' leads to the same passport. Expected: 404');
  return noted([status !== 404, `A GTIN that no product has gets ${status}. Most resolvers say 404.`]);
}

function pageFindings(inspection: Inspection): Findings {
  const { journey, link, passport } = inspection;
  const { last, blocked } = journey;
  if (blocked !== undefined || (passport === undefined && gtinPartOf(last.url) !== undefined)) return notFound;
  const wrong = bodyFault(last, 'the page', /^(?:text\/html|application\/xhtml\+xml)\b/i, 'text/html');
  if (wrong !== undefined) return wrong;
  const { headers = {}, text = '' } = last.response ?? {};
  const cache = headers['cache-control'] ?? headers.expires ?? '';
  const isKept = tokenIn(link) !== undefined && !/no-store/i.test(cache);
  const { hasLanguage, loaded } = inspection.page;
  const isSilent = !hasLanguage && headers['content-language'] === undefined;
  const strangers = [...new Set(loaded.map((one) => strangerIn(one, last.url)).filter((host) => host !== undefined))];
  const isPlain = /nosniff/i.test(headers['x-content-type-options'] ?? '');
  return noted(
    [isSilent, 'The page does not declare its language, so a screen reader may speak the wrong one.'],
    [cache === '', 'The page has no Cache-Control, so a browser may show an old passport.'],
    [isKept, 'The page has no Cache-Control: no-store, so a cache may keep what zugang opens.'],
    [headers['set-cookie'] !== undefined, 'The page sets a cookie. A passport needs none.'],
    [!isPlain, 'The page has no X-Content-Type-Options: nosniff.'],
    [isGarbled(text), 'The page has garbled letters: its encoding is another one than it declares.'],
    [
      strangers.length > 0,
      `Other hosts learn who opens the page, because it loads from them: ${strangers.slice(0, 5).join(', ')}.`,
    ],
  );
}

/** The host that a page loads from, if it belongs to another site. */
function strangerIn(address: string, page: URL): string | undefined {
  const url = URL.canParse(address, page) ? new URL(address, page) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return undefined;
  const siteOf = ({ hostname }: URL): string =>
    /[^.]+\.(?:(?:com?|net|org|ac|gov)\.)?[^.]+$/.exec(hostname)?.[0] ?? hostname;
  return siteOf(url) === siteOf(page) ? undefined : url.host;
}

/** The page, if it is one that a person can read. */
function pageIn(inspection: Inspection): Page | undefined {
  return pageFindings(inspection).notes && inspection.page;
}

/** A page that shows nothing of the product fails only if it is clear that it is another page, or that nobody can read it. */
function textFindings(inspection: Inspection): Findings {
  const { gtin, json, passport, journey } = inspection;
  const { last } = journey;
  const read = pageIn(inspection);
  if (read === undefined) return notFound;
  const product = wordsOf(json, gtin);
  const isOther = read.gtins.length > 0 && !read.gtins.some((one) => product.gtins.includes(one));
  if (isOther && product.gtins.length > 0 && !isNamed(read, product)) {
    return fault(last, `: the page is that of another product, ${read.gtins[0]}. Expected: ${product.gtins[0]}`);
  }
  if (isSeen(read, product)) return {};
  const nothing = 'shows neither the name nor a GTIN nor two other texts of the document';
  if (isNoText(last.response?.text ?? '')) return fault(last, `: the page is not text, and ${nothing}`);
  if (read.letters === 0) return fault(last, ': without script the page has no text');
  if (read.hasScript && read.letters < 20) return fault(last, `: without script the page ${nothing}`);
  if (documentFault(inspection) !== undefined) return {};
  if (read.hasPasswordField) return fault(last, `: the page asks for a password, and ${nothing}`);
  const isPassport = passport !== undefined && passportPath.test(last.url.pathname);
  if (!isPassport) return fault(last, `: the address is not that of a passport, and the page ${nothing}`);
  return noted([true, `${unseen}: ${lineOf(last)} ${nothing}.`]);
}

/** Why the body is not JSON that programs can read. */
function jsonBodyFault(visit: Visit): Findings | undefined {
  const text = bodyOf(visit);
  const { unreadable, isUtf8 } = visit.response ?? {};
  if (unreadable !== undefined) return fault(visit, `: the body ${unreadable}`);
  if (isUtf8 === false) return fault(visit, `: the body is not UTF-8 ${placeIn(text, text.indexOf('\uFFFD'))}`);
  const wrong = jsonFault(text);
  return wrong === undefined ? undefined : fault(visit, `: the body ${wrong}`);
}

function linksetFindings({ linkset, links, gtin, closedLinks }: Inspection): Findings {
  const { status, headers = {} } = linkset?.response ?? {};
  if (linkset !== undefined && lossOf(linkset) !== undefined) return fault(linkset, '');
  const isLinkset = status === 200 && /^application\/linkset\+json\b/i.test(headers['content-type'] ?? '');
  if (linkset === undefined || !isLinkset) return { notExercised: 'The resolver offers no linkset.' };
  const wrong = jsonBodyFault(linkset);
  if (wrong !== undefined) return wrong;
  const form = linksetFault(links, gtin);
  if (form !== undefined) return fault(linkset, `: ${form}`);
  if (closedLinks.length > 0) return fault(linkset, `: the linkset has a wrong address: ${closedLinks.join('; ')}`);
  return { notes: inventedNotes(links) };
}

/** RFC 9264, section 4.2. */
function linksetFault(json: unknown, gtin: string | undefined): string | undefined {
  const contexts = isRecord(json) && Array.isArray(json.linkset) ? json.linkset : undefined;
  if (!contexts?.every((one) => isRecord(one) && typeof one.anchor === 'string')) {
    return 'the linkset must be a list of objects with anchor';
  }
  // Of attributes in several languages, the name ends with an asterisk.
  const relations = contexts.flatMap((one) => Object.entries(one).filter(([name]) => !name.endsWith('*')));
  const links = relations.flatMap(([, value]) => (Array.isArray(value) ? value : []));
  if (!links.every((one) => isRecord(one) && typeof one.href === 'string')) {
    return 'each link of the linkset must be an object with href';
  }
  if (links.length === 0) return 'the linkset has no link';
  const anchors = contexts.map(({ anchor }) => gtinInAddress(anchor)).filter((one) => one !== undefined);
  const isOther = gtin !== undefined && anchors.length > 0 && !anchors.includes(gtin);
  return isOther ? `the anchor of the linkset has the GTIN ${anchors[0]}, not ${gtin}` : undefined;
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
  const isObject = typeof json === 'object' && json !== null;
  return jsonBodyFault(last) ?? (isObject ? undefined : fault(last, ': the body must be a JSON object'));
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
  const { json, document: journey, closedContexts } = inspection;
  const wrong = documentFault(inspection);
  if (wrong !== undefined || journey === undefined) return wrong ?? notFound;
  const { text = '', headers = {} } = journey.last.response ?? {};
  if (closedContexts.length > 0) {
    return fault(journey.last, `: programs cannot load a context: ${closedContexts.slice(0, 5).join('; ')}`);
  }
  if (!/schema\.org|gs1\.org\/voc/.test(text)) return fault(journey.last, ': it has no term of schema.org or GS1');
  const faults = jsonLdFaults(json, maxMilliseconds);
  const [refused] = textsOf(faults, 'refused');
  if (refused !== undefined) return fault(journey.last, `: a JSON-LD processor refuses it: ${refused}`);
  const [dropped, notLoaded] = [textsOf(faults, 'dropped'), textsOf(faults, 'unread')];
  // Without their contexts, nobody knows which terms are dropped.
  const lost = notLoaded.length > 0 ? [] : dropped.map((one) => one.replace(/: no context defines .*$/s, ''));
  if (isEmpty(json, new Set(lost))) {
    const why = lost.length > 0 ? 'drops everything, because no context defines the terms' : 'finds nothing in it';
    return fault(journey.last, `: a JSON-LD processor ${why}`);
  }
  const words = notLoaded.length > 0 ? 'The suite does not load a context' : 'A JSON-LD processor drops a part';
  const notes = (notLoaded.length > 0 ? notLoaded : dropped).slice(0, 5).map((one) => `${words}: ${one}.`);
  const isClosed = headers['access-control-allow-origin'] === undefined;
  const closed = ['The document has no Access-Control-Allow-Origin, so pages of others cannot read it.'];
  return { notes: [...notes, ...inventedNotes(json), ...(isClosed ? closed : [])] };
}

function textsOf(faults: readonly JsonLdFault[], kind: JsonLdFault['kind']): readonly string[] {
  return faults.filter((one) => one.kind === kind).map(({ text }) => text);
}

function productFindings(last: Visit, { link, gtin, json }: Inspection): Findings {
  if (gtin === undefined) return noDigitalLink;
  const nodes = ownGtinsIn(json);
  const own = nodes.find((found) => found.includes(gtin));
  const other = (own ?? nodes.flat()).find((one) => one !== gtin);
  if (other !== undefined && (own !== undefined || !hasGtin(json, gtin))) {
    return fault(last, `: the GTIN must be ${gtin}, is ${other}`);
  }
  if (own === undefined && !hasGtin(json, gtin)) return { notExercised: 'The document has no GTIN.' };
  const serial = serialIn(link.pathname);
  const found = serialsIn(json);
  return noted([
    serial !== undefined && !found.includes(serial),
    found.length > 0
      ? `The document is that of the item ${found[0]}, not of ${serial}.`
      : `The document names no item: nobody registered the serial number ${serial}, or it is not public.`,
  ]);
}

function publicFindings(inspection: Inspection): Findings {
  const { link, json, journey, document: read } = inspection;
  if (documentFault(inspection) !== undefined && pageIn(inspection) === undefined) return notFound;
  const hidden = hiddenIn(json).join('; ');
  if (read !== undefined && hidden !== '')
    return fault(read.last, `: values without a token are not public: ${hidden}`);
  const found = tokenIn(link) === undefined ? hiddenInPage(journey.last.response?.text ?? '') : undefined;
  return found === undefined ? {} : fault(journey.last, `: the source of the page has a value that is ${found}`);
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
