/** Mistakes in the SDK that the consumer tests must notice, each in a file below sdk/src. */
import type { Operation } from '@product-passport/sdk';
import type { Edit } from '../matrix.ts';

/** An edit with the operation of an interaction that must fail. */
export interface SdkMutant extends Edit {
  /** Below sdk/src. */
  readonly file: string;
  readonly killedBy: Operation;
}

const mistake = (id: string, what: string, file: string) => ({
  replaces: (from: string, to: string) => ({
    noticedBy: (killedBy: Operation): SdkMutant => ({ id, mistake: what, file, from, to, killedBy }),
  }),
});

export const sdkMutants: readonly SdkMutant[] = [
  mistake('another-scheme', 'The key is sent with the scheme Token.', 'call.ts')
    .replaces('`Bearer ', '`Token ')
    .noticedBy('getMe'),
  mistake('another-header', 'The key is sent in another header.', 'call.ts')
    .replaces(', authorization: `', ", 'x-api-key': `")
    .noticedBy('getMe'),
  mistake('no-content-type', 'A body is sent as plain text.', 'api.ts')
    .replaces(
      'headers: Object.fromEntries(given),',
      "headers: { ...Object.fromEntries(given), 'content-type': 'text/plain' },",
    )
    .noticedBy('createProduct'),
  mistake('query-dropped', 'The query is not sent.', 'api.ts')
    .replaces('params: { path, query }', 'params: { path }')
    .noticedBy('listProducts'),
  mistake('body-dropped', 'Bodies are not sent.', 'api.ts')
    .replaces('...(body !== undefined && { body }),', '')
    .noticedBy('createProduct'),
  mistake('patch-in-place-of-put', 'Values are written with PATCH.', 'generated/requests.ts')
    .replaces('"PUT"', '"PATCH"')
    .noticedBy('putPassport'),
  mistake('another-path', 'The statistics are requested at another path.', 'generated/requests.ts')
    .replaces('/api/v1/analytics/scans', '/api/v1/analytics')
    .noticedBy('getScanStatistics'),
  mistake('wrong-operation', 'The carriers of a product are read from its passport.', 'client.ts')
    .replaces("request('listCarriers'", "request('getPassport'")
    .noticedBy('listCarriers'),
  mistake('offset-always-sent', 'A list always sends offset=0.', 'client.ts')
    .replaces('(offset = first.offset)', '(offset = first.offset ?? 0)')
    .noticedBy('listProducts'),
  mistake('filter-lost', 'A list with an offset forgets its other parameters.', 'client.ts')
    .replaces('{ ...first, offset }', '{ offset }')
    .noticedBy('listProducts'),
  mistake('scan-query-dropped', 'The period of the statistics is not sent.', 'client.ts')
    .replaces("request('getScanStatistics', { query }", "request('getScanStatistics', {}")
    .noticedBy('getScanStatistics'),
  mistake('errors-as-values', 'The body of an error is returned as a value.', 'response.ts')
    .replaces('return response.ok ? objectOf(text) : undefined;', 'return objectOf(text);')
    .noticedBy('createProduct'),
  mistake('error-code-lost', 'The code of an error is not read.', 'response.ts')
    .replaces("if (typeof code === 'string' && code) return fail(message, code);", '')
    .noticedBy('listProducts'),
  mistake('redirect-unknown', '307 does not count as a redirect.', 'response.ts')
    .replaces('/^30[12378]/', '/^30[1238]/')
    .noticedBy('resolveGtin'),
  mistake('status-lost', 'Errors do not have the status of the response.', 'errors.ts')
    .replaces('this.status = response.status;', 'this.status = 400;')
    .noticedBy('createProduct'),
  mistake('page-error-code', 'A page that does not exist has another code.', 'public.ts')
    .replaces("404: 'not_found'", "404: 'gone'")
    .noticedBy('getPassportPage'),
  mistake('page-as-error', 'A page is not read as HTML.', 'public.ts')
    .replaces('/html/i', '/xhtml/i')
    .noticedBy('getPassportPage'),
  mistake('page-accepts-json', 'The page is requested as JSON.', 'public.ts')
    .replaces("'', 'text/html'", "'', 'application/json'")
    .noticedBy('getPassportPage'),
  mistake('token-dropped', 'The access token is not sent.', 'public.ts')
    .replaces("['lang', 'zugang', 'version'] as const", "['lang', 'version'] as const")
    .noticedBy('getPassportPage'),
  mistake('document-path', 'The JSON-LD document is requested at another path.', 'public.ts')
    .replaces("'getPassportJsonld', '/jsonld'", "'getPassportJsonld', '.jsonld'")
    .noticedBy('getPassportJsonld'),
  mistake('another-link-type', 'The resolver is requested with another link type.', 'public.ts')
    .replaces("'gs1:dpp'", "'gs1:pip'")
    .noticedBy('resolveGtin'),
  mistake('short-gtin', 'A GTIN is filled up to 13 digits.', 'gs1.ts')
    .replaces("padStart(14, '0')", "padStart(13, '0')")
    .noticedBy('resolveGtin'),
  mistake('no-opening-bracket', 'The array of values has no opening bracket.', 'put.ts')
    .replaces('body: `[', 'body: `')
    .noticedBy('putPassport'),
  mistake('empty-page-refused', 'A list without products is refused.', 'pages.ts')
    .replaces('Array.isArray(page?.items)', 'Array.isArray(page?.items) && page.items.length > 0')
    .noticedBy('listProducts'),
  mistake('null-members-dropped', 'Members that are null are not sent.', 'api.ts')
    .replaces('    above.push(value);\n    return value;', '    above.push(value);\n    return value ?? undefined;')
    .noticedBy('createProduct'),
];
