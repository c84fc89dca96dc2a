/** Follows a link as a phone that scanned it does, and requests what programs read. The checks judge the responses. */
import { type NoResponse, sendTo } from '../http/connection.ts';
import { type Exchange, jsonIn } from '../http/exchange.ts';
import { digitalLink, gtinOf, mayHaveToken, passportPath, withoutToken } from './address.ts';
import { contextsIn, hrefsIn } from './documents.ts';
import { createGuard, type LinkOptions } from './guard.ts';
import { readPage, textOfPage } from './page.ts';

const limits = {
  requests: 10,
  redirects: 5,
  /** Milliseconds for each request. */
  timeout: 10_000,
  maxBytes: 5 * 1024 * 1024,
} as const;

/** A request that was sent, and its address. */
export interface Visit extends Exchange {
  readonly url: URL;
  readonly isUnreached?: boolean;
}

/** Why the visit says nothing about the service. */
export function lossOf({ isUnreached, failure, response }: Visit): string | undefined {
  if (isUnreached) return failure;
  return response?.status === 429 ? 'it limits requests (429). Repeat the command later' : undefined;
}

/** Where requests led, and why they ended there. */
interface Journey {
  /** Each but the last is a redirect. */
  readonly visits: readonly Visit[];
  readonly last: Visit;
  /** Why the redirect of the last visit was not followed. */
  readonly blocked?: string;
  /** The redirects are a loop, or too many. */
  readonly isEndless?: boolean;
}

function openRequests(given: URL, options: LinkOptions) {
  const guard = createGuard(given, options);
  const sent: Visit[] = [];
  let redirects = 0;

  /** One request. */
  async function ask(url: URL, accept: string): Promise<Visit> {
    const headers = { accept, 'accept-encoding': 'gzip, deflate, br', 'user-agent': 'product-passport-verify' };
    const request = { method: 'GET', path: `${url.pathname}${url.search}`, headers };
    const begin = performance.now();
    const facts = { caseId: 'link', purpose: 'valid', origin: url.origin, url, request } as const;
    const sentAt = new Date().toISOString();
    const { timeout, maxBytes } = limits;
    const { signal } = options;
    const own = { timeout, maxBytes, agent: false, lookup: guard.lookup, decode: textOfPage, signal } as const;
    const outcome =
      sent.length === limits.requests
        ? { failure: `not sent, because a link may take ${limits.requests} requests` }
        : await sendTo(url, request, own).then(
            (response) => ({ response }),
            ({ message, isUnreached }: NoResponse) => ({ failure: message, isUnreached }),
          );
    const visit = { ...facts, ...outcome, sentAt, milliseconds: Math.round(performance.now() - begin) };
    sent.push(visit);
    return visit;
  }

  /** A request, and those of its redirects. */
  async function follow(url: URL, accept: string): Promise<Journey> {
    const visits: Visit[] = [];
    for (let next = url; ; ) {
      const last = await ask(next, accept);
      visits.push(last);
      const target = targetOf(last);
      if (target === undefined) return { visits, last };
      const endless = endlessReason(target, visits);
      if (endless !== undefined) return { visits, last, blocked: endless, isEndless: true };
      const blocked = await guard.refusalOf(target);
      if (blocked !== undefined) return { visits, last, blocked };
      redirects += 1;
      next = target;
    }
  }

  function endlessReason(target: URL, visits: readonly Visit[]): string | undefined {
    if (visits.some(({ url }) => url.href === target.href)) return 'is a loop';
    return redirects === limits.redirects ? `comes after ${limits.redirects} redirects` : undefined;
  }

  /** Where a redirect leads. */
  function targetOf(visit: Visit): URL | undefined {
    const target = redirectOf(visit);
    return target === undefined || mayHaveToken(target, given) ? target : withoutToken(target);
  }

  return { ask, follow, guard, sent };
}

export function isRedirect({ response }: Visit): boolean {
  return [301, 302, 303, 307, 308].includes(response?.status ?? 0);
}

