/**
 * What a failure comes from, and what it means for a client: by what the response shows, the status that was expected, the
 * status that came, and the member that is wrong. Failures with one cause are one finding.
 */
import { isRecord, sideOf } from '@product-passport/openapi';
import { operationAt } from '../../judge/operation-at.ts';
import { codeIn } from '../../judge/response.ts';
import { type Exposure, exposures } from '../exposure.ts';
import { jsonIn } from '../http/exchange.ts';
import { loadedSuite } from '../verify.ts';
import type { ReportedCase, ReportedExchange } from './case.ts';

export interface Failure {
  readonly one: ReportedCase;
  readonly reason: string;
  /** The request that shows it. */
  readonly exchange: ReportedExchange | undefined;
}

export interface Cause {
  /** Equal for failures with one cause. */
  readonly key: string;
  /** 0 security, 1 wrong data, 2 form. */
  readonly weight: 0 | 1 | 2;
  /** What a client suffers. */
  readonly impact?: string | undefined;
  readonly exposes?: Exposure | undefined;
  /** What is wrong in plain words, if several operations have it. Default: the words of the first response. */
  readonly common?: string | undefined;
  /** It belongs to the finding whose key ends like this, if there is one. */
  readonly joins?: string | undefined;
  /** The query parameters that choose what a list has. If it has them, it joins only a finding with the same. */
  readonly filters?: string | undefined;
}

export function causesOf(failures: readonly Failure[]): Cause[] {
  const failing = new Set(failures.filter(isFailing).map(operationOf));
  const causes = failures.map((failure) => causeOf(failure, failing));
  return causes.map((cause, index) => {
    const { joins, exposes, filters } = cause;
    const shown = shownIn(failures[index]);
    const isSame = ({ exposes: other }: Cause, at: number) => other === exposes && shownIn(failures[at]) === shown;
    // One response that shows what it may not is one cause, whatever cases say of it.
    const first = exposes && shown && causes.find(isSame);
    const isJoined = (other: Cause) =>
      joins && other.key.endsWith(joins) && (filters === undefined || other.filters === filters);
    return first || causes.find(isJoined) || cause;
  });
}

/** What was sent, and what came. Empty without a response. */
function shownIn(failure?: Failure): string {
  const { request, response } = failure?.exchange ?? {};
  return response ? `${request?.method} ${request?.url} ${response.status} ${response.body}` : '';
}

/** Whether a valid request got a 5xx. */
function isFailing({ reason, exchange }: Failure): boolean {
  return exchange?.purpose === 'valid' && (outcomeIn(reason)?.came ?? 0) >= 500;
}

function causeOf(failure: Failure, failing: ReadonlySet<string>): Cause {
  const { one, reason } = failure;
  const rule = `${one.clause.split('/').slice(0, 4).join('/')} ${withoutValues(titleOf(reason))}`;
  if (one.claim === 'client' || one.claim === 'tests' || one.status === 'unexpected-pass')
    return { key: rule, weight: 1 };
  return (
    ofExposure(failure, rule) ??
    ofEnvelope(failure) ??
    ofStatus(failure, failing) ??
    ofBody(failure) ??
    ofRule(failure, rule)
  );
}

const inside = /\bcontains (?:a )?(stack trace|file path|path of the server|SQL)\b/;

function ofExposure({ one, reason, exchange }: Failure, rule: string): Cause | undefined {
  const exposes = one.exposes ?? (inside.test(reason) ? 'inside of the service' : undefined);
  if (exposes === undefined) return undefined;
  const shows: Partial<Record<Exposure, string | undefined>> = {
    'hidden value': parametersOf(exchange),
    'inside of the service': inside.exec(reason)?.[1]?.replace('file path', 'path of the server'),
  };
  const key = `${exposes} ${shows[exposes] ?? acceptedOf({ reason, exchange }) ?? rule}`;
  return { key, weight: 0, impact: exposures[exposes], exposes };
}

/** What a faulty request got, and whether it sent a key. */
function acceptedOf({ reason, exchange }: Omit<Failure, 'one'>): string | undefined {
  const accepted = /: the faulty request must get .*$/.exec(reason)?.[0];
  return accepted && `${exchange?.request.headers.authorization === undefined ? 'no key' : 'a key'}${accepted}`;
}

/** What a case or the judge says of an error without the contract's envelope. */
const lacksEnvelope =
  /^error\.code must be .*, is missing$|^(?:[45]\d\d: )?(?:body\/error(?:\/(?:code|message))? (?:is missing|must be)|content-type must|body is (?:not JSON|missing)|body must be)/;

