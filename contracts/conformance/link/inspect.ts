/** Follows a link as the phone that scanned it, and asks for what programs read. The checks judge what came. */
import { isIP } from 'node:net';
import { gtin14 } from '@product-passport/openapi';
import { jsonIn } from '../request-faults.ts';
import { hostOf, type LinkOptions, wrongForm } from './address.ts';
import { openRequests, redirectOf, withoutToken } from './requests.ts';

export type Inspection = Awaited<ReturnType<typeof inspect>>;

/** Where an open redirect would lead. The name cannot exist. */
export const foreignHost = 'open-redirect.invalid';
export const probeQuery = 'verify=1';

const unknownGtin = '09999999999994';

const digitalLink = /^(.*?)\/01\/([^/]+)(\/.*)?$/s;
const passportPath = /^.*\/p\/[^/]+\/[^/]+(?=\/(?:index\.html?)?$|$)/s;

/** The part of a link that must be a GTIN. A passport page may have a tenant `01`. */
export function gtinPartOf({ pathname }: URL): string | undefined {
  return passportPath.test(pathname) ? undefined : digitalLink.exec(pathname)?.[2];
}

function gtinOf(url: URL): string | undefined {
  const part = gtinPartOf(url) ?? '';
  return /^(?:\d{8}|\d{12,14})$/.test(part) ? gtin14(part) : undefined;
}

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
  const hrefs = [...(linkset?.response?.text ?? '').matchAll(/"href"\s*:\s*"([^"]+)"/g)].slice(0, 100);
  const targets = hrefs.flatMap(([, href = '']) => (URL.canParse(href, plain) ? [new URL(href, plain)] : []));
  // A name is not looked up for an address that nobody requests.
  const refusals = await Promise.all(
    targets.map(async (url) => [url.href, isIP(hostOf(url)) ? await guard.refusalOf(url) : wrongForm(url)] as const),
  );
  return {
    ...{ link, gtin, journey, resolver, passport, probe, unknown, linkset, document, sent },
    /** Addresses in the linkset that nobody may open, each with the reason. */
    closedLinks: refusals.filter(([, reason]) => reason !== undefined).map((words) => words.join(' ')),
    json: jsonIn(document?.last.response?.text.replace(/^\uFEFF/, '') ?? ''),
  };
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
