/**
 * What is checked of a link. A check fails only for what the description of the API says; what the description leaves open
 * is a note.
 */
import { dayOf, hasValidCheckDigit, isRecord } from '@product-passport/openapi';
import { parseDigitalLink } from '@product-passport/sdk/gs1';
import type { Findings } from '../client/check.ts';
import { droppedTerms } from '../json-ld.ts';
import { jsonIn } from '../request-faults.ts';
import { groupFields, gtinsIn, hashOutcome, hiddenIn, inventedTermsIn, textsIn } from './document.ts';
import { foreignHost, gtinPartOf, type Inspection, probeQuery } from './inspect.ts';
import { folded, type Page, readPage } from './page.ts';
import { type Journey, redirectOf, tokenIn, type Visit } from './requests.ts';

export interface LinkCheck {
  /** It never changes its meaning. */
  readonly id: string;
  readonly title: string;
  /** JSON pointer into openapi.yaml. */
  readonly clause: string;
  /** What somebody who scans the link suffers otherwise. */
  readonly effect: string;
  readonly findings: (inspection: Inspection) => Findings | Promise<Findings>;
}

const resolver = '/paths/~101~1{gtin}/get';
const page = '/paths/~1p~1{tenant}~1{product}/get';
const document = '/paths/~1p~1{tenant}~1{product}~1jsonld/get';

export const checks: readonly LinkCheck[] = [
  {
    id: 'LINK-1.form',
    title: 'A Digital Link has a GTIN of 8, 12, 13 or 14 digits.',
    clause: '/components/schemas/Gtin',
    effect: 'No resolver finds the product.',
    findings: formOf,
  },
  {
    id: 'LINK-2.redirect',
    title: 'The Digital Link redirects to the passport page with 302 or 307.',
    clause: resolver,
    effect: 'A scan shows no passport, or soon an old address.',
    findings: redirectFindings,
  },
  {
    id: 'LINK-2.target',
    title: 'The redirects end at an address that a phone may open, and the request does not choose it.',
    clause: resolver,
    effect: 'A printed code can lead people to a page of a stranger, or into a private network.',
    findings: targetFindings,
  },
  {
    id: 'LINK-2.unknown',
    title: 'A GTIN that no product has leads to no passport.',
    clause: resolver,
    effect: 'A mistyped or forged code looks like that of a real product.',
    findings: unknownFindings,
  },
  {
    id: 'LINK-3.page',
    title: 'The passport page is HTML, and responds with 200.',
    clause: page,
    effect: 'A scan shows an error, or a download.',
    findings: pageFindings,
  },
  {
    id: 'LINK-3.text',
    title: 'The passport page can be read without script.',
    clause: page,
    effect: 'People with an old phone, and programs, see an empty page.',
    findings: textFindings,
  },
  {
    id: 'LINK-4.linkset',
    title: 'A linkset has the form of RFC 9264, and addresses that anybody may open.',
    clause: resolver,
    effect: 'Programs that scan the link find no passport.',
    findings: linksetFindings,
  },
  {
    id: 'LINK-5.document',
    title: 'The JSON-LD document is application/ld+json with terms of schema.org or GS1.',
    clause: document,
    effect: 'Programs cannot read the passport.',
    findings: documentFindings,
  },
  {
    id: 'LINK-5.product',
    title: 'The document is about the product of the link.',
    clause: resolver,
    effect: 'A scan shows the passport of another product.',
    findings: productFindings,
  },
  {
    id: 'LINK-5.public',
    title: 'Page and document show only public values.',
    clause: document,
    effect: 'Everybody reads what only recyclers or authorities may see.',
    findings: publicFindings,
  },
  {
    id: 'LINK-5.hash',
    title: 'The hash of the public values can be recomputed.',
    clause: document,
    effect: 'Nobody can tell whether the passport was changed.',
    findings: hashFindings,
  },
  {
    id: 'LINK-6.fields',
    title: 'The mandatory public fields of the group have values.',
    clause: document,
    effect: '',
    findings: fieldFindings,
  },
];

const notFound = { notExercised: 'The link leads to no passport.' } as const;
const noDigitalLink = { notExercised: 'The link has no GTIN: it is not a Digital Link.' } as const;

