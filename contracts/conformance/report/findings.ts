/** What is to repair: the failures of a run, by their causes. */

import { isRecord, member } from '@product-passport/openapi';
import { stepsOf } from '../../judge/finding.ts';
import { operationAt } from '../../judge/operation-at.ts';
import type { Exchange } from '../http/exchange.ts';
import type { Result, Source } from '../result.ts';
import { loadedSuite } from '../verify.ts';
import { impactOfCase, mistakeOf, ofForm, ofSecurity } from './families.ts';

export interface ReportedFinding {
  /** What is wrong, in the words of the response. */
  readonly title: string;
  /** The whole sentence, if the title is only its beginning. */
  readonly reason?: string;
  /** What else the cases say. */
  readonly also: readonly string[];
  /** What a client of such a provider suffers. Absent for a finding about a client. */
  readonly impact?: string;
  /** The shortest test that would notice it, if tests were judged. */
  readonly test?: string;
  /** The rule of the first case, if the title says something else. */
  readonly expected?: string;
  /** The request of the first case, and its response. */
  readonly sent?: string;
  readonly came?: string;
  /** Where openapi.yaml says what is right, in words. Empty for a client. */
  readonly place: string;
  /** JSON pointer into openapi.yaml. */
  readonly clause: string;
  /** The ids of the cases that fail for it, in the order of the run. A case may have several causes. */
  readonly cases: readonly string[];
  /** What is not built, in the order in which its cases become possible. */
  readonly build_next?: readonly { readonly operation: string; readonly cases: number }[];
}

interface Failure {
  readonly one: ReportedCase;
  readonly reason: string;
}

/** What is not built comes first, then security, wrong data and form. Within each group, the finding with the most cases comes first. */
export function findingsOf(cases: readonly ReportedCase[]): ReportedFinding[] {
  const failures = cases
    .filter(({ status, scored }) => scored && (status === 'failed' || status === 'unexpected-pass'))
    .flatMap((one): Failure[] => {
      // A service with a mistake is one cause, and its title says which.
      const isOwnCause = one.claim === 'tests' || one.reasons.length === 0;
      return (isOwnCause ? [one.title] : one.reasons).map((reason) => ({ one, reason }));
    });
  const groups = [...Map.groupBy(failures, causeOf).values()].map((group) => ({
    finding: findingOf(group as [Failure, ...Failure[]]),
    weight: Math.min(...group.map(weightOf)),
  }));
  groups.sort((a, b) => a.weight - b.weight || b.finding.cases.length - a.finding.cases.length);
  return [...notBuilt(cases), ...groups.map(({ finding }) => finding)];
}

function findingOf(group: readonly [Failure, ...Failure[]]): ReportedFinding {
  const [first] = group;
  // For a wrong value, the clause of its response is the most precise.
  const { one, reason } = group.find((failure) => isOfValue(failure.reason) && /^\d/.test(failure.reason)) ?? first;
  const whole = titleOf(first.reason);
  const title = shortOf(whole);
  const impact = impactOf({ one, reason });
  // Other reasons of one cause differ in their values only.
  const isMistake = mistakeOf(one.id, one.family) !== undefined;
  const also = new Map(
    group.map((failure) => shortOf(titleOf(failure.reason))).map((text) => [withoutValues(text), text]),
  );
  also.delete(withoutValues(title));
  const [why, test] = one.claim === 'tests' ? one.reasons : [];
  return {
    title,
    ...(whole !== title && { reason: whole }),
    also: isMistake ? [...also.values()] : [],
    ...(impact !== undefined && { impact }),
    ...(why !== undefined && { impact: why.replace(/^No test notices it\. /, '') }),
    ...(test !== undefined && { test: test.replace(/^Shortest test: /, '') }),
    ...(first.one.title !== title && { expected: first.one.title }),
    ...exampleIn(first.one),
    place: placeIn(one),
    clause: one.clause,
    cases: [...new Set(group.map(({ one: { id } }) => id))],
  };
}

const maxPart = 100;

/** What was sent, and what came. */
function exampleIn(one: ReportedCase | undefined): Pick<ReportedFinding, 'sent' | 'came'> {
  const example = one && exampleOf(one);
  if (example === undefined) return {};
  const { request, response, failure = 'no response' } = example;
  const words = (...texts: readonly string[]): string =>
    texts
      .map((text) => (text.length > maxPart ? `${text.slice(0, maxPart).toWellFormed()}…` : text))
      .filter(Boolean)
      .join(' ');
  return {
    sent: words(request.method, targetOf(request.url), request.body ?? ''),
    came: response === undefined ? failure : words(String(response.status), response.body),
  };
}

