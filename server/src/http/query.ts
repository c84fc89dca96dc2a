import type { Request } from '@hapi/hapi';
import { SentQuery } from '@product-passport/openapi';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    query?: SentQuery;
  }
}

/** Parses the query of a request on first use. Requests that Hapi refuses early have a request line too. */
export function queryOf({ app, raw }: Request): SentQuery {
  app.query ??= new SentQuery(raw.req.url ?? '');
  return app.query;
}