/** `GET https://id.example.com/01/1: 404` */
function lineOf({ url, response, failure }: Visit): string {
  return `GET ${url.href}: ${failure ?? response?.status}`;
}

function fault(visit: Visit, what: string): Findings {
  return { reasons: [`${lineOf(visit)}${what}`], examples: [visit] };
}

function formOf({ link }: Inspection): Findings {
  const gtin = gtinPartOf(link);
  const notes =
    link.protocol === 'http:' ? ['The link begins with http:, so others can read and change the page.'] : [];
  if (gtin === undefined) return { notes };
  if (!/^(?:\d{8}|\d{12,14})$/.test(gtin)) {
    return { reasons: [`The GTIN must have 8, 12, 13 or 14 digits, is ${gtin.slice(0, 30)}.`] };
  }
  if (!hasValidCheckDigit(gtin)) notes.push(`The check digit of ${gtin} is wrong, so scanners of shops may refuse it.`);
  if (gtin.length < 14) notes.push(`GS1 writes a GTIN in a link with 14 digits: ${gtin.padStart(14, '0')}.`);
  try {
    parseDigitalLink(link.href);
  } catch {
    notes.push('GS1 allows only the key qualifiers 22, 10 and 21 in this order, or 235, after the GTIN.');
  }
  return { notes };
}

function redirectFindings({ link, gtin, resolver: visit, passport, journey }: Inspection): Findings {
  if (gtin === undefined && gtinPartOf(link) !== undefined) return notFound;
  if (gtin === undefined) return passport === undefined ? fault(journey.last, `. ${nowhere}`) : noDigitalLink;
  if (visit === undefined) return notFound;
  const status = visit.response?.status ?? 0;
  const target = redirectOf(visit);
  if (target === undefined) {
    const isKnown = status >= 200 && status < 300;
    return fault(visit, isKnown ? ', not a redirect with 302 or 307' : '. Expected: 302 or 307 with an address');
  }
  if (status !== 302 && status !== 307) return fault(visit, '. Expected: 302 or 307');
  if (journey.blocked !== undefined) return { notExercised: 'The redirect was not followed.' };
  return passport === undefined ? fault(journey.last, `. ${nowhere}`) : { notes: queryNotes(visit, target) };
}

const nowhere = 'Expected: an address /p/{tenant}/{product}, or a Digital Link /01/{gtin} that leads to one';

function queryNotes(visit: Visit, target: URL): string[] {
  const kept = [...target.searchParams].map(String);
  const lost = [...visit.url.searchParams].filter(
    (pair) => !kept.includes(String(pair)) && !/^(?:linktype|zugang)$/i.test(pair[0]),
  );
  return lost.map(([name]) => `The redirect drops ${name} from the query of the link.`);
}

function targetFindings({ journey, link, probe, gtin }: Inspection): Findings {
  const { visits, last, blocked } = journey;
  if (redirectOf(visits[0] as Visit) === undefined) return { notExercised: 'The link does not redirect.' };
  if (blocked !== undefined) return fault(last, ` leads to ${redirectOf(last)?.href}, which ${blocked}`);
  const asked = [...link.searchParams.values()].join(' ');
  const foreign = visits.find(({ url }) => url.host !== link.host && asked.includes(url.host));
  if (foreign !== undefined) return fault(visits[0] as Visit, ` leads to ${foreign.url.host}, which its query names`);
  const probed = probe && redirectOf(probe);
  if (probe && probed?.hostname === foreignHost) return fault(probe, ' leads to the address in its query');
  const notes: string[] = [];
  if (gtin !== undefined && probed !== undefined && !probed.search.includes(probeQuery)) {
    notes.push('The redirect drops the query. A link with zugang then opens the public page only.');
  }
  if (probe && probed === undefined) notes.push(`${lineOf(probe)}. A query that it does not know stops the resolver.`);
  if (visits.some(({ url }, index) => url.protocol === 'http:' && visits[index - 1]?.url.protocol === 'https:')) {
    notes.push('A redirect leads from https: to http:.');
  }
  const isTokenSent = visits.some((one) => tokenIn(one.url) !== tokenIn(redirectOf(one) ?? one.url));
  if (tokenIn(link) !== undefined && isTokenSent) notes.push('A redirect hands zugang to another host, or drops it.');
  return { notes };
}