function ofEnvelope({ reason, exchange }: Failure): Cause | undefined {
  const { response, request } = exchange ?? {};
  if (!lacksEnvelope.test(reason) || !response || !request || response.status < 400) return undefined;
  const { errorBody, secured } = sideOf(targetOf(request.url));
  if (!secured || codeIn(jsonIn(response.body), errorBody) !== undefined) return undefined;
  const common = `The body of an error has ${formOf(response, errorBody)}`;
  return { key: common, common, weight: 2, impact: 'A client does not find out why its request was refused.' };
}

/** Where the body has what, and where the contract has it. */
function formOf({ headers, body }: Response, errorBody: object): string {
  const [[inner = '', members = {}] = []] = Object.entries(errorBody);
  const contract = `: the contract has ${names(members)} inside \`${inner}\``;
  const json = jsonIn(body);
  if (json === undefined) return `no JSON (${headers['content-type'] ?? 'without a content type'})${contract}`;
  if (!isRecord(json)) return `no object${contract}`;
  if (!(inner in json)) return `${names(json)} at the top${contract}`;
  return `${isRecord(json[inner]) ? names(json[inner]) : 'no object'} as \`${inner}\`${contract}`;
}

function names(object: object): string {
  const all = Object.keys(object).map((name) => `\`${name}\``);
  return all.slice(0, 4).join(' and ') || 'nothing';
}

type Response = NonNullable<ReportedExchange['response']>;

interface Outcome {
  /** `401 or 400`, `2xx`. Absent if the contract has no such status here. */
  readonly expected?: string;
  readonly came: number;
}

const compared =
  /(?:must (?:get|respond with|succeed|be accepted|cause no server error)|(?:\bstatus|\bresponse)\b[^,]* must be)(?:[^,]*?\b([2-5](?:\d\d|xx)(?: or [2-5](?:\d\d|xx))*))?[^,]*, (?:gets|is|responds with) ([1-5]\d\d)\b/;

/** The status that was expected, and the one that came. */
function outcomeIn(reason: string): Outcome | undefined {
  const [whole, expected = '2xx', came] = compared.exec(reason) ?? [];
  if (came !== undefined) return { ...(!whole?.includes('no server error') && { expected }), came: Number(came) };
  const [, wrong, right] = /^(\d{3}): body\/error\/code \S+ belongs to the status (\d{3})$/.exec(reason) ?? [];
  if (right !== undefined) return { expected: right, came: Number(wrong) };
  const [, status] = /^(?:\d{3}: )?status (\d{3}) is /.exec(reason) ?? [];
  return status === undefined ? undefined : { came: Number(status) };
}

function ofStatus(failure: Failure, failing: ReadonlySet<string>): Cause | undefined {
  const { reason, exchange } = failure;
  const { expected, came } = outcomeIn(reason) ?? {};
  if (came === undefined) return undefined;
  const operation = operationOf(failure);
  // A generated request may be followed by one that reads what it stored.
  const code = /the body is the error (\w+)/.exec(reason)?.[1] ?? (exchange && codeOf(exchange));
  if (came >= 500) return ofFailure(came, operation, failing.has(operation), exchange);
  if (came < 400 && code !== undefined) {
    const common = `Refusals have the status ${came}: only the body says that they are errors`;
    return {
      key: common,
      common,
      weight: 1,
      impact: 'A client that looks at the status takes a refusal for a success.',
    };
  }
  if (expected === undefined) return ofUndocumented(came, operation);
  if (/^[23]/.test(expected)) {
    if (came < 400 && !/xx/.test(expected)) return ofSuccess(expected, came);
    return {
      key: `${operation} refuses ${came} ${code}`,
      weight: 1,
      impact: 'A client gets an error for a valid request.',
    };
  }
  return came < 300 ? ofAccepted(failure) : ofRefusal(expected, came);
}

function ofFailure(came: number, operation: string, isForValid: boolean, exchange?: ReportedExchange): Cause {
  const common = `The service fails with ${came}, also for valid requests`;
  if (isForValid) return { key: common, common, weight: 1, impact: 'A client gets an error for a valid request.' };
  const impact = 'A mistake of a client looks like a failure of the service.';
  return { key: `${operation} ${parametersOf(exchange)} fails ${came}`, weight: 1, impact };
}

