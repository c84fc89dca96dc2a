import type { Request } from '@hapi/hapi';

declare module '@hapi/hapi' {
  interface RequestApplicationState {
    query?: SentQuery;
  }
}

/** One `name=value` of a query. */
export interface QueryPart {
  name: string;
  value: string;
  /** The part before decoding. */
  raw: string;
}

/** The query of a request, from the request line. */
export class SentQuery {
  readonly parts: readonly QueryPart[];
  #values: URLSearchParams | undefined;

  constructor(requestTarget: string) {
    const [, query = ''] = (requestTarget.includes('?') && /^[^?#]*\?([^#]*)/.exec(requestTarget)) || [];
    this.parts = query === '' ? [] : query.split('&').map(decodePart);
  }

  /** The decoded parts. */
  get values(): URLSearchParams {
    this.#values ??= new URLSearchParams(
      this.parts.filter(({ raw }) => raw !== '').map(({ name, value }) => [name, value]),
    );
    return this.#values;
  }

  /** Whether there is a `zugang`, valid or not. */
  get hasAccessToken(): boolean {
    return this.parts.length > 0 && this.values.has('zugang');
  }
}

function decodePart(raw: string): QueryPart {
  // URLSearchParams would remove a `?` at the start of the part.
  const [[name, value] = ['', '']] = new URLSearchParams(`?${raw}`);
  return { name, value, raw };
}

/** Parses the query of a request on first use. Requests that Hapi refuses early have a request line too. */
export function queryOf({ app, raw }: Request): SentQuery {
  app.query ??= new SentQuery(raw.req.url ?? '');
  return app.query;
}