function unknownFindings({ gtin, unknown, passport }: Inspection): Findings {
  if (gtin === undefined) return noDigitalLink;
  if (unknown?.response === undefined) return notFound;
  const { status } = unknown.response;
  const target = redirectOf(unknown);
  if (status >= 200 && status < 300) return fault(unknown, '. Expected: 404, or another refusal');
  const isSame = target?.host === passport?.host && target?.pathname === passport?.pathname;
  if (target !== undefined && isSame) return fault(unknown, ` leads to the same passport. Expected: 404`);
  return status === 404
    ? {}
    : { notes: [`${lineOf(unknown)} for a GTIN that no product has. Most resolvers say 404.`] };
}

function pageFindings({ journey, link, passport }: Inspection): Findings {
  const { last, blocked } = journey;
  if (blocked !== undefined || (passport === undefined && gtinPartOf(last.url) !== undefined)) return notFound;
  const { status, headers = {}, unreadable } = last.response ?? {};
  if (status !== 200) return fault(last, '. Expected: 200 with the page');
  if (unreadable !== undefined) return fault(last, `: the body ${unreadable}`);
  const type = headers['content-type'] ?? 'no content type';
  if (!/^(?:text\/html|application\/xhtml\+xml)\b/i.test(type)) return fault(last, `, ${type}. Expected: text/html`);
  const { hasLanguage } = readPage(last.response?.text ?? '');
  const page = { headers, hasLanguage, hasToken: tokenIn(link) !== undefined };
  return { notes: pageNotes.filter(([isMeant]) => isMeant(page)).map(([, note]) => note) };
}

interface PageFacts {
  readonly headers: Readonly<Record<string, string>>;
  readonly hasLanguage: boolean;
  /** Whether the link has an access token. */
  readonly hasToken: boolean;
}

const pageNotes: readonly (readonly [isMeant: (page: PageFacts) => boolean, note: string])[] = [
  [
    ({ headers, hasLanguage }) => !hasLanguage && headers['content-language'] === undefined,
    'The page does not declare its language, so a screen reader may speak the wrong one.',
  ],
  [
    ({ headers }) => headers['cache-control'] === undefined && headers.expires === undefined,
    'The page has no Cache-Control, so a browser may show an old passport.',
  ],
  [
    ({ headers, hasToken }) => hasToken && !/no-store/i.test(headers['cache-control'] ?? ''),
    'The page of a link with zugang has no Cache-Control: no-store, so a cache may keep what the token opens.',
  ],
  [({ headers }) => headers['set-cookie'] !== undefined, 'The page sets a cookie. A passport needs none.'],
  [
    ({ headers }) => !/nosniff/i.test(headers['x-content-type-options'] ?? ''),
    'The page has no X-Content-Type-Options: nosniff.',
  ],
];

/** The page, if it is one that a person can read. */
function pageIn(inspection: Inspection): Page | undefined {
  const { notExercised, reasons = [] } = pageFindings(inspection);
  if (notExercised !== undefined || reasons.length > 0) return undefined;
  return readPage(inspection.journey.last.response?.text ?? '');
}

function textFindings(inspection: Inspection): Findings {
  const { journey, json } = inspection;
  const shown = pageIn(inspection);
  if (shown === undefined) return notFound;
  if (!/\p{L}{2}/u.test(shown.text)) return fault(journey.last, ': without script the page has no text');
  const texts = textsIn(json);
  if (texts.length === 0 || texts.some((text) => shown.text.includes(folded(text)))) return {};
  const what = 'the page has nothing of what the document says of the product';
  if (shown.hasScript) return fault(journey.last, `: without script ${what}`);
  return { notes: [`${lineOf(journey.last)}: ${what}.`] };
}

function linksetFindings({ linkset, closedLinks }: Inspection): Findings {
  const type = linkset?.response?.headers['content-type'] ?? '';
  if (linkset === undefined || !/^application\/linkset\+json\b/i.test(type) || linkset.response?.status !== 200) {
    return { notExercised: 'The resolver offers no linkset.' };
  }
  const json = jsonIn(linkset.response.text);
  if (!isLinkset(json)) return fault(linkset, ': the linkset must be a list of objects with anchor, and lists of href');
  if (closedLinks.length > 0) return fault(linkset, `: the linkset has ${closedLinks.join(', ')}`);
  return { notes: inventedNotes(json) };
}