function ofUndocumented(came: number, operation: string): Cause {
  const { operations } = loadedSuite().contract;
  const { responses = {} } = operations.find((one) => one.operationId === operation) ?? {};
  const success = came < 300 ? Object.keys(responses).find((status) => status < '300') : undefined;
  if (success !== undefined) return ofSuccess(success, came);
  return {
    key: `${operation} has ${came}`,
    joins: `→ ${came}`,
    weight: 2,
    impact: `A client does not know the status ${came}.`,
  };
}

/** One finding for each rule. */
function ofAccepted({ one, reason, exchange }: Failure): Cause {
  const accepted = /gets (\d+ in place of \w+)$/.exec(reason)?.[1];
  const impact = 'A client does not find out that its request is wrong: it gets a success.';
  const key = accepted ?? `${one.clause} ${withoutValues(titleOf(reason))}`;
  return { key, joins: acceptedOf({ reason, exchange }), weight: 1, impact };
}

function ofRefusal(expected: string, came: number): Cause {
  const common = `Refusals have the status ${came} in place of ${expected}`;
  return {
    key: `refusal ${expected.slice(0, 3)} → ${came}`,
    common,
    weight: 1,
    impact: branches(expected, 'misses the refusal'),
  };
}

function ofSuccess(expected: string, came: number): Cause {
  const common = `A success has the status ${came} in place of ${expected}`;
  return {
    key: `success ${expected} → ${came}`,
    common,
    weight: 2,
    impact: branches(expected, 'takes the success for an error'),
  };
}

const branches = (status: string, suffers: string): string =>
  `A client that checks for the status ${status} ${suffers}.`;

/** A body that no client can read. It says nothing about the rule that a case is about. */
const notJson = /^(?:[A-Z]+ \/\S*|\d{3}): (?:the )?body is not JSON/;

/** A member of the body, or its form. */
function ofBody({ one, reason, exchange }: Failure): Cause | undefined {
  const title = titleOf(reason);
  const type = exchange?.response?.headers['content-type'] ?? 'no content type';
  if (notJson.test(reason)) {
    const common = `Responses are not JSON (${type})`;
    return { key: common, common, weight: 1, impact: 'A client cannot read the response.' };
  }
  const code = /^error\.code .*\bis (".*")$/s.exec(title)?.[1];
  const ofCode = 'A client that branches on the code of an error does not recognize it.';
  if (code !== undefined) return { key: `error.code ${code}`, weight: 2, impact: ofCode };
  const isValue = isOfValue(reason);
  if (!isValue && !/^\w+ must be .*, is missing$/s.test(title)) return undefined;
  const member = title.split(' ')[0] ?? '';
  const key = isValue
    ? title.replace(/^\S*?(\w+)(?=(?:\[\])* )/, '$1').replace(/(?:, is |; body\/).*$/s, '')
    : `${member} is missing`;
  const impact = member.startsWith('error.code') ? ofCode : reliesOn(member, one);
  return { key, weight: 2, impact };
}

function reliesOn(what: string, { claim }: ReportedCase): string | undefined {
  return claim === 'link' ? undefined : `A client that relies on ${what} fails, or works with a wrong value.`;
}

