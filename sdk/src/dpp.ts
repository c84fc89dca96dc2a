/**
 * `@product-passport/sdk/dpp`: reads passports as the EU's read interface does, from any provider. It follows the public
 * descriptions of EN 18222 and EN 18223. It takes no API key of this contract, so it is safe in browsers.
 */
import createFetchClient from 'openapi-fetch';
import { webUrl } from './address.ts';
import { type ExtraHeaders, PlainRequest } from './api.ts';
import { type ClientContext, contextOf, type ObservedOptions, perform, startOf } from './call.ts';
import type { DataElement, DppPaths, DppRead, EuPassport } from './contract.ts';
import { ArgumentError, UnexpectedResponseError } from './errors.ts';
import { publicRequests } from './generated/requests.ts';
import { type Limits, limits } from './limits.ts';
import { type ApiPromise, type ApiResponse, apiPromise, type Read } from './response.ts';
import { redactor } from './secret.ts';
import { type ShownSection, show as showDocument, type Words } from './show.ts';

export type { ExtraHeaders } from './api.ts';
export type { Attempt, AttemptStart } from './call.ts';
export type { DataElement, DppRead, EuPassport } from './contract.ts';
export type * from './errors.ts';
export {
  AbortError,
  ApiError,
  ArgumentError,
  isApiError,
  isPassportError,
  NetworkError,
  TimeoutError,
  UnexpectedResponseError,
} from './errors.ts';
export type { ApiPromise, Fetch, FetchInit, FetchResponse, Result, WithResponse } from './response.ts';
export type { ShownField, ShownSection, Words } from './show.ts';

/** How to reach a provider. */
export interface DppClientOptions extends ObservedOptions {
  /** The address of the reads. It ends in `/v1`: `https://passport.example.com/dpp/v1`. A trailing slash is allowed. */
  readonly baseUrl: string;
  /**
   * Added to each request, such as the key of a provider that wants one. Default: none. No error contains a value, or the part
   * after its first blank (`Bearer …`), if it has 8 or more characters.
   */
  readonly headers?: ExtraHeaders | undefined;
}