export function placeIn(one: ReportedCase): string {
  const sent = exampleOf(one)?.request;
  return one.clause === ''
    ? ''
    : placeOf(one.clause, sent && { method: sent.method, path: targetOf(sent.url) }, one.id);
}

/** The path and the query of an address. */
export function targetOf(url: string): string {
  return url.replace(/^\w+:\/\/[^/]+/, '');
}

/** The request that shows why a case fails: the one that its reason names, or the last one of the clause. */
export function exampleOf({ reasons, clause, not_built, exchanges }: ReportedCase): ReportedExchange | undefined {
  if (not_built !== undefined) return exchanges.findLast(isUnanswered);
  const [, line] = /^([A-Z]+ \/[^\s:]*):? /.exec(reasons[0] ?? '') ?? [];
  const isNamed = ({ request }: ReportedExchange) => `${request.method} ${targetOf(request.url)}` === line;
  const isOfInput = ({ request }: ReportedExchange) => ofInput.test(clause) && request.body !== undefined;
  return exchanges.findLast(isNamed) ?? exchanges.findLast(isOfInput) ?? exchanges.at(-1);
}

/** A valid request that got the response of an unknown address. */
function isUnanswered({ purpose, response }: ReportedExchange): boolean {
  return purpose === 'valid' && response !== undefined && [404, 405, 501].includes(response.status);
}

function expectedOf(operation: string): string {
  const response = operation === 'resolveGtin' ? 'a redirect' : '200';
  const of = new Map([
    [ofProducts, ' for a product of this run'],
    [ofActive, ' for an active product'],
  ]);
  return `${operation} responds with ${response}${of.get(findsBy[operation] ?? '') ?? ''}.`;
}

/** A schema of what a client sends. */
const ofInput = /^\/components\/schemas\/(?:Create|\w+Inputs?\b)/;

function notBuilt(cases: readonly ReportedCase[]): ReportedFinding[] {
  const waiting = cases.filter(({ not_built }) => not_built !== undefined);
  const byOperation = Map.groupBy(waiting, ({ not_built = [] }) => not_built[0] ?? '');
  const order = Object.keys(findsBy);
  const next = [...byOperation].map(([operation, members]) => ({ operation, cases: members.length }));
  next.sort((one, other) => order.indexOf(one.operation) - order.indexOf(other.operation));
  const [first] = next;
  if (first === undefined) return [];
  const finds = findsBy[first.operation] ?? '';
  const count = first.cases === 1 ? '1 case' : `${first.cases} cases`;
  const inOrder = next.flatMap(({ operation }) => byOperation.get(operation) ?? []);
  // Its request shows what came.
  const one = inOrder.find((waiting) => exampleOf(waiting) !== undefined) ?? inOrder[0];
  // Without an active product, no case asks for a public page.
  const isWithoutActive = cases.some(({ missing, not_built }) => not_built === undefined && missing.includes(active));
  const unasked = order.filter((operation) => findsBy[operation] === ofActive && !byOperation.has(operation));
  return [
    {
      title: `not built${finds}: ${first.operation} (${count})`,
      also:
        isWithoutActive && unasked.length > 0
          ? [`not asked yet, because no product is active: ${unasked.join(', ')}`]
          : [],
      expected: expectedOf(first.operation),
      ...exampleIn(one),
      place: nameOf(first.operation),
      clause: one?.clause ?? '',
      cases: [...new Set([one, ...inOrder])].flatMap((waiting) => waiting?.id ?? []),
      build_next: next,
    },
  ];
}

const active = 'active product';
const ofProducts = ', or does not find products that createProduct returned';
const ofActive = ', or does not find active products';

/** The operations in the order in which their cases become possible, with what a 404 may mean in place of a missing one. */
const findsBy: Readonly<Record<string, string>> = {
  getMe: '',
  listProducts: '',
  createProduct: '',
  getProduct: ofProducts,
  getPassport: ofProducts,
  putPassport: ofProducts,
  listCarriers: ofProducts,
  getPassportPage: ofActive,
  getPassportJsonld: ofActive,
  resolveGtin: ofActive,
  getScanStatistics: '',
};

/** A valid request that did not succeed. */
const refused = / must (?:respond with|succeed, responds with|not get) /;