/** What a case compares: `total`, `the joined pages`. */
const subject = /^(?:\d{3}: )?((?!the response to )[^:"]{1,60}?) (must be(?=.*, is )|must|is missing|does not)\b/s;

const things = [
  ['total', /^(?:the (?:sum of the )?)?totals?\b/],
  ['products that the search misses', /^the search must (?:also )?find\b/],
] as const;
const ofPages = /^the (?:joined pages|number of products on all pages)$/;

function ofRule(failure: Failure, rule: string): Cause {
  const { one, reason } = failure;
  const [, what, verb] = subject.exec(titleOf(reason)) ?? [];
  const isForm = /^\d{3}: |^content-type |^header /.test(reason);
  const [, form] = /^[A-Z]+ \/\S*: (.*)$/s.exec(reason) ?? [];
  // Cases that compare the same thing of one operation differ in its values, or in how they say it.
  const [thing] = things.find(([, named]) => named.test(titleOf(reason))) ?? [];
  const isCompared = verb === 'must be' || thing !== undefined;
  const compared = isCompared ? `${operationOf(failure)} ${thing ?? withoutValues(what ?? '')}` : rule;
  const key = form === undefined ? compared : withoutValues(form);
  const impact = what && reliesOn(thing === 'total' ? thing : what, one);
  return { key, ...ofList(failure, what), weight: isForm ? 2 : 1, impact };
}

/** A wrong total ends the reading of a list too early or too late. */
function ofList(failure: Failure, what = ''): Pick<Cause, 'joins' | 'filters'> {
  const isOfPages = ofPages.test(what);
  return {
    joins: isOfPages ? `${operationOf(failure)} total` : undefined,
    filters: isOfPages && isReadToTotal(failure) ? undefined : filtersOf(failure.exchange),
  };
}

/** The names of the query parameters. */
function parametersOf(exchange?: ReportedExchange): string {
  const [, query = ''] = exchange?.request.url.split('?') ?? [];
  return [...new Set(new URLSearchParams(query).keys())].join();
}

/** Whether the pages have as many different products as `total` says, so that only `total` may be to blame. */
function isReadToTotal({ one, exchange }: Failure): boolean {
  const listOf = (each?: ReportedExchange): string | undefined => each?.request.url.replace(/(?<=[?&])offset=\d+/, '');
  const pages = one.exchanges.filter((each) => listOf(each) === listOf(exchange));
  const bodies = pages.map(({ response }) => jsonIn(response?.body ?? ''));
  const items = bodies.flatMap((body) => (isRecord(body) && Array.isArray(body.items) ? body.items : []));
  return new Set(items.map((item) => Object(item).slug)).size >= Object(bodies.at(-1)).total;
}

function filtersOf(exchange?: ReportedExchange): string {
  const names = parametersOf(exchange).split(',');
  return names
    .filter((name) => name !== 'limit' && name !== 'offset')
    .sort()
    .join();
}

function codeOf({ request, response }: ReportedExchange): string | undefined {
  return codeIn(jsonIn(response?.body ?? ''), sideOf(targetOf(request.url)).errorBody);
}

/** The operation of the request, or the line that the reason names. */
function operationOf({ one, reason, exchange }: Failure): string {
  const { operations } = loadedSuite().contract;
  const [, method = '', path = ''] = /^([A-Z]+) (\/[^\s:]*)/.exec(reason) ?? [];
  const [, , at = '', verb = ''] = one.clause.split('/');
  const found =
    operationAt(operations, method, path) ??
    (exchange && operationAt(operations, exchange.request.method, targetOf(exchange.request.url))) ??
    operations.find((each) => each.path === at.replaceAll('~1', '/') && each.method === verb.toUpperCase());
  return found?.operationId ?? withoutValues(`${method} ${path}`);
}

/** The path and the query of an address. */
export function targetOf(url: string): string {
  return url.replace(/^\w+:\/\/[^/]+/, '');
}

/** `GET /api/v1/products?limit=3: ` or the status that the judge names. */
const lineOrStatus = /^(?:[A-Z]+ \/\S*|\d{3}): /;

/** A value of a body that its schema refuses: `GET /api/v1/products: body/total must be integer, is "15"`. */
const wrongValue = /^body\/(\S+) (.*)$/s;

/** Its JSON pointer without the first slash, and what is wrong with it. */
export function valueIn(reason: string): { readonly pointer: string; readonly what: string } | undefined {
  const [, pointer, what] = wrongValue.exec(reason.replace(generated, '').replace(lineOrStatus, '')) ?? [];
  return pointer === undefined || what === undefined ? undefined : { pointer, what };
}

export function isOfValue(reason: string): boolean {
  return valueIn(reason) !== undefined;
}

/** How a generated request was found. It stays in the reasons of its case. */
const generated = /\. Found in generated request \d.*$/s;

/** `total must be integer, is "15"` */
export function titleOf(whole: string): string {
  const reason = whole.replace(generated, '');
  const { pointer, what } = valueIn(reason) ?? {};
  if (pointer === undefined) return reason.replace(/^(?:\d{3}): /, '');
  return `${pointer.replace(/\/(?:\d+|\*)(?=\/|$)/g, '[]').replaceAll('/', '.')} ${what}`;
}

/** The sentence without the values of one case. Statuses stay. */
export function withoutValues(text: string): string {
  return text
    .replace(/\?\S*(?=:| )/g, '')
    .replace(/(\/products|\/p\/[^/\s]+)\/[^/\s:]+/g, '$1/*')
    .replace(/\/01\/[^\s:]+/g, '/01/*')
    .replace(/"(?:[^"\\]|\\.)*"/g, '…')
    .replace(/(?<![\w.])(?![1-5]\d\d\b)-?\d+(?:\.\d+)?(?!\w)/g, '…')
    .replace(/\[(?:…|[\s,])*(?:\]|$)/g, '…');
}
