/** `traffic.har`: the requests and responses of a run in the format HAR 1.2. */
import type { Report, ReportedExchange } from './report.ts';

interface Pair {
  readonly name: string;
  readonly value: string;
}

export function harOf({ suite_version, cases, state_requests }: Report): object {
  // A request that serves several cases is reported once.
  const ids = new Map<ReportedExchange, string[]>(state_requests.map((exchange) => [exchange, ['state URL']]));
  for (const { id, exchanges } of cases) {
    for (const exchange of exchanges) ids.set(exchange, [...(ids.get(exchange) ?? []), id]);
  }
  const inOrder = [...ids].sort(([one], [other]) => one.sent_at.localeCompare(other.sent_at));
  return {
    log: {
      version: '1.2',
      creator: { name: '@product-passport/contracts', version: suite_version },
      entries: inOrder.map(([exchange, caseIds]) => entryOf(exchange, caseIds)),
    },
  };
}

/** -1 means unknown. A request without a response has status 0. */
function entryOf({ sent_at, milliseconds, request, response, failure }: ReportedExchange, caseIds: string[]): object {
  const { method, url, headers, body } = request;
  const received = response ?? { status: 0, headers: {}, body: '' };
  return {
    startedDateTime: sent_at,
    time: milliseconds,
    request: {
      method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(headers),
      queryString: queryOf(url),
      ...(body === undefined ? {} : { postData: { mimeType: headers['content-type'] ?? '', text: body } }),
      headersSize: -1,
      bodySize: body === undefined ? 0 : -1,
    },
    response: {
      status: received.status,
      statusText: '',
      httpVersion: 'HTTP/1.1',
      cookies: [],
      headers: pairsOf(received.headers),
      content: {
        size: Buffer.byteLength(received.body),
        mimeType: received.headers['content-type'] ?? '',
        text: received.body,
      },
      redirectURL: received.headers.location ?? '',
      headersSize: -1,
      bodySize: -1,
      ...(failure === undefined ? {} : { comment: failure }),
    },
    cache: {},
    timings: { send: 0, wait: milliseconds, receive: 0 },
    comment: [...new Set(caseIds)].join(', '),
  };
}

function pairsOf(headers: Readonly<Record<string, string>>): Pair[] {
  return Object.entries(headers).map(([name, value]) => ({ name, value }));
}

function queryOf(url: string): Pair[] {
  const [, query = ''] = url.split('?', 2);
  return [...new URLSearchParams(query)].map(([name, value]) => ({ name, value }));
}
