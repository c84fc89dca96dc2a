/** Reads recorded traffic from an HTTP Archive (HAR 1.2). */
import { isRecord, isTooDeep, member } from '@product-passport/openapi';
import { textOf } from '../http/body.ts';
import type { Exchange, WireRequest, WireResponse } from '../http/exchange.ts';
import { type Addresses, apiRoot } from '../provider.ts';
import { UsageError } from '../result.ts';

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
    const status = Number(member(response, 'status'));
    return [
      {
        caseId: `entry ${index + 1}`,
        purpose: 'valid',
        request: requestOf(request, path),
        // Browsers record status 0 for a request without a response.
        ...(status > 0
          ? { response: responseOf(response, status, String(member(request, 'method'))) }
          : { failure: 'no response was recorded' }),
        sentAt: String(member(entry, 'startedDateTime')),
        milliseconds: Math.round(Number(member(entry, 'time')) || 0),
      },
    ];
  });
}

/** The path in the contract, or `undefined` for another host. */
function pathOf(url: string, { baseUrl, siteUrl }: Addresses): string | undefined {
  if (isBelow(url, baseUrl)) return `${apiRoot}${url.slice(baseUrl.length)}`;
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

function requestOf(request: unknown, path: string): WireRequest {
  const method = String(member(request, 'method'));
  const headers = headersOf(member(request, 'headers'));
  const content = member(request, 'postData');
  const body = bytesOf(content);
  const hasBody = method === 'POST' || method === 'PUT';
  const isBodyOmitted = hasBody && isOmitted(content, member(request, 'bodySize'), headers);
  return { method, path, headers, body: body.length > 0 ? body : undefined, isBodyOmitted };
}

function responseOf(response: unknown, status: number, method: string): WireResponse {
  const headers = headersOf(member(response, 'headers'));
  const content = member(response, 'content');
  const hasBody = method !== 'HEAD' && status !== 204 && status !== 304;
  const isBodyOmitted = hasBody && isOmitted(content, member(content, 'size'), headers);
  return { status, headers, ...textOf(bytesOf(content)), isBodyOmitted };
}

function bytesOf(content: unknown): Buffer {
  const text = member(content, 'text');
  return Buffer.from(
    typeof text === 'string' ? text : '',
    member(content, 'encoding') === 'base64' ? 'base64' : 'utf8',
  );
}

/**
 * Whether the recording lacks the body, or its end. Recorders leave bodies out, cut them, or write them to other files.
 * `Content-Length` does not count the recorded text if the body was compressed.
 *
 * @param size in bytes, -1 if the recorder did not count them
 */
function isOmitted(content: unknown, size: unknown, headers: Readonly<Record<string, string>>): boolean {
  const { length } = bytesOf(content);
  const sent = 'content-encoding' in headers ? 0 : Number(headers['content-length']);
  // A recorder may drop a byte order mark.
  if (length > 0) return length + 3 < sent;
  const isCounted = size === 0 || typeof member(content, 'text') === 'string';
  const hasNote = ['comment', '_file'].some((name) => Boolean(member(content, name)));
  return !isCounted || hasNote || Number(size) > 0 || sent > 0;
}

const advice = 'Save the traffic of a browser, a proxy or a test run as HAR.';

function parsed(text: string, file: string): unknown {
  if (isTooDeep(text)) throw new UsageError(`${file} has too many levels to be a HAR. ${advice}`);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${file} is not JSON, so it is not a HAR. ${advice}`);
  }
}
