/** Does an answer keep the contract? */
import type { Contract, Header, MediaType, Operation, Response } from './contract.ts';
import { compile, describeError, errorsOf, type Profile, readSchema, shown } from './schema.ts';

/** One place where something breaks the contract. */
export interface Finding {
  /** `status`, `content-type`, `header Allow`, or a JSON pointer into the body, as in `body/items/0/gtin`. */
  readonly where: string;
  readonly what: string;
}

export type AnswerHeaders = Headers | Readonly<Record<string, string | number | readonly string[] | undefined>>;

export interface Answer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  /**
   * What came: text is parsed where the content type is JSON, anything else is taken as parsed already. Nothing is
   * `undefined` or `''`.
   */
  readonly body?: unknown;
}

/**
 * What was asked for. `operationId` decides where it is given; otherwise method and path do. Neither is for bytes that
 * were no HTTP request.
 */
export interface Asked {
  readonly operationId?: string | undefined;
  readonly method?: string | undefined;
  /** As it was sent: with or without query and trailing slash. */
  readonly path?: string | undefined;
}

/** Headers of HTTP itself, which no contract has to name. */
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

type ResponsesFor = (status: number) => Response | undefined;

export function answerJudge(contract: Contract, profile: Profile): (asked: Asked, answer: Answer) => Finding[] {
  const bodyCheck = memoized((media: MediaType) => compile(readSchema(media.schema, { profile, objects: 'closed' })));
  const headerCheck = memoized((header: Header) => compile(readSchema(header.schema, { profile, objects: 'closed' })));

  return (asked, answer) => {
    const place = placeOf(contract, asked);
    const response = place.responses(answer.status);
    if (response === undefined) {
      return [{ where: 'status', what: `${answer.status} is not documented for ${place.name}` }];
    }
    const headers = headersOf(answer.headers);
    const withoutBody = asked.method?.toUpperCase() === 'HEAD';
    return [
      ...headerFindings(response, headers),
      ...(answer.status === 405 ? allowFindings(place, headers) : []),
      ...contentFindings(response, headers, answer.body, withoutBody),
    ];
  };

  function headerFindings(response: Response, headers: ReadonlyMap<string, string>): Finding[] {
    const documented = Object.entries(response.headers ?? {});
    const binding = documented.filter(([, header]) => profile === 'reference' || header['x-origin'] !== 'reference');
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
    if (value === undefined) return [{ where: 'body', what: body === undefined ? 'is missing' : 'is no JSON' }];
    return errorsOf(bodyCheck(media), value).map((error) => {
      const { where, what } = describeError(error);
      return { where: `body${where}`, what };
    });
  }

  /** The reference writes exactly one form; the description says no more than "JSON in UTF-8". */
  function isUtf8(contentType: string, mediaType: string): boolean {
    if (profile === 'reference') return contentType === `${mediaType}; charset=utf-8`;
    return /^[^;]+(;\s*charset="?utf-8"?)?$/i.test(contentType);
  }
}

interface Place {
  readonly name: string;
  readonly responses: ResponsesFor;
  /** The methods that the path has. */
  readonly methods: readonly string[];
}

/**
 * Which responses may come. An answer beside the operations fits only where it belongs: 400 to bytes that are no HTTP,
 * 404 to an unknown path, 405 to an unknown method, 408 and 431 anywhere.
 */
function placeOf(contract: Contract, asked: Asked): Place {
  const beside = (...statuses: number[]): ResponsesFor => {
    return (status) => (statuses.includes(status) ? contract.besideOperations[String(status)] : undefined);
  };
  const { operationId, path } = asked;
  const method = asked.method?.toUpperCase();
  if (operationId === undefined && path === undefined) {
    return { name: 'bytes that are no HTTP request', responses: beside(400, 408, 431), methods: [] };
  }
  const atPath = path === undefined ? [] : contract.operations.filter((operation) => matches(operation.path, path));
  const operation =
    operationId === undefined
      ? atPath.find((candidate) => candidate.method === (method === 'HEAD' ? 'GET' : method))
      : operationOf(contract, operationId);
  const methods = (operation === undefined ? atPath : [operation]).map((candidate) => candidate.method);

  if (operation !== undefined) {
    const others = beside(408, 431);
    const responses: ResponsesFor = (status) => operation.responses[String(status)] ?? others(status);
    return { name: operation.operationId, responses, methods };
  }
  // Who has no key learns nothing, not even which paths there are.
  const keyless = isUnderKey(contract, path ?? '') ? invalidKeyResponse(contract) : undefined;
  const others = beside(atPath.length === 0 ? 404 : 405, 408, 431);
  const responses: ResponsesFor = (status) => (status === 401 ? keyless : inTypesOf(atPath, others(status)));
  const name = atPath.length === 0 ? `the unknown path ${path}` : `${method} of ${path}`;
  return { name, responses, methods };
}

/** An error of a path is of the content type of its operations' errors: a page on the page for people. */
function inTypesOf(operations: readonly Operation[], response: Response | undefined): Response | undefined {
  const errors = operations.flatMap(({ responses }) => Object.entries(responses)).filter(([status]) => status >= '400');
  const types = new Set(errors.flatMap(([, error]) => Object.keys(error.content ?? {})));
  const content = Object.entries(response?.content ?? {}).filter(([type]) => types.has(type));
  return response === undefined || content.length === 0
    ? response
    : { ...response, content: Object.fromEntries(content) };
}

export function operationOf(contract: Contract, operationId: string): Operation {
  const operation = contract.operations.find((candidate) => candidate.operationId === operationId);
  if (operation === undefined) throw new Error(`The contract has no operation ${operationId}.`);
  return operation;
}

function matches(template: string, path: string): boolean {
  const [sent = ''] = path.split(/[?#]/, 1);
  const steps = template.split('/');
  const sentSteps = (sent.length > 1 && sent.endsWith('/') ? sent.slice(0, -1) : sent).split('/');
  return (
    steps.length === sentSteps.length &&
    steps.every((step, index) => (step.startsWith('{') ? sentSteps[index] !== '' : step === sentSteps[index]))
  );
}

/** Whether the path lies below the one root that all secured operations share (`/api/v1`). */
function isUnderKey(contract: Contract, path: string): boolean {
  const secured = contract.operations.filter((operation) => operation.secured).map(({ path }) => path.split('/'));
  const [first = [], ...rest] = secured;
  const end = first.findIndex((step, index) => rest.some((steps) => steps[index] !== step));
  const root = first.slice(0, end === -1 ? first.length : end);
  const [sent = ''] = path.split(/[?#]/, 1);
  return root.length > 1 && `${sent}/`.startsWith(`${root.join('/')}/`);
}

function invalidKeyResponse(contract: Contract): Response | undefined {
  return contract.operations.find((operation) => operation.secured)?.responses['401'];
}

function allowFindings(place: Place, headers: ReadonlyMap<string, string>): Finding[] {
  const allowed = new Set((headers.get('allow') ?? '').split(',').map((method) => method.trim()));
  const expected = place.methods.flatMap((method) => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
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