/** Options of one call. Limits that are left out default to those of the client. */
export interface DppRequestOptions extends Limits {
  /** Ends the call when it fires, also while the body is read: the call rejects with an `AbortError`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** The form of a passport: `compressed` has the values by their keys, `full` the elements with their metadata. */
export interface FormQuery<Form extends 'compressed' | 'full' = 'compressed' | 'full'> {
  /** Default: `compressed`. */
  readonly representation?: Form | undefined;
}

/** Options of a read of today: `zugang`, an access token of this contract, opens the extended view of its role. */
export interface DppQuery<Form extends 'compressed' | 'full' = 'compressed' | 'full'> extends FormQuery<Form> {
  readonly zugang?: string | undefined;
}

/** The elements of a passport, with their metadata. */
export interface FullEuPassport extends EuPassport {
  elements: DataElement[];
}

/** The passport in the form that was asked for. */
export type PassportIn<Form> = 'full' extends Form
  ? 'compressed' extends Form
    ? EuPassport
    : FullEuPassport
  : EuPassport;

/**
 * The passports of a provider. Requests are retried after a network failure, a `timeout`, 429, 500, 502, 503 or 504. Every
 * method rejects with an `ApiError`, `UnexpectedResponseError`, `NetworkError`, `TimeoutError`, `AbortError` or
 * `ArgumentError`. Its `.result()` never rejects. The `code` of an `ApiError` is that of the first message in the body; if the
 * message has none, it is the status as text.
 *
 * Codes of every method: `invalid_request`, `rate_limited`, `internal_error`, `service_unavailable`, and from the server rather
 * than an operation `method_not_allowed`.
 */
export interface DppClient {
  /** The passport with this id. Codes: `not_found`. Contract: `readDppById`. */
  get<Form extends 'compressed' | 'full' = 'compressed'>(
    dppId: string,
    query?: DppQuery<Form>,
    options?: DppRequestOptions,
  ): ApiPromise<PassportIn<Form>, 'readDppById'>;
  /**
   * The passport of the product with this identifier: a GS1 Digital Link, a GTIN, or what else the provider knows. Codes:
   * `not_found`. Contract: `readDppByProductId`.
   */
  getByProduct<Form extends 'compressed' | 'full' = 'compressed'>(
    productId: string,
    query?: DppQuery<Form>,
    options?: DppRequestOptions,
  ): ApiPromise<PassportIn<Form>, 'readDppByProductId'>;
  /**
   * The ids of the passports of many products, each once: `for await (const id of client.idsOf(productIds))`. A product without
   * a passport is left out. It sends 100 product ids in a request, and reads every page. `limit` is the size of a page. Codes:
   * `invalid_json`, `payload_too_large`, `unsupported_media_type`. Contract: `readDppIdsByProductIds`.
   */
  idsOf(
    productIds: readonly string[],
    query?: { readonly limit?: number | undefined },
    options?: DppRequestOptions,
  ): AsyncIterable<string>;
  /** The passport as it was at a time. Codes: `not_found`. Contract: `readDppVersionByIdAndDate`. */
  at<Form extends 'compressed' | 'full' = 'compressed'>(
    dppId: string,
    date: Date | string,
    query?: FormQuery<Form>,
    options?: DppRequestOptions,
  ): ApiPromise<PassportIn<Form>, 'readDppVersionByIdAndDate'>;
  /**
   * One element, by its path: `$['cable_length']['value']` (RFC 9535, 2.7). The value is JSON, or with `full` a data element.
   * Codes: `not_found`. Contract: `readDataElement`.
   */
  element<Form extends 'compressed' | 'full' = 'compressed'>(
    dppId: string,
    path: string,
    query?: DppQuery<Form>,
    options?: DppRequestOptions,
  ): ApiPromise<'full' extends Form ? DataElement : unknown, 'readDataElement'>;
}

/** The root of the reads in the contract. A provider has another one. */
const contractRoot = '/dpp/v1';
const maxProducts = 100;

/**
 * Connects to a provider. Sends no request. Throws an `ArgumentError` for an unusable address, header or limit.
 *
 * ```ts
 * import { createDppClient } from '@product-passport/sdk/dpp';
 *
 * const reads = createDppClient({ baseUrl: 'https://passport.example.com/dpp/v1' });
 * const { economicOperatorId, dppStatus } = await reads.getByProduct('09520001200045');
 * console.log(economicOperatorId, dppStatus);
 * ```
 */
export function createDppClient(options: DppClientOptions): DppClient {
  const { baseUrl, headers: added, ...others } = { ...options }; // a program without types may pass undefined
  const headers = { ...added };
  const root = webUrl(baseUrl)?.href.replace(/\/$/, '') ?? '';
  if (!/\/v1$/.test(root)) throw new ArgumentError('baseUrl', 'must be an http(s) URL that ends in /v1');
  for (const [name, value] of Object.entries(headers)) {
    if (!/^[\w-]+:[\t -~]*$/.test(`${name}:${value}`))
      throw new ArgumentError(`headers.${name}`, 'must be a valid header');
  }
  const base = limits(others);
  const secrets = Object.values(headers).flatMap(secretsIn).map(redactor);
  const context: ClientContext = {
    ...contextOf(others, base),
    redact: (text) => secrets.reduce((shown, redact) => redact(shown), String(text)),
  };
  const { host } = new URL(root);
  const client = createFetchClient<DppPaths>({ baseUrl: root, headers: { accept: 'application/json', ...headers } });
  const request = client.request as unknown as (method: string, path: string, init: object) => Promise<unknown>;

  const send = async <Value>(
    operation: DppRead,
    { path = {}, query, body }: { path?: Record<string, unknown>; query?: object; body?: unknown },
    read: Read,
    given?: DppRequestOptions,
  ): Promise<ApiResponse<Value>> => {
    const { signal, ...own } = { ...given }; // a program without types may pass null
    const [method, route] = publicRequests[operation];
    const callLimits = limits(own, base);
    const callOptions = {
      limits: callLimits,
      signal,
      deadline: startOf(callLimits),
      read,
      recover: async () => undefined,
    };
    let received: ApiResponse<unknown> | undefined;
    const fetch = async ({ url, headers: given, body: text }: PlainRequest): Promise<Response> => {
      const start = {
        operation,
        method,
        path: url.slice(new URL(root).origin.length).replace(/\?.*/s, ''),
        host,
        attempts: 0,
      };
      const sent = {
        url,
        method,
        redirect: 'manual',
        headers: Object.fromEntries(given),
        ...(text && { body: text }),
      } as const;
      received = await perform(context, start, sent, callOptions);
      // openapi-fetch does not read a 204.
      return { status: 204, ok: true, headers: new Headers() } as unknown as Response;
    };
    const params = { path, query };
    await request(method, route.slice(contractRoot.length), {
      Request: PlainRequest,
      pathSerializer,
      params,
      body,
      fetch,
    });
    return received as ApiResponse<Value>;
  };

  /** The pages of one request. */
  async function* pagesOf(body: object, query: object | undefined, given: DppRequestOptions | undefined) {
    const cursors = new Set<string>();
    let cursor: string | undefined;
    do {
      const asked = { query: { ...query, cursor }, body };
      const { value } = await send<IdPage>('readDppIdsByProductIds', asked, readIds, given);
      cursor = value.cursor;
      if (cursor !== undefined) {
        if (cursors.has(cursor)) throw stalled(context.redact(cursor));
        cursors.add(cursor);
      }
      yield value.ids;
    } while (cursor !== undefined);
  }

  async function* idsOf(...[productIds, query, given]: Parameters<DppClient['idsOf']>): AsyncGenerator<string> {
    if (!isTexts(productIds)) throw new ArgumentError('productIds', 'must be a list of texts');
    const known = new Set<string>();
    for (let at = 0; at < productIds.length; at += maxProducts) {
      for await (const ids of pagesOf({ productIds: productIds.slice(at, at + maxProducts) }, query, given)) {
        const own = [...new Set(ids)].filter((id) => !known.has(id));
        for (const id of own) known.add(id);
        yield* own;
      }
    }
  }

  return {
    get: (dppId, query, own) =>
      apiPromise(send('readDppById', { path: { dppId }, query: { ...query } }, passportIn(query), own)),
    getByProduct: (productId, query, own) =>
      apiPromise(send('readDppByProductId', { path: { productId }, query: { ...query } }, passportIn(query), own)),
    idsOf,
    at: (dppId, date, query, own) => {
      const time = date instanceof Date ? date.toJSON() : date; // null for an invalid date
      const asked = { path: { dppId }, query: { ...query, date: time } };
      return apiPromise(
        typeof time === 'string'
          ? send('readDppVersionByIdAndDate', asked, passportIn(query), own)
          : Promise.reject(new ArgumentError('date', 'must be a valid date or a text')),
      );
    },
    element: (dppId, elementIdPath, query, own) =>
      apiPromise(send('readDataElement', { path: { dppId, elementIdPath }, query: { ...query } }, readValue, own)),
  };
}

/** A header's value, and its part after the scheme: a provider may repeat `Bearer …` without `Bearer`. */
function secretsIn(value: unknown): string[] {
  const whole = `${value ?? ''}`.trim();
  // A shorter value, such as the language `de`, is part of ordinary words.
  return [whole, whole.replace(/^\S+\s+/, '')].filter(({ length }) => length >= 8);
}

function isTexts(list: unknown): list is readonly string[] {
  return Array.isArray(list) && list.every((one) => typeof one === 'string');
}

/** Fills identifiers into a route, each encoded once into one segment. */
function pathSerializer(route: string, values: Record<string, unknown>): string {
  return route.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name];
    if (typeof value !== 'string' || /^\.{0,2}$|\p{Cs}/u.test(value)) {
      throw new ArgumentError(name, 'must be a text, and not only . or ..');
    }
    return encodeURIComponent(value).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  });
}

