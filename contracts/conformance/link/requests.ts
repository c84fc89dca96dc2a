/** Sends the few requests of a link: without a key, without cookies, to addresses that were looked up once. */
import { sendTo } from '../http/connection.ts';
import type { Exchange } from '../http/exchange.ts';
import { createGuard, type LinkOptions } from './address.ts';
import { textOfPage } from './page.ts';

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
}

/** Where requests led, and why they ended there. */
export interface Journey {
  /** Each but the last is a redirect. */
  readonly visits: readonly Visit[];
  readonly last: Visit;
  /** Why the redirect of the last visit was not followed. */
  readonly blocked?: string;
  /** The redirects are a loop, or too many. */
  readonly isEndless?: boolean;
}

export function openRequests(given: URL, options: LinkOptions) {
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
            ({ message }: Error) => ({ failure: message }),
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

/** Only the host of the link may have its access token, and no other may read it on the way. */
export function mayHaveToken({ host, protocol }: URL, link: URL): boolean {
  return host === link.host && (protocol === link.protocol || protocol === 'https:');
}

export function tokenIn(url: URL): string | undefined {
  return [...url.searchParams].find(([name]) => name.toLowerCase() === 'zugang')?.[1];
}

export function withoutToken(url: URL): URL {
  const plain = new URL(url);
  for (const name of [...plain.searchParams.keys()]) {
    if (name.toLowerCase() === 'zugang') plain.searchParams.delete(name);
  }
  return plain;
}
