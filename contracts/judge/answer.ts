/** Checks an answer, the response that was received, against the `Response` that the contract documents. */

import type { Contract, Header, MediaType, Response } from '@product-passport/openapi';
import { type PossibleResponses, possibleResponses, type RequestLine } from './possible-responses.ts';
import { compile, describeError, errorsOf, isMarked, type Profile, readSchema, shown } from './schema.ts';

/** One violation of the contract. */
export interface Finding {
  /** `status`, `content-type`, `header Allow`, or a JSON pointer into the body, as in `body/items/0/gtin`. */
  readonly where: string;
  /** What is wrong there, as in `is missing`. */
  readonly what: string;
  /** A warning is a deviation that the profile allows. Default: a failure. */
  readonly severity?: 'failure' | 'warning';
}

export type AnswerHeaders = Headers | Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /** The text of the body, or its parsed JSON. `undefined` and `''` are an empty body. */
  readonly body?: unknown;
}

/** Headers of HTTP itself, which the contract does not have to document. */
const standardHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'date',
  'keep-alive',
  'transfer-encoding',
  'vary',
]);

export function answerJudge(contract: Contract, profile: Profile): (line: RequestLine, answer: Answer) => Finding[] {
  const bodyCheck = memoized((media: MediaType) => compile(readSchema(media.schema, { profile, objects: 'closed' })));
  const headerCheck = memoized((header: Header) => compile(readSchema(header.schema, { profile, objects: 'closed' })));

  return (line, answer) => {
    const possible = possibleResponses(contract, line);
    const response = possible.of(answer.status);
    if (response === undefined) {
      return [{ where: 'status', what: `${answer.status} is not documented for ${possible.request}` }];
    }
    const headers = headersOf(answer.headers);
    const withoutBody = line.method?.toUpperCase() === 'HEAD';
    return [
      ...headerFindings(response, headers),
      ...(answer.status === 405 ? allowFindings(possible, headers) : []),
      ...contentFindings(response, headers, answer.body, withoutBody),
    ];
  };

  function headerFindings(response: Response, headers: ReadonlyMap<string, string>): Finding[] {
    const documented = Object.entries(response.headers ?? {});
    const binding = documented.filter(([, header]) => profile === 'reference' || !isMarked(header));
    const findings = binding.flatMap(([name, header]): Finding[] => {
      const where = `header ${name}`;
      const text = headers.get(name.toLowerCase());
      if (text === undefined) return header.required === true ? [{ where, what: 'is missing' }] : [];
      const value = header.schema.type === 'integer' && /^[0-9]+$/.test(text) ? Number(text) : text;
      return errorsOf(headerCheck(header), value).map((error) => ({ where, what: describeError(error).what }));
    });
    if (profile === 'description') return findings;
    const names = new Set(documented.map(([name]) => name.toLowerCase()));
    const surplus = [...headers.keys()].filter((name) => !names.has(name) && !standardHeaders.has(name));
    return [...findings, ...surplus.map((name) => ({ where: `header ${name}`, what: 'is not documented' }))];
  }

  function contentFindings(
    response: Response,
    headers: ReadonlyMap<string, string>,
    body: unknown,
    withoutBody: boolean,
  ): Finding[] {
    if (response.content === undefined) return emptyFindings(body);
    if (profile === 'description' && Object.values(response.content).every(isMarked)) return [];
    const contentType = headers.get('content-type') ?? '';
    const [mediaType = ''] = contentType.split(';', 1);
    const media = response.content[mediaType];
    const expected = Object.keys(response.content).map((name) => `${name}; charset=utf-8`);
    const typeFinding = {
      where: 'content-type',
      what: `must be ${expected.join(' or ')}, is ${shown(contentType)}`,
    };
    if (media === undefined) return [typeFinding];
    return [
      ...(isUtf8(contentType, mediaType) ? [] : [typeFinding]),
      ...(withoutBody ? emptyFindings(body) : bodyFindings(media, mediaType, body)),
    ];
  }

  function emptyFindings(body: unknown): Finding[] {
    return body === undefined || body === '' ? [] : [{ where: 'body', what: 'must be empty' }];
  }

  function bodyFindings(media: MediaType, mediaType: string, body: unknown): Finding[] {
    const value = isJson(mediaType) && typeof body === 'string' ? parsed(body) : body;
    if (value === undefined) return [{ where: 'body', what: body === undefined ? 'is missing' : 'is not JSON' }];
    return errorsOf(bodyCheck(media), value).map((error) => {
      const { where, what } = describeError(error);
      return { where: `body${where}`, what };
    });
  }

  /** The reference profile has exactly one form. The description requires only JSON in UTF-8. */
  function isUtf8(contentType: string, mediaType: string): boolean {
    if (profile === 'reference') return contentType === `${mediaType}; charset=utf-8`;
    return /^[^;]+(;\s*charset="?utf-8"?)?$/i.test(contentType);
  }
}

function allowFindings({ methods }: PossibleResponses, headers: ReadonlyMap<string, string>): Finding[] {
  const allowed = new Set((headers.get('allow') ?? '').split(',').map((method) => method.trim()));
  const expected = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const missing = expected.filter((method) => !allowed.has(method));
  return missing.map((method) => ({ where: 'header Allow', what: `does not name ${method}` }));
}

function headersOf(headers: AnswerHeaders): ReadonlyMap<string, string> {
  const pairs: Iterable<[string, unknown]> = headers instanceof Headers ? headers : Object.entries(headers);
  return new Map(
    [...pairs]
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value.join(', ') : String(value)]),
  );
}

function isJson(mediaType: string): boolean {
  return /[/+]json$/.test(mediaType);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function memoized<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