/** A body that no client can read. It says nothing about the rule that a case is about. */
const notJson = /^([A-Z]+ \/[^\s:?]*)\S*: (?:the )?body is not JSON/;

/** 0 security, 1 wrong data, 2 form. */
function weightOf({ one, reason }: Failure): number {
  if (notJson.test(reason)) return 1;
  if (isOfValue(reason) || / is missing$/.test(reason) || /^error\.code /.test(titleOf(reason))) return 2;
  if (refused.test(reason)) return 1;
  if (ofSecurity.test(one.family)) return 0;
  return ofForm.test(one.family) ? 2 : 1;
}

function impactOf({ one, reason }: Failure): string | undefined {
  if (one.claim === 'client' || one.claim === 'tests' || one.status === 'unexpected-pass') return undefined;
  const title = titleOf(reason);
  if (/^error\.code /.test(title)) return 'A client that branches on the code of an error does not recognize it.';
  const [member] = isOfValue(reason) || / is missing$/.test(reason) ? title.split(' ') : [];
  if (member !== undefined) return `A client that reads ${member} as described fails, or works with a wrong value.`;
  if (notJson.test(reason)) return 'A client cannot read the response.';
  if (refused.test(reason)) return 'A client gets an error for a valid request.';
  return impactOfCase(one.id, one.family);
}

/** `GET /api/v1/products?limit=3: ` or the status that the judge names. */
const lineOrStatus = /^(?:[A-Z]+ \/\S*|\d{3}): /;

/** A value of a body that its schema refuses: `GET /api/v1/products: body/total must be integer, is "15"`. */
const wrongValue = /^body\/(\S+) (.*)$/s;

function isOfValue(reason: string): boolean {
  return wrongValue.test(reason.replace(lineOrStatus, ''));
}

/** How a generated request was found. It stays in the reasons of its case. */
const generated = /\. Found in generated request \d.*$/s;

/** `total must be integer, is "15"` */
function titleOf(whole: string): string {
  const reason = whole.replace(generated, '');
  const [, pointer, what] = wrongValue.exec(reason.replace(lineOrStatus, '')) ?? [];
  if (pointer === undefined) return reason.replace(/^(?:\d{3}): /, '');
  return `${pointer.replace(/\/(?:\d+|\*)(?=\/|$)/g, '[]').replaceAll('/', '.')} ${what}`;
}

const maxTitle = 160;

/** A title is read in a list of findings. The whole reason stands at its case. */
function shortOf(whole: string): string {
  if (whole.length <= maxTitle) return whole;
  const title = whole.replace(/(\[[^\]]{56})[^\]]{3,}/g, '$1…');
  if (title.length <= maxTitle) return title;
  const cutAt = title.slice(0, maxTitle);
  const atWord = cutAt.replace(/\s\S*$/, '');
  return `${(atWord.length > maxTitle / 2 ? atWord : cutAt).toWellFormed()} …`;
}

/** Equal for reasons with one cause. The same field may be wrong in several responses, and with several values. */
function causeOf({ one: { id, family, clause }, reason }: Failure): string {
  const title = titleOf(reason);
  const code = /^error\.code .*\bis (".*")$/s.exec(title)?.[1];
  if (code !== undefined) return `error.code ${code}`;
  if (isOfValue(reason)) return title.replace(/^\S*?(\w+)(?=(?:\[\])* )/, '$1').replace(/(?:, is |; body\/).*$/s, '');
  const missing = /^(\w+) must be .*, is missing$/s.exec(title)?.[1];
  if (missing !== undefined) return `${missing} is missing`;
  const accepted = /gets (\d+ in place of \w+)$/.exec(title)?.[1];
  if (accepted !== undefined) return accepted;
  const [, unread] = notJson.exec(title) ?? [];
  if (unread !== undefined) return withoutValues(`${unread} is not JSON`);
  const [, line, status] = /^([A-Z]+ \/[^\s:]*).* responds with (\d{3})/s.exec(title) ?? [];
  if (line !== undefined) return withoutValues(`${line} ${status}`);
  const undocumented = /^status (\d{3}) is (?:a failure|not documented) /.exec(title)?.[1];
  if (undocumented !== undefined) return `${lineOf(clause)} ${undocumented}`;
  const mistake = refused.test(reason) ? undefined : mistakeOf(id, family);
  if (mistake !== undefined) return mistake;
  const operation = clause.split('/').slice(0, 4).join('/');
  return `${operation} ${withoutValues(title)}`;
}