function isLinkset(json: unknown): boolean {
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

/** For the terms of a document. */
const maxMilliseconds = 2_000;

/** The response with the document, or why there is none to judge. */
function documentFault({ passport, document: journey, json }: Inspection): Findings | undefined {
  if (passport === undefined || journey === undefined) return notFound;
  const { last, blocked } = journey;
  if (blocked !== undefined) return fault(last, ` leads to ${redirectOf(last)?.href}, which ${blocked}`);
  const { status, headers = {}, unreadable } = last.response ?? {};
  if (status !== 200) return fault(last, '. Expected: 200 with the document');
  if (unreadable !== undefined) return fault(last, `: the body ${unreadable}`);
  const type = headers['content-type'] ?? 'no content type';
  if (!/^application\/ld\+json\b/i.test(type)) return fault(last, `, ${type}. Expected: application/ld+json`);
  return typeof json === 'object' && json !== null ? undefined : fault(last, ': the body must be a JSON object');
}

function documentFindings(inspection: Inspection): Findings {
  const wrong = documentFault(inspection);
  if (wrong !== undefined) return wrong;
  const { last } = inspection.document as Journey;
  const { text = '', headers = {} } = last.response ?? {};
  if (!/schema\.org|gs1\.org\/voc/.test(text)) return fault(last, ': no term of schema.org or GS1 is in the document');
  const dropped = droppedTerms(inspection.json, maxMilliseconds);
  const toLoad = dropped.filter((one) => one.endsWith('must be loaded'));
  const unread = toLoad.map((one) => `The document has a context that the suite does not load: ${one}.`);
  const lost = dropped.slice(0, 5).map((one) => `A JSON-LD processor drops a part of the document: ${one}.`);
  const notes = [...(toLoad.length > 0 ? unread.slice(0, 5) : lost), ...inventedNotes(inspection.json)];
  if (headers['access-control-allow-origin'] === undefined) {
    notes.push('The document has no Access-Control-Allow-Origin, so a web page of others cannot read it.');
  }
  return { notes };
}

function productFindings(inspection: Inspection): Findings {
  const { gtin, json, document: journey } = inspection;
  if (documentFault(inspection) !== undefined) return notFound;
  if (gtin === undefined) return noDigitalLink;
  const found = gtinsIn(json);
  if (found.length === 0) return { notExercised: 'The document has no GTIN.' };
  if (found.includes(gtin)) return {};
  return fault((journey as Journey).last, `: the GTIN must be ${gtin}, is ${found[0]}`);
}

const levelInPage = /access[-_]?level["']?\s*[:=]\s*["']?(restricted|authority)\b/i;

function publicFindings(inspection: Inspection): Findings {
  const { link, json, journey, document: read } = inspection;
  if (documentFault(inspection) !== undefined && pageIn(inspection) === undefined) return notFound;
  const hidden = hiddenIn(json);
  if (read !== undefined && hidden.length > 0) {
    return fault(read.last, `: without a token the document shows values that are not public: ${hidden.join(', ')}`);
  }
  const level = tokenIn(link) === undefined && levelInPage.exec(journey.last.response?.text ?? '')?.[1];
  return level ? fault(journey.last, `: the source of the page has a value that is ${level}`) : {};
}

async function hashFindings(inspection: Inspection): Promise<Findings> {
  if (documentFault(inspection) !== undefined) return notFound;
  const { isRight, reason } = await hashOutcome(inspection.json);
  if (isRight === undefined) return { notExercised: reason };
  return isRight ? {} : fault((inspection.document as Journey).last, `: ${reason}`);
}

function fieldFindings(inspection: Inspection): Findings {
  if (documentFault(inspection) !== undefined) return notFound;
  const fields = groupFields(inspection.json, dayOf(new Date()));
  if (fields === undefined) return { notExercised: 'The document names no group and fields of a template.' };
  const { group, missing, hidden } = fields;
  const notes = [
    ...(missing.length > 0
      ? [`The group ${group} has mandatory public fields without a value: ${missing.join(', ')}.`]
      : []),
    ...(hidden.length > 0 ? [`The group ${group} has fields that are usually not public: ${hidden.join(', ')}.`] : []),
  ];
  return { notes };
}
