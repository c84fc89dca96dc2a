import type { Request } from '@hapi/hapi';
import { queryOf } from '../http/query.ts';
import { masked } from '../log/masked.ts';
import type { RecordedRequest } from './state.ts';

/** The largest number of characters that are kept of a body. */
const mostCharacters = 10_000;

const secretHeaders = new Set(['authorization', 'cookie', 'proxy-authorization']);

/** The record of a request. Its body is added while the server reads it. */
export function recordOf(request: Request): RecordedRequest {
  const { req } = request.raw;
  const record: RecordedRequest = {
    time: new Date(request.info.received).toISOString(),
    method: (req.method ?? '').toUpperCase(),
    target: maskedTarget(request),
    operation: request.route.settings.app?.operation ?? null,
    headers: Object.fromEntries(
      Object.entries(req.headers).map(([name, value]) => [name, maskedHeader(name, [value ?? ''].flat().join(', '))]),
    ),
    body: null,
    status: null,
  };
  listenToBody(request, record);
  return record;
}

/** Listens from the moment when the server itself begins to read: a listener before it would start the stream. */
function listenToBody({ raw: { req } }: Request, record: RecordedRequest): void {
  const decoder = new TextDecoder();
  let text = '';
  const listen = (event: string | symbol): void => {
    if (event !== 'data') return;
    req.off('newListener', listen);
    req.on('data', (chunk: Buffer) => {
      if (text.length < mostCharacters) text += decoder.decode(chunk, { stream: true });
      record.body = masked(text).slice(0, mostCharacters);
    });
  };
  req.on('newListener', listen);
}

function maskedHeader(name: string, value: string): string {
  return secretHeaders.has(name) ? value.replace(/^(\w+ +)?.*$/s, '$1***') : masked(value);
}

/** The path and the query as sent, with every `zugang` masked, also one whose name is percent-encoded. */
function maskedTarget(request: Request): string {
  const { url = '' } = request.raw.req;
  const [path = ''] = url.split('?');
  const parts = queryOf(request).parts.map(({ name, raw }) => (name === 'zugang' ? raw.replace(/=.*/s, '=***') : raw));
  return masked(parts.length === 0 ? path : `${path}?${parts.join('&')}`);
}
