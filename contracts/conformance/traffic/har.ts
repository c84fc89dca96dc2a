/** Reads recorded traffic from an HTTP Archive (HAR 1.2). */
import { isRecord, member } from '@product-passport/openapi';
import { type Body, textOf } from '../http/body.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Addresses } from '../provider.ts';
import { UsageError } from '../usage-error.ts';

/**
 * The exchanges with the provider. Entries of other hosts are left out.
 *
 * @throws UsageError when the text is not a HAR
 */
export function exchangesOf(har: string, addresses: Addresses, file: string): Exchange[] {
  const entries = member(member(parsed(har, file), 'log'), 'entries');
  if (!Array.isArray(entries)) throw new UsageError(`${file} is not a HAR: it has no log.entries. ${advice}`);
  return entries.flatMap((entry, index): Exchange[] => {
    const request = member(entry, 'request');
    const path = pathOf(String(member(request, 'url')), addresses);
    if (path === undefined) return [];
    const response = member(entry, 'response');
    const content = member(response, 'content');
    const body = member(member(request, 'postData'), 'text');
    const status = Number(member(response, 'status'));
    return [
      {
        caseId: `entry ${index + 1}`,
        purpose: 'valid',
        request: {
          method: String(member(request, 'method')),
          path,
          headers: headersOf(member(request, 'headers')),
          body: typeof body === 'string' ? Buffer.from(body) : undefined,
        },
        // Browsers record status 0 for a request without a response.
        ...(status > 0
          ? { response: { status, headers: headersOf(member(response, 'headers')), ...bodyOf(content) } }
          : { failure: 'no response was recorded' }),
        sentAt: String(member(entry, 'startedDateTime')),
        milliseconds: Math.round(Number(member(entry, 'time')) || 0),
      },
    ];
  });
}

/** The path in the contract, or `undefined` for another host. */
function pathOf(url: string, { baseUrl, siteUrl }: Addresses): string | undefined {
  if (isBelow(url, baseUrl)) return `/api/v1${url.slice(baseUrl.length)}`;
  return isBelow(url, siteUrl) ? url.slice(siteUrl.length) : undefined;
}

function isBelow(url: string, root: string): boolean {
  return url.startsWith(root) && ['/', '?', ''].includes(url.charAt(root.length));
}

function headersOf(list: unknown): Record<string, string> {
  if (!Array.isArray(list)) return {};
  const pairs = list.filter(isRecord).map(({ name, value }) => [String(name).toLowerCase(), String(value)]);
  return Object.fromEntries(pairs);
}

function bodyOf(content: unknown): Body {
  const text = member(content, 'text');
  if (typeof text !== 'string') return { text: '' };
  return textOf(Buffer.from(text, member(content, 'encoding') === 'base64' ? 'base64' : 'utf8'));
}

const advice = 'Save the traffic of a browser, a proxy or a test run as HAR.';

function parsed(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON, so it is not a HAR. ${advice}`);
  }
}
