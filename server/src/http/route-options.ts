import type { RouteOptionsApp } from '@hapi/hapi';
import type { Operation, OperationId } from '../contract/document.ts';

declare module '@hapi/hapi' {
  interface RouteOptionsApp {
    /** Needs no key, and other sites may read the response. */
    isPublic?: boolean;
    /** Errors are HTML pages. */
    answersHtml?: boolean;
    /** Errors of the address are HTML pages for readers who prefer them, such as those who scan a printed code. */
    offersHtmlErrors?: boolean;
    /** The operation of the contract. */
    operation?: OperationId;
  }
}

/** The options of an operation's path that responses depend on. */
export function pathOptions({ secured, path, responses }: Operation): RouteOptionsApp {
  return {
    isPublic: !secured,
    answersHtml: 'text/html' in (responses['200']?.content ?? {}),
    offersHtmlErrors: path.startsWith('/01/'),
  };
}

/** Leaves the body unread. Hapi would respond to one that is too large or too slow only after its end, or not at all. */
export const unreadBody = {
  parse: false,
  output: 'stream',
  override: 'application/octet-stream',
  maxBytes: Number.MAX_SAFE_INTEGER,
  timeout: false,
} as const;