/** The JSON in a text. `undefined` for another text. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Reads JSON of any kind. An error has the code and the text of its first message. */
const readValue: Read = ({ response, text }, _url, fail) => {
  const json = parsed(text);
  if (response.ok) return json;
  const { message, messages = message } = Object(json);
  const { code, text: why } = Object(Array.isArray(messages) && messages[0]);
  const own = /^(?:string|number)$/.test(typeof code) && code;
  return typeof why === 'string' ? fail(why, `${own || response.status}`) : undefined;
};

/** Reads a passport in the form of the query. */
const passportIn =
  (query?: FormQuery): Read =>
  (received, url, fail) => {
    const passport = readValue(received, url, fail);
    const { digitalProductPassportId, elements } = Object(passport);
    const isWhole = query?.representation !== 'full' || Array.isArray(elements);
    return isWhole && typeof digitalProductPassportId === 'string' ? passport : undefined;
  };

interface IdPage {
  readonly ids: readonly string[];
  /** That of the next page. `undefined` at the end. */
  readonly cursor: string | undefined;
}

/** Reads a page of ids: an array with `Link`, or an object with `items` and `cursor`, or `dppIds` and `nextCursor`. */
const readIds: Read = (received, url, fail): IdPage | undefined => {
  const json = readValue(received, url, fail);
  const { items, dppIds = items, cursor, nextCursor = cursor } = Object(json);
  const ids = Array.isArray(json) ? json : dppIds;
  const [, link] =
    /<([^>]*)>(?:[^,"]|"[^"]*")*[;\s]rel=["']?next\b/i.exec(received.response.headers.get('link') ?? '') ?? [];
  const linked = link !== undefined && webUrl(link, url)?.searchParams.get('cursor');
  const next = linked || nextCursor || undefined;
  if (!isTexts(ids)) return undefined;
  if (next === undefined ? link !== undefined : typeof next !== 'string') return fail('the next page has no cursor');
  return { ids, cursor: next };
};

function stalled(cursor: string): UnexpectedResponseError<'readDppIdsByProductIds'> {
  const [method, path] = publicRequests.readDppIdsByProductIds;
  const call = { operation: 'readDppIdsByProductIds', method, path, attempts: 1 } as const;
  return new UnexpectedResponseError(
    call,
    { status: 200 },
    'pages_stalled',
    'the cursor is that of an earlier page',
    cursor,
  );
}

/** Members of a passport that are not elements. */
const header =
  /^(?:digitalProductPassportId|uniqueProductIdentifier|granularity|dppSchemaVersion|dppStatus|lastUpdated|economicOperatorId|facilityId|contentSpecificationIds|elements|@context)$/;

/**
 * A compressed passport in words, as `show` of `@product-passport/sdk/templates` writes a document: sections with labels and
 * values, and the keys of the elements where no template has them.
 *
 * ```ts
 * import { show } from '@product-passport/sdk/dpp';
 * import * as en from '@product-passport/sdk/templates/en';
 *
 * for (const { title, fields } of show(await reads.getByProduct('09520001200045'), en)) {
 *   for (const { label, texts } of fields) console.log(`${title} – ${label}: ${texts.join(', ')}`);
 * }
 * ```
 */
export function show(passport: EuPassport, words: Words): ShownSection[] {
  const group = /#group-([\w-]+)$/.exec(passport.contentSpecificationIds?.[0] ?? '')?.[1];
  const language = words.locale.slice(0, 2);
  const additionalProperty = Object.entries(passport)
    .filter(([name]) => !header.test(name))
    .map(([propertyID, value]) => {
      const texts = Array.isArray(value) && value.every((one) => Object(one).language) ? value : [];
      const { value: text = value, language: locale } =
        texts.find((one) => one.language === language) ?? texts[0] ?? {};
      const { value: amount = text, unit: unitText } = 'unit' in Object(text) ? text : {};
      return { propertyID, value: amount, unitText, 'dpp:locale': locale };
    });
  return showDocument({ category: group, additionalProperty } as unknown as Parameters<typeof showDocument>[0], words);
}