/** The address in a redirect. */
export function redirectOf(visit: Visit): URL | undefined {
  const { url, response } = visit;
  const { location } = response?.headers ?? {};
  if (!isRedirect(visit) || location === undefined) return undefined;
  return URL.canParse(location, url) ? new URL(location, url) : undefined;
}

export type Inspection = Awaited<ReturnType<typeof inspect>>;

/** Where an open redirect would lead. The name cannot exist. */
export const foreignHost = 'open-redirect.invalid';
export const probeQuery = 'verify=1';

const unknownGtin = '09999999999994';

export async function inspect(link: URL, options: LinkOptions) {
  const { ask, follow, guard, sent } = openRequests(link, options);
  /** In its 14-digit form, if the link is a Digital Link. */
  const gtin = gtinOf(link);
  const journey = await follow(link, 'text/html,application/xhtml+xml,*/*;q=0.8');
  const { visits, last } = journey;
  /** The response that leads away from the Digital Link. */
  const resolver = gtin === undefined ? undefined : visits.findLast(({ url }) => gtinOf(url) === gtin);
  /** The address `/p/{tenant}/{product}` that the link leads to. */
  const passport = visits.map(({ url }) => url).find(({ pathname }) => passportPath.test(pathname));
  const isResolved = resolver !== undefined && redirectOf(resolver) !== undefined;
  const plain = withoutToken(resolver?.url ?? link);
  const whenResolved = async (url: URL, accept: string) => (isResolved ? ask(url, accept) : undefined);
  const probe = await whenResolved(probeOf(plain), 'text/html');
  const unknown = await whenResolved(withUnknownGtin(plain), 'text/html');
  const linkset = await whenResolved(plain, 'application/linkset+json');
  const hasPage = passport !== undefined && last.response?.status === 200;
  const document = hasPage ? await follow(documentOf(passport), 'application/ld+json') : undefined;
  const [links, json] = [linkset, document?.last].map((visit) => jsonIn(bodyOf(visit)));
  const documentUrl = document?.last.url ?? link;
  const contexts = contextsIn(json).map((one) => urlOf(one, documentUrl));
  // What is not a web address may be the name of a vocabulary, but a file is on the machine of the reader.
  const loaded = contexts.filter((url) => url !== undefined && /^(?:file|https?):$/.test(url.protocol));
  const targets = hrefsIn(links).map((one) => urlOf(one, plain));
  const closed = async (urls: readonly (URL | undefined)[]): Promise<readonly string[]> => {
    const known = urls.filter((url) => url !== undefined).slice(0, 100);
    const reasons = await Promise.all(known.map((url) => guard.closedReason(url)));
    return known.flatMap(({ href }, index) => (reasons[index] === undefined ? [] : [`${href} ${reasons[index]}`]));
  };
  return {
    page: readPage(last.response?.text ?? ''),
    ...{ link, gtin, journey, resolver, passport, probe, unknown, linkset, links, document, json, sent },
    /** Addresses in the linkset that nobody may open, each with the reason. */
    closedLinks: await closed(targets),
    /** Contexts of the document that nobody may load, each with the reason. */
    closedContexts: await closed(loaded),
  };
}

/** JSON may begin with a byte order mark. */
export function bodyOf(visit: Visit | undefined): string {
  return visit?.response?.text.replace(/^\uFEFF/, '') ?? '';
}

function urlOf(address: string, base: URL): URL | undefined {
  return URL.canParse(address, base) ? new URL(address, base) : undefined;
}

function probeOf(link: URL): URL {
  const probe = new URL(link);
  const targets = ['url', 'redirect', 'target', 'next', 'to'].map((name) => `${name}=https%3A%2F%2F${foreignHost}%2F`);
  probe.search = [probe.search.slice(1), probeQuery, ...targets].filter(Boolean).join('&');
  return probe;
}

function withUnknownGtin(link: URL): URL {
  const [, before = ''] = digitalLink.exec(link.pathname) ?? [];
  return new URL(`${before}/01/${unknownGtin}`, link);
}

function documentOf(passport: URL): URL {
  const [path = ''] = passportPath.exec(passport.pathname) ?? [];
  return new URL(`${path}/jsonld`, passport);
}
