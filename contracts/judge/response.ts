/** Checks a response that was received against the `Response` that the contract documents. */
import {
  type Contract,
  codesOf,
  fallbackOf,
  isRecord,
  type MediaType,
  mapValues,
  member,
  type Operation,
  type Response,
  readContract,
  type Schema,
} from '@product-passport/openapi';
import { type Finding, failure, shown, warning } from './finding.ts';
import { leaksIn, textsIn } from './leaks.ts';
import { operationAt, parametersOf } from './operation-at.ts';
import { describeError, isMarked, type Rules, violationsBy } from './schema.ts';

/** Whether a request of an operation may get a status of 500 or more. */
export type ServerErrors = 'documented' | 'failure';

type ReceivedHeaders = Headers | Readonly<Record<string, string | number | readonly string[] | undefined>>;

/** A response, and the request that it belongs to. */
export interface ReceivedResponse extends RequestLine {
  readonly status: number;
  readonly headers: ReceivedHeaders;
  /** The text of the body, or its parsed JSON. `undefined` and `''` are an empty body. */
  readonly body?: unknown;
  /** False if the bytes of the body are not UTF-8. */
  readonly isUtf8?: boolean | undefined;
  /** Why there is no body to judge, as in `is not valid gzip`. */
  readonly unreadable?: string | undefined;
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

export function responseJudge(
  contract: Contract,
  { rules, serverErrors }: { readonly rules: Rules; readonly serverErrors: ServerErrors },
): (received: ReceivedResponse) => Finding[] {
  const isLax = rules === 'description';
  const violations = violationsBy({ rules, objects: 'closed' });

  return (received) => {
    try {
      return findingsOf(received);
    } catch (error) {
      // JSON with very many levels exhausts the stack.
      if (error instanceof RangeError) return [failure('body', 'has too many levels')];
      throw error;
    }
  };

  function findingsOf(received: ReceivedResponse): Finding[] {
    if (received.unreadable !== undefined) return [failure('body', received.unreadable)];
    const possible = possibleResponses(contract, received);
    const wrong = wrongStatus(possible, received);
    return [
      ...(wrong === undefined ? responseFindings(possible, received) : [failure('status', wrong)]),
      ...encodingFindings(received),
      ...leakFindings(received),
    ];
  }

  /** Why the status is wrong whatever the body has, if it is. */
  function wrongStatus(
    { operation, request }: PossibleResponses,
    { status, body }: ReceivedResponse,
  ): string | undefined {
    if (operation === undefined) return undefined;
    if (serverErrors === 'failure' && status >= 500) return `${status} is a failure of ${request}`;
    const code = status < 400 ? codeIn(parsed(body), operation.side.errorBody) : undefined;
    return code && `${status} is that of a success, and the body is the error ${code}`;
  }

  /** JSON is always UTF-8. */
  function encodingFindings({ headers, isUtf8: isValid = true }: ReceivedResponse): Finding[] {
    const mediaType = mediaTypeOf(headersOf(headers).get('content-type') ?? '');
    return isValid || !isJson(mediaType) ? [] : [failure('body', 'is not valid UTF-8')];
  }

  function responseFindings(possible: PossibleResponses, received: ReceivedResponse): Finding[] {
    const { status, body } = received;
    const withoutBody = received.method?.toUpperCase() === 'HEAD';
    const { operation, request } = possible;
    const headers = headersOf(received.headers);
    const response = possible.of(status);
    if (!isLax) {
      if (response === undefined) return [failure('status', `${status} is not documented for ${request}`)];
      return [
        ...headerFindings(response, headers),
        ...(status === 405 ? allowFindings(possible, headers) : []),
        ...contentFindings(response, headers, body, withoutBody),
      ];
    }
    const required = response ?? undocumentedError(operation, status);
    const findings = [
      ...(response === undefined ? [statusFinding(possible, status)] : headerFindings(response, headers)),
      ...(required === undefined ? [] : contentFindings(required, headers, body, withoutBody)),
    ];
    const hasWrongCode = findings.some(({ where }) => where === codePlace);
    return hasWrongCode ? findings : [...findings, ...codeFindings(operation, status, parsed(body))];
  }

  function headerFindings(response: Response, headers: ReadonlyMap<string, string>): Finding[] {
    const documented = Object.entries(response.headers ?? {});
    const binding = documented.filter(([, header]) => !isLax || !isMarked(header));
    const findings = binding.flatMap(([name, header]): Finding[] => {
      const where = `header ${name}`;
      const text = headers.get(name.toLowerCase());
      if (text === undefined) return header.required === true ? [failure(where, 'is missing')] : [];
      const value = header.schema.type === 'integer' && /^[0-9]+$/.test(text) ? Number(text) : text;
      return violations(header.schema, value).map((error) => failure(where, describeError(error).what));
    });
    if (isLax) return findings;
    const names = new Set(documented.map(([name]) => name.toLowerCase()));
    const surplus = [...headers.keys()].filter((name) => !names.has(name) && !standardHeaders.has(name));
    return [...findings, ...surplus.map((name) => failure(`header ${name}`, 'is not documented'))];
  }

  function contentFindings(
    response: Response,
    headers: ReadonlyMap<string, string>,
    body: unknown,
    withoutBody: boolean,
  ): Finding[] {
    if (hasOpenContent(response)) return [];
    if (response.content === undefined) return emptyFindings(body);
    const contentType = headers.get('content-type') ?? '';
    const mediaType = mediaTypeOf(contentType);
    const media = response.content[mediaType];
    if (media === undefined) return [wrongType(response.content, contentType)];
    const bodies = withoutBody ? emptyFindings(body) : bodyFindings(media, mediaType, body);
    return isUtf8(contentType, mediaType) ? bodies : [wrongType(response.content, contentType), ...bodies];
  }

  /** The description does not say whether a redirect has a text. */
  function hasOpenContent({ content = {} }: Response): boolean {
    return isLax && Object.values(content).every(isMarked);
  }

  function bodyFindings(media: MediaType, mediaType: string, body: unknown): Finding[] {
    const value = isJson(mediaType) ? parsed(body) : body;
    if (value === undefined) return [failure('body', body === undefined ? 'is missing' : 'is not JSON')];
    const beginning = withShortLists(value);
    const found = valueFindings(media.schema, beginning);
    // Violations take far more memory than the values.
    const isEnough = beginning === value || found.some(({ severity }) => severity === 'failure');
    return isEnough ? found : valueFindings(media.schema, value);
  }

  function valueFindings(schema: Schema, value: unknown): Finding[] {
    return violations(schema, value).map((error) => {
      const { where, what } = describeError(error);
      const isAddition = isLax && error.keyword === 'unevaluatedProperties';
      return isAddition ? warning(`body${where}`, what) : failure(`body${where}`, what);
    });
  }

  function mediaTypeOf(contentType: string): string {
    const [mediaType = ''] = contentType.split(';', 1);
    return isLax ? mediaType.trim().toLowerCase() : mediaType;
  }

  /** The rules `reference` have exactly one form. The description requires only that JSON is in UTF-8. */
  function isUtf8(contentType: string, mediaType: string): boolean {
    if (!isLax) return contentType === `${mediaType}; charset=utf-8`;
    const charset = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType)?.[1] ?? 'utf-8';
    return !isJson(mediaType) || charset.toLowerCase() === 'utf-8';
  }
}

