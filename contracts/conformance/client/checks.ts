import {
  blindRepeats,
  earlyRequests,
  lineOf,
  member,
  partsWithKey,
  pausesIn,
  queryFaults,
  sideOf,
} from '@product-passport/openapi';
import { bodyOf, type Exchange, jsonIn, type WireRequest } from '../http/exchange.ts';
import { requestFaults } from '../judges.ts';
import {
  breachesOf,
  type Cause,
  type ClientCheck,
  type ClientRequest,
  type ClientRun,
  checksOf,
  type Findings,
  findingsOf,
  isSuccess,
  sentOf,
  survival,
  withoutEnd,
} from './check.ts';
import { withoutAdditions } from './service.ts';

type FaultsOf = (one: ClientRequest, run: ClientRun) => readonly string[];

const anyRequest = 'request to the address in PRODUCT_PASSPORT_URL';
const operations = over(anyRequest, () => true, unknownOperation);
const parameters = over(anyRequest, () => true, wrongParameters);
const headers = over('request to the API', ({ exchange }) => sideOf(exchange.request.path).secured, wrongHeaders);
const bodies = over('request with a body', ({ exchange }) => exchange.request.body !== undefined, wrongBody);

/** @param isMeant whether the check reads this request */
function over(name: string, isMeant: (one: ClientRequest) => boolean, faultsOf: FaultsOf) {
  return (run: ClientRun): Findings => {
    const judged = run.main.requests.filter(isMeant);
    if (judged.length === 0) return { notExercised: `The program sent no ${name}.` };
    const faults = judged.flatMap((one) => faultsOf(one, run).map((fault) => ({ fault, exchange: one.exchange })));
    return findingsOf(
      faults.map(({ fault, exchange }) => ({ reason: `${lineOf(exchange.request)}: ${fault}`, exchange })),
    );
  };
}

function unknownOperation({ operationId, exchange: { request } }: ClientRequest): string[] {
  const isOptions = request.method === 'OPTIONS' && !sideOf(request.path).secured;
  return operationId === undefined && !isOptions ? ['the contract has no such operation.'] : [];
}

function wrongParameters({ operationId, exchange: { request } }: ClientRequest, run: ClientRun): string[] {
  const operation = run.contract.operations.find((one) => one.operationId === operationId);
  if (operation === undefined) return [];
  const { core, reference } = run.judges;
  const wrong = [core, reference].flatMap((judge) => requestFaults(judge, request));
  const faults = wrong.filter((fault) => !fault.startsWith('body')).map((fault) => `${fault}.`);
  return [...new Set([...faults, ...queryFaults(request.path, operation)])];
}

function wrongHeaders({ exchange: { request } }: ClientRequest, { apiKey }: ClientRun): string[] {
  if (!sideOf(request.path).secured) return [];
  const { authorization = '', 'content-type': type = '', 'content-encoding': encoding = 'identity' } = request.headers;
  const [, key] = /^bearer +(\S+)$/i.exec(authorization) ?? [];
  const isJson = /^application\/json\s*(;\s*charset="?utf-8"?)?$/i.test(type);
  return [
    ...(authorization === '' ? ['the header Authorization is missing.'] : []),
    ...(authorization !== '' && key === undefined ? ['Authorization is not "Bearer", a blank and the key.'] : []),
    ...(key !== undefined && key !== apiKey ? ['the key is not the one in PRODUCT_PASSPORT_KEY.'] : []),
    ...(request.body !== undefined && !isJson
      ? [`Content-Type must be application/json, is ${type || 'absent'}.`]
      : []),
    ...(encoding !== 'identity' ? ['Content-Encoding is not in the contract.'] : []),
  ];
}

function wrongBody({ operationId, exchange: { request } }: ClientRequest, { judges }: ClientRun): string[] {
  if (operationId === undefined) return [];
  if (request.method === 'GET' || request.method === 'HEAD') return [`${request.method} has a body.`];
  const { json, isUtf8 } = bodyOf(request);
  if (!isUtf8) return ['the body is not UTF-8.'];
  if (json === undefined) return ['the body is not JSON.'];
  const sent: WireRequest = { ...request, body: Buffer.from(JSON.stringify(withoutAdditions(json))) };
  const wrong = [judges.core, judges.reference].flatMap((judge) => requestFaults(judge, sent));
  return [...new Set(wrong.filter((fault) => fault.startsWith('body')).map((fault) => `${fault}.`))];
}