/** `GET /api/v1/products/*`, as a reason without values names the request. */
function lineOf(clause: string): string {
  const [, , path = '', method = ''] = clause.split('/');
  return `${method.toUpperCase()} ${path.replaceAll('~1', '/').replace(/\{\w+\}/g, '*')}`;
}

/** The sentence without the values of one case. Statuses stay. */
function withoutValues(text: string): string {
  return text
    .replace(/\?\S*(?=:| )/g, '')
    .replace(/(\/products|\/p\/[^/\s]+)\/[^/\s:]+/g, '$1/*')
    .replace(/\/01\/[^\s:]+/g, '/01/*')
    .replace(/"(?:[^"\\]|\\.)*"/g, '…')
    .replace(/(?<![\w.])(?![1-5]\d\d\b)-?\d+(?:\.\d+)?(?!\w)/g, '…')
    .replace(/\[(?:…|[\s,])*(?:\]|$)/g, '…');
}

/** `Products, create` by the operation's id. */
let names: ReadonlyMap<string, string> | undefined;

function nameOf(operationId: string): string {
  names ??= new Map(
    [...nodesIn(member(loadedSuite().document, 'paths'))]
      .flatMap((item) => [...nodesIn(item)])
      .map((operation) => [String(member(operation, 'operationId')), wordsOf(operation)]),
  );
  return names.get(operationId) ?? operationId;
}

function nodesIn(node: unknown): Iterable<unknown> {
  return isRecord(node) ? Object.values(node) : [];
}

/** The tag, and the summary without what the tag says. */
function wordsOf(operation: unknown): string {
  const tag = String(Object(member(operation, 'tags'))[0]);
  const summary = String(member(operation, 'summary'));
  const isRepeated = summary.toLowerCase().includes(tag.toLowerCase().replace(/s$/, ''));
  const words = isRepeated ? summary.replace(/ .*/, '') : summary;
  // Only the first letter: others may belong to a name, as in GS1 and JSON-LD.
  return `${tag}, ${words.charAt(0).toLowerCase()}${words.slice(1)}`;
}

interface Sent {
  readonly method: string;
  readonly path: string;
}

/**
 * @param clause JSON pointer
 * @param sent a request that the clause is about, because several operations share a schema
 * @param caseId may name the operation, too
 * @returns `Products, create: slug`
 */
function placeOf(clause: string, sent?: Sent, caseId = ''): string {
  const { operations } = loadedSuite().contract;
  const [part, path, method, ...rest] = stepsOf(clause);
  const named =
    part === 'paths' ? operations.find((one) => one.path === path && one.method === method?.toUpperCase()) : undefined;
  const ofCase = operations.find(({ operationId }) => caseId.split(/[.-]/).includes(operationId));
  const at = sent && operationAt(operations, sent.method, sent.path);
  const id = (named ?? ofCase ?? at)?.operationId;
  const index = rest[0] === 'parameters' ? Number(rest[1]) : Number.NaN;
  const name = named?.parameters[index]?.name ?? /\/properties\/(\w+)/.exec(clause)?.[1];
  const operation = id === undefined ? '' : nameOf(id);
  const words = [operation, name ?? ''].filter((text) => text !== '');
  return words.length > 0
    ? words.join(': ')
    : clause
        .split('/')
        .slice(part === 'components' ? 2 : 1)
        .join(' › ');
}

export interface ReportedCase
  extends Omit<Result, 'source' | 'set' | 'notBuilt' | 'stoppedAt' | 'used' | 'states' | 'exchanges'> {
  readonly family: string;
  /** Where the rule comes from, with the sentences of the API's description. Empty for the tests of a program. */
  readonly source: string;
  /** The set of requirements that the case came in with. */
  readonly set?: string;
  /** What the clause is quoted from. */
  readonly edition: string;
  /** Who has to act. Absent if nobody does. */
  readonly blame?: 'provider' | 'client' | 'operator' | 'suite';
  /** The operations without which the case cannot run, if the provider has not built them. */
  readonly not_built?: readonly string[];
  /** The states that the case used, and where they came from. */
  readonly states: Readonly<Record<string, Source>>;
  readonly exchanges: readonly ReportedExchange[];
}

export interface ReportedExchange extends Pick<Exchange, 'purpose' | 'milliseconds' | 'failure'> {
  readonly sent_at: string;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    /** The bytes of a body that is not UTF-8. */
    readonly body_base64?: string;
  };
  readonly response?: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** Repeats the request. Keys and tokens are shell variables. */
  readonly curl: string;
}