const longList = 1_000;

/** The value with only the beginning of long lists, or the value itself if it has none. */
function withShortLists(value: unknown): unknown {
  if (!isRecord(value) || !Object.values(value).some(isLong)) return value;
  return mapValues(value, (part) => (isLong(part) ? part.slice(0, longList) : part));
}

function isLong(part: unknown): part is readonly unknown[] {
  return Array.isArray(part) && part.length > longList;
}

function wrongType(content: NonNullable<Response['content']>, contentType: string): Finding {
  const expected = Object.keys(content).map((name) => `${name}; charset=utf-8`);
  return failure('content-type', `must be ${expected.join(' or ')}, is ${shown(contentType)}`);
}

/** By all rules, an error must not show the inside of the service. */
function leakFindings({ status, body }: ReceivedResponse): Finding[] {
  if (status < 400) return [];
  return leaksIn(textsIn(parsed(body) ?? body)).map(({ kind, text }) =>
    failure('body', `contains a ${kind}: ${shown(text)}`),
  );
}

function emptyFindings(body: unknown): Finding[] {
  return body === undefined || body === '' ? [] : [failure('body', 'must be empty')];
}

function allowFindings({ methods }: PossibleResponses, headers: ReadonlyMap<string, string>): Finding[] {
  const allowed = new Set((headers.get('allow') ?? '').split(',').map((method) => method.trim()));
  const expected = methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
  const missing = expected.filter((method) => !allowed.has(method));
  return missing.map((method) => failure('header Allow', `does not name ${method}`));
}