interface Page {
  readonly exchange: Exchange;
  /** Status and search: the list that the page belongs to. */
  readonly list: string;
  /** The number of products that the program asked for, if it named one. */
  readonly asked: number | undefined;
  readonly offset: number;
  /** The offset of the next page. */
  readonly next: number;
  readonly total: number;
}

function readings(run: ClientRun): Findings {
  const lists = Map.groupBy(run.main.requests.flatMap(pageIn), ({ list }) => list);
  const longer = [...lists.values()].filter((list) =>
    list.some(({ next, total, offset }) => offset === 0 && next < total),
  );
  if (longer.length === 0) return { notExercised: 'The program read no list of more than one page.' };
  const faults = longer.flatMap((list) => faultOf(list, isSuccess(run.main)) ?? []);
  if (faults.length > 0) return findingsOf(faults);
  if (longer.flat().every(({ offset, next, asked }) => offset === 0 && next === asked)) {
    return { notExercised: 'The program got as many products as the limit that it named, and wanted no more.' };
  }
  return survival(run, 'pages', 'pages are small and the list grows while it is read');
}

function faultOf(list: readonly Page[], isFinished: boolean): { reason: string; exchange: Exchange } | undefined {
  let reached = 0;
  for (const { offset, next } of list.toSorted((one, other) => one.offset - other.offset)) {
    if (offset <= reached) reached = Math.max(reached, next);
  }
  const [first] = list;
  if (first === undefined || reached >= first.total) return undefined;
  const beyond = list.find(({ offset }) => offset > reached);
  if (beyond !== undefined) {
    const reason = `The program skipped products: it read ${reached}, then asked from offset ${beyond.offset} on. The next page begins at offset plus the number of items.`;
    return { reason, exchange: beyond.exchange };
  }
  const last = list.find(({ next }) => next === reached) ?? first;
  const isEnough = last.asked !== undefined && last.next - last.offset >= last.asked;
  if (!isFinished || isEnough) return undefined;
  const wanted = last.asked === undefined ? 'a list' : `${last.asked} products`;
  const reason = `The program asked for ${wanted}, got ${reached} of ${last.total} products, and did not ask for the rest.`;
  return { reason, exchange: last.exchange };
}

function pageIn({ operationId, exchange }: ClientRequest): Page[] {
  const { request, response } = exchange;
  if (operationId !== 'listProducts' || request.method !== 'GET' || response?.status !== 200) return [];
  const body = jsonIn(response.text);
  const items = member(body, 'items');
  if (!Array.isArray(items)) return [];
  const query = new URLSearchParams(request.path.split('?')[1]);
  const offset = Number(member(body, 'offset'));
  const limit = query.get('limit');
  return [
    {
      exchange,
      list: `${query.get('status')} ${query.get('search') ?? ''}`,
      asked: limit === null ? undefined : Number(limit),
      offset,
      next: offset + items.length,
      total: Number(member(body, 'total')),
    },
  ];
}

const notLimited = 'No request of the program got 429, because it sent too few.';

function early({ main }: ClientRun): Findings {
  const sent = main.requests.map(sentOf);
  if (pausesIn(sent).length === 0) return { notExercised: notLimited };
  return breachesOf(earlyRequests(sent));
}

function lost(run: ClientRun): Findings {
  const { requests } = run.main;
  const refused = requests.filter(({ fault }) => fault?.code === 'rate_limited');
  if (refused.length === 0) return { notExercised: notLimited };
  // The program may have been about to send it.
  if (typeof run.main.ending === 'string') return { notExercised: withoutEnd[run.main.ending] };
  const accepted = requests.filter(
    ({ fault, exchange }) => fault === undefined && sideOf(exchange.request.path).secured,
  );
  const faults = refused
    .filter((refusal) => {
      const { arrivedAt } = refusal;
      const later = accepted.filter((one) => one.arrivedAt > arrivedAt);
      const isRepeated = later.some((one) => sentOf(one).identity === sentOf(refusal).identity);
      return !isRepeated && (later.length > 0 || isSuccess(run.main));
    })
    .map((one) => ({
      reason: `${lineOf(one.exchange.request)} got 429 and was never sent again.`,
      exchange: one.exchange,
    }));
  return faults.length > 0 ? findingsOf(faults) : survival(run, 'limits', 'a request gets 429');
}

function repeats({ main: { requests } }: ClientRun): Findings {
  if (!requests.some(({ fault }) => fault?.connection === 'lose_response'))
    return { notExercised: 'The program created fewer than two products.' };
  return breachesOf(blindRepeats(requests.map(sentOf)));
}

