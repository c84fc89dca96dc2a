import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { Plugin, Request } from '@hapi/hapi';
import { ContractError, SentQuery } from '@product-passport/openapi';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    query?: SentQuery;
  }
}

/** `ignoreBOM` keeps a byte order mark. Otherwise the decoder drops it, and a segment with nothing else is empty. */
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Refuses a Host or a request target that is not valid. Rewrites targets that Hapi would route to another resource, or
 * refuse before the check of the key, and lengths of bodies that it would refuse only after their end.
 */
export const targetPlugin: Plugin<object> = {
  name: 'target',
  register(server) {
    server.ext('onRequest', (request, h) => {
      const target = request.raw.req.url ?? '';
      checkHost(request.raw.req);
      limitLength(request.raw.req.headers);
      // The target is an absolute URL that cannot be parsed. Hapi parses a URL only where its getter is used.
      if (!target.startsWith('/') && !request.url) throw new ContractError('invalid_request');
      // Few targets need the repairs.
      if (!target.includes('/.') && !target.includes('%')) return h.continue;
      const literal = literalDots(target);
      if (literal !== target) request.setUrl(literal, true);
      const path = decodablePath(request.path);
      if (path !== request.path) request.setUrl(path + request.url.search);
      return h.continue;
    });
  },
};

/**
 * The target with the path segments `.` and `..` escaped. They are then refused as any other invalid slug. Hapi would
 * resolve them to another path.
 */
function literalDots(target: string): string {
  const path = /^\/[^?#]*/.exec(target)?.[0] ?? '';
  return (
    path.replace(/(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi, (dots) => dots.replace(/\.|%2e/gi, '%252e')) +
    target.slice(path.length)
  );
}

/**
 * The path with every invalid escape replaced by U+FFFD, which no value of a path may contain. Hapi would refuse the path
 * before it checks the key.
 */
function decodablePath(path: string): string {
  try {
    decodeURIComponent(path);
    return path;
  } catch {
    return path
      .replace(/%(?![0-9a-f]{2})/gi, '%EF%BF%BD')
      .replace(/(?:%[0-9a-f]{2})+/gi, (escapes) =>
        encodeURIComponent(decoder.decode(Buffer.from(escapes.replaceAll('%', ''), 'hex'))),
      );
  }
}

/** Lowers a Content-Length to the highest that `unreadBody` lets pass. It is far above every limit of ours. */
function limitLength(headers: IncomingHttpHeaders): void {
  const max = Number.MAX_SAFE_INTEGER;
  if (Number(headers['content-length'] ?? 0) > max) headers['content-length'] = String(max);
}

function checkHost({ httpVersion, headers, rawHeaders = [] }: IncomingMessage): void {
  const { host } = headers;
  // Node keeps the first Host and drops the others. RFC 9112, section 3.2, requires 400.
  const isHostName = (text: string, index: number): boolean => index % 2 === 0 && /^host$/i.test(text);
  const isRepeated = rawHeaders.filter(isHostName).length > 1;
  const isMissing = httpVersion === '1.1' && host === undefined;
  const isInvalid = host !== undefined && host !== '' && !isHost(host);
  if (isRepeated || isMissing || isInvalid) throw new ContractError('invalid_request');
}

/**
 * Whether a Host header holds only a host and a port. Hapi builds the request's URL from it, so it must not add to the
 * path or the query.
 */
function isHost(text: string): boolean {
  return !/[\s/\\?#@]/.test(text) && URL.canParse(`http://${text}`);
}

/** Parses the query of a request on first use. Requests that Hapi refuses early have a request line too. */
export function queryOf({ app, raw }: Request): SentQuery {
  app.query ??= new SentQuery(raw.req.url ?? '');
  return app.query;
}