function headersOf(headers: ReceivedHeaders): ReadonlyMap<string, string> {
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

/** The JSON of a body that is given as text. A body that is given as JSON stays as it is. */
function parsed(body: unknown): unknown {
  if (typeof body !== 'string') return body;
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

const text: Schema = { type: 'string' };

/** Every error response of the API has this body. */
const envelope: Schema = {
  type: 'object',
  required: ['error'],
  properties: { error: { type: 'object', required: ['code', 'message'], properties: { code: text, message: text } } },
};

const errorResponse: Response = { content: { 'application/json': { schema: envelope } } };

/**
 * An undocumented status is a failure if the description names the status of this outcome: that of a success, of a
 * redirect, and 500 for an unexpected failure. The description names some errors of a client, but not all. For unknown
 * paths it names nothing.
 */
function statusFinding({ operation, request }: PossibleResponses, status: number): Finding {
  const what = `${status} is not documented for ${request}`;
  const isNamed = status < 400 || status >= 500 ? namesStatusLike(operation, status) : false;
  return isNamed ? failure('status', what) : warning('status', what);
}

function namesStatusLike(operation: Operation | undefined, status: number): boolean {
  const isServerError = status >= 500;
  return Object.entries(operation?.responses ?? {}).some(([named, response]) => {
    const isSameOutcome = isServerError ? named >= '500' : named < '400';
    return isSameOutcome && !isMarked(response);
  });
}

/** The response that an undocumented error of the API must fit. */
function undocumentedError(operation: Operation | undefined, status: number): Response | undefined {
  return operation?.side.secured === true && status >= 400 ? errorResponse : undefined;
}

const codePlace = 'body/error/code';

/** The code of an error that has this form. */
export function codeIn(body: unknown, form: object): string | undefined {
  const code = member(body, 'code');
  if ('code' in form) return typeof code === 'string' ? code : undefined;
  const [[name, part] = ['', { code: '' }]] = Object.entries(form);
  return codeIn(member(body, name), part);
}

/** The description gives each of its codes one status. */
function codeFindings(operation: Operation | undefined, status: number, body: unknown): Finding[] {
  const code = member(member(body, 'error'), 'code');
  if (operation?.side.secured !== true || status < 400 || typeof code !== 'string') return [];
  const expected = Object.hasOwn(describedStatus, code) ? describedStatus[code] : status;
  return expected === status ? [] : [failure(codePlace, `${code} belongs to the status ${expected}`)];
}

// The responses that the contract allows for a request.

const { operations, describedCodes } = readContract();

/** The status of each error code of the service's own description. Only `/api/v1` has these codes. */
const describedStatus: Readonly<Record<string, number>> = Object.fromEntries(
  operations
    .filter(({ side }) => side.secured)
    .flatMap(({ responses }) => Object.entries(responses))
    .flatMap(([status, response]) => codesOf(response).map((code): [string, number] => [code, Number(status)]))
    .filter(([code]) => describedCodes.includes(code)),
);

/**
 * The request that a response belongs to. `operationId` names the operation if it is given, otherwise method and path
 * do. A request without any of them stands for bytes that are not HTTP.
 */
export interface RequestLine {
  readonly operationId?: string | undefined;
  readonly method?: string | undefined;
  /** As it was sent, with or without a query and a trailing slash. */
  readonly path?: string | undefined;
}

type ResponseOf = (status: number) => Response | undefined;

interface PossibleResponses {
  /** The operation, if the request belongs to one. */
  readonly operation: Operation | undefined;
  /** The operation, or a description of the request, for messages. */
  readonly request: string;
  /** The documented response with this status, if the request may get it. */
  readonly of: ResponseOf;
  /** The methods that the path has. */
  readonly methods: readonly string[];
}

/**
 * The responses that a request may get: those of its operation, and those of no operation that apply to it. These
 * are 400 for bytes that are not HTTP, 404 for an unknown path, 405 for an unknown method, and 408 and 431 always.
 */
function possibleResponses(contract: Contract, { operationId, method, path }: RequestLine): PossibleResponses {
  if (operationId === undefined && path === undefined) {
    const of = ofNoOperation(contract, 400, 408, 431);
    return { operation: undefined, request: 'bytes that are not HTTP', of, methods: [] };
  }
  const operation =
    operationId === undefined
      ? operationAt(contract.operations, method?.toUpperCase() ?? '', path ?? '')
      : operationOf(contract, operationId);
  if (operation === undefined) return betweenOperations(contract, method?.toUpperCase(), path ?? '');

  const others = ofNoOperation(contract, 408, 431);
  return {
    operation,
    request: operation.operationId,
    of: (status) => operation.responses[String(status)] ?? others(status),
    methods: [operation.method],
  };
}

export function operationOf(contract: Contract, operationId: string): Operation {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
  return operation;
}

function ofNoOperation({ outsideOperations }: Contract, ...statuses: readonly number[]): ResponseOf {
  return (status) => (statuses.includes(status) ? outsideOperations[String(status)] : undefined);
}

/** The responses to an unknown path, or to an unknown method of a path. */
function betweenOperations(contract: Contract, method: string | undefined, path: string): PossibleResponses {
  const atPath = contract.operations.filter((operation) => parametersOf(operation.path, path));
  const side = fallbackOf(contract.fallbacks, path);
  const isUnknown = atPath.length === 0;
  const isPreflight = method === 'OPTIONS' && atPath.some((operation) => !operation.side.secured);
  const usual = isPreflight ? 204 : isUnknown ? side.status : 405;
  const others = ofNoOperation(contract, usual, 408, 431);
  // The server checks the key before the path, so that a client without a key does not learn which paths exist.
  const own: ResponseOf = (status) =>
    status === usual || (![204, 404, 405].includes(status) && (isUnknown || side.secured))
      ? side.responses[status]
      : undefined;
  return {
    operation: undefined,
    request: isUnknown ? `the unknown path ${path}` : `${method} of ${path}`,
    of: (status) => own(status) ?? inTypesOf(atPath, others(status)),
    methods: atPath.map((operation) => operation.method),
  };
}

/** An error of a path has the content types of its operations' errors: the passport page has HTML errors. */
function inTypesOf(operations: readonly Operation[], response: Response | undefined): Response | undefined {
  const errors = operations.flatMap(({ responses }) => Object.entries(responses)).filter(([status]) => status >= '400');
  const types = new Set(errors.flatMap(([, error]) => Object.keys(error.content ?? {})));
  const content = Object.entries(response?.content ?? {}).filter(([type]) => types.has(type));
  return response === undefined || content.length === 0
    ? response
    : { ...response, content: Object.fromEntries(content) };
}