const causes: Readonly<Record<Cause, string>> = {
  none: '',
  program: ' It fails without disturbances, too.',
  together: ' It succeeds without disturbances, and no disturbance alone makes it fail.',
  limits: ' It succeeds if no request gets 429.',
  drops: ' It succeeds if no response to a create is lost.',
  fields: ' It succeeds if no response has an unknown field.',
  values: ' It succeeds if no response has an unknown value.',
  pages: ' It succeeds if pages are large and the list does not grow.',
  redirect: '',
};

function endingOf({ main, cause }: ClientRun): Findings {
  if (typeof main.ending === 'string') return { notExercised: withoutEnd[main.ending] };
  return main.ending.isSuccess ? {} : { reasons: [`The command ended ${main.ending.words}.${causes[cause]}`] };
}

function addresses({ main: { requests }, apiKey }: ClientRun): Findings {
  if (requests.length === 0) return { notExercised: 'The program sent no request.' };
  const faults = requests.flatMap(({ exchange }) => {
    const { method, path, body } = exchange.request;
    const parts = partsWithKey(path, Buffer.from(body ?? []).toString(), [apiKey]);
    return parts.map((part) => ({ reason: `${method}: ${part} contains the key. Logs keep it.`, exchange }));
  });
  return findingsOf(faults);
}

function redirects({ redirected, apiKey }: ClientRun): Findings {
  if (redirected === undefined) return { notExercised: 'The program ran only once, without a redirect.' };
  const sent = redirected.requests.filter(({ isRedirected }) => isRedirected).map(({ exchange }) => exchange);
  if (sent.length === 0) return { notExercised: 'No request of the program got a redirect.' };
  const isIn = (text: string): boolean => text.includes(apiKey) || text.includes(encodeURIComponent(apiKey));
  const faults = redirected.elsewhere
    .filter(({ request }) => Object.values(request.headers).some(isIn))
    .map((exchange) => ({
      reason: `${lineOf(exchange.request)} went to another origin, with the key.`,
      exchange,
    }));
  return faults.length > 0 ? findingsOf(faults) : { examples: sent };
}

/** @param text what a response with the addition has */
function survives(kind: 'fields' | 'values', what: string, text: string) {
  return (run: ClientRun): Findings => {
    const responses = run.main.requests.map(({ exchange }) => exchange.response);
    const isMet = responses.some((response) => response?.status === 200 && response.text.includes(text));
    if (!isMet) return { notExercised: 'No response had one.' };
    return survival(run, kind, `responses have a ${what} that the program does not know`);
  };
}

const fields = survives('fields', 'field', '"added_later":');
const values = survives('values', 'value', ':"added_later"');

const description = '/info/description';
const key = '/components/securitySchemes/apiKey';
const refusal = '/components/responses/RateLimited';
const list = '/paths/~1api~1v1~1products/get';
const creation = '/paths/~1api~1v1~1products/post';

export const checks: readonly ClientCheck[] = checksOf<ClientCheck['findings']>([
  ['CLIENT-1.operation', '/paths', 'The program sends only operations of the contract.', operations],
  [
    'CLIENT-1.parameters',
    '/paths',
    'Paths and queries have only parameters of the contract, with valid values.',
    parameters,
  ],
  [
    'CLIENT-1.headers',
    key,
    'A request to the API has the key as a bearer token, and a body has the type application/json.',
    headers,
  ],
  ['CLIENT-1.body', description, 'A body is JSON that conforms to the schema of its operation.', bodies],
  [
    'CLIENT-2.wait',
    refusal,
    'After a 429 the program sends nothing until the seconds in Retry-After have passed.',
    early,
  ],
  ['CLIENT-2.repeat', refusal, 'A request that got 429 is sent again, and the program goes on.', lost],
  [
    'CLIENT-3.create',
    creation,
    'If the response to a create is lost, the program looks for the product before it creates again.',
    repeats,
  ],
  ['CLIENT-4.fields', description, 'The program survives a field that it does not know.', fields],
  ['CLIENT-4.values', description, 'The program survives a value of an open set that it does not know.', values],
  ['CLIENT-5.pages', list, 'The program reads a list of products to its end, whatever the size of a page.', readings],
  ['CLIENT-6.address', key, 'The key is never part of an address or a body.', addresses],
  ['CLIENT-6.redirect', key, 'The program does not send the key to another origin that a redirect names.', redirects],
  ['CLIENT-7.exit', description, 'The command ends with exit code 0.', endingOf],
]);
