/** What is to repair: the failures of a run, by their causes. */

import { isRecord, member } from '@product-passport/openapi';
import { shown, stepsOf } from '../../judge/finding.ts';
import { operationAt } from '../../judge/operation-at.ts';
import { memberAt } from '../check.ts';
import type { Exposure } from '../exposure.ts';
import { jsonIn } from '../http/exchange.ts';
import { loadedSuite } from '../verify.ts';
import type { ReportedCase, ReportedExchange } from './case.ts';
import { type Cause, causesOf, type Failure, isOfValue, targetOf, titleOf, valueIn, withoutValues } from './causes.ts';

export interface ReportedFinding {
  /** What is wrong, in the words of the response. */
  readonly title: string;
  /** The whole sentence, if the title is only its beginning. */
  readonly reason?: string;
  /** What else the cases say. */
  readonly also: readonly string[];
  /** What a client of such a provider suffers. Absent for a finding about a client, and if the cases do not say it. */
  readonly impact?: string;
  /** What a response shows, or what a request did, although its caller may not. Absent if nothing did. */
  readonly exposes?: Exposure;
  /** The shortest test that would notice it, if tests were judged. */
  readonly test?: string;
  /** The rule of the first case. */
  readonly expected?: string;
  /** The request of the first case, and its response. */
  readonly sent?: string;
  readonly came?: string;
  /** Where openapi.yaml says what is right, in words. Empty for a client. */
  readonly place: string;
  /** JSON pointer into openapi.yaml. */
  readonly clause: string;
  /** The ids of the cases that fail for it: first the one whose request is shown. A case may have several causes. */
  readonly cases: readonly string[];
  /** What is not built, in the order in which its cases become possible. */
  readonly build_next?: readonly { readonly operation: string; readonly cases: number }[];
}

/** What is not built comes first, then security, wrong data and form. Within each group, the finding with the most cases comes first. */
export function findingsOf(cases: readonly ReportedCase[]): ReportedFinding[] {
  const failures = cases
    .filter(({ status, scored }) => scored && (status === 'failed' || status === 'unexpected-pass'))
    .flatMap((one): Failure[] => {
      // A service with a mistake is one cause, and its title says which.
      const isOwnCause = one.claim === 'tests' || one.reasons.length === 0;
      return (isOwnCause ? [one.title] : one.reasons).map((reason) => ({
        one,
        reason,
        exchange: exampleOf(one, reason),
      }));
    });
  const causes = causesOf(failures);
  const all = failures.map((failure, index) => ({ failure, cause: causes[index] as Cause }));
  const groups = [...Map.groupBy(all, ({ cause }) => cause.key).values()].map((group) => ({
    finding: findingOf(
      group.map(({ failure }) => failure),
      group[0]?.cause as Cause,
    ),
    weight: Math.min(...group.map(({ cause }) => cause.weight)),
  }));
  groups.sort((a, b) => a.weight - b.weight || b.finding.cases.length - a.finding.cases.length);
  return withOwnTitles([...notBuilt(cases), ...groups.map(({ finding }) => finding)]);
}

/** Findings that say the same of different rules are told apart by their rules. */
function withOwnTitles(findings: readonly ReportedFinding[]): ReportedFinding[] {
  const known = new Set<string>();
  return findings.map((finding) => {
    const names = [finding.title, `${finding.title} · ${finding.expected}`, `${finding.title} · ${finding.cases[0]}`];
    const title = names.find((name) => !known.has(name)) ?? finding.title;
    known.add(title);
    return { ...finding, title };
  });
}

function findingOf(group: readonly Failure[], { impact, exposes, common }: Cause): ReportedFinding {
  // A case may fail for a response that another one got.
  const first =
    group.find(({ exchange, reason }) => exchange !== undefined && showsValue(reason)(exchange)) ??
    group.find(({ exchange }) => exchange !== undefined) ??
    (group[0] as Failure);
  const { one } = first;
  // For a wrong value, the clause of its response is the most precise.
  const precise = group.find(({ reason }) => isOfValue(reason) && /^\d/.test(reason))?.one ?? one;
  const titles = new Map(group.map(({ reason }) => titleOf(reason)).map((title) => [sayingOf(title), title]));
  const isCommon = common !== undefined && titles.size > 1;
  const whole = isCommon ? common : titleOf(first.reason);
  const title = shortOf(whole);
  titles.delete(sayingOf(whole));
  const [why, test] = one.claim === 'tests' ? one.reasons : [];
  return {
    title,
    ...(whole !== title && { reason: whole }),
    also: [...titles.values()].map(shortOf),
    ...(impact !== undefined && { impact }),
    ...(exposes !== undefined && { exposes }),
    ...(why !== undefined && { impact: why.replace(/^No test notices it\. /, '') }),
    ...(test !== undefined && { test: test.replace(/^Shortest test: /, '') }),
    ...(one.title !== title && { expected: one.title }),
    ...exampleIn(first.exchange),
    place: placeIn(precise),
    clause: precise.clause,
    cases: [...new Set([one.id, ...group.map((each) => each.one.id)])],
  };
}

/** The sentence without the values of one case. A list may be cut in the middle. */
function sayingOf(title: string): string {
  return withoutValues(title.replace(/(?<= must be )[[{].*$/s, ''));
}

const maxPart = 100;

/** What was sent, and what came. */
function exampleIn(example: ReportedExchange | undefined): Pick<ReportedFinding, 'sent' | 'came'> {
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

/** The request that shows why a case fails: the one that its reason names, or the last one of the clause. */
export function exampleOf(
  { reasons, clause, not_built, exchanges }: ReportedCase,
  reason = reasons[0] ?? '',
): ReportedExchange | undefined {
  if (not_built !== undefined) return exchanges.findLast(isUnanswered(not_built));
  const [, method, target = ''] = /^(?:the \w+ (?:to|of) )?(?:([A-Z]+) )?(\/[^\s:]*):? /.exec(reason) ?? [];
  const status = Number(/^(\d{3}): /.exec(reason)?.[1]);
  const isNamed = (path: (url: string) => string) => (one: ReportedExchange) =>
    [one.request.method, undefined].includes(method) && path(one.request.url) === target;
  const isOfInput = ({ request }: ReportedExchange) => ofInput.test(clause) && request.body !== undefined;
  const isRefusal = reason.includes(': the faulty request must ');
  const possible = exchanges.filter(({ purpose }) => !isRefusal || purpose === 'faulty');
  return (
    possible.findLast(isNamed(targetOf)) ??
    possible.findLast(showsValue(reason)) ??
    possible.findLast(isNamed((url) => targetOf(url).replace(/\?.*/, ''))) ??
    possible.findLast(({ response }) => response?.status === status) ??
    possible.findLast(isOfInput) ??
    exchanges.at(-1)
  );
}

/** Whether the body has the wrong value that the reason names, at the same place. */
function showsValue(reason: string): (exchange: ReportedExchange) => boolean {
  const { pointer, what } = valueIn(reason) ?? {};
  return ({ response }) => {
    if (pointer === undefined || what === undefined || response === undefined) return false;
    const value = stepsOf(`/${pointer}`).reduce(memberAt, jsonIn(response.body));
    return value === undefined ? what === 'is missing' : what.endsWith(`, is ${shown(value)}`);
  };
}

/** A valid request of an operation that is not built. */
function isUnanswered(notBuilt: readonly string[]) {
  const operations = loadedSuite().contract.operations.filter(({ operationId }) => notBuilt.includes(operationId));
  return ({ purpose, request, response }: ReportedExchange): boolean =>
    purpose === 'valid' &&
    response !== undefined &&
    operationAt(operations, request.method, targetOf(request.url)) !== undefined;
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
      ...exampleIn(one && exampleOf(one)),
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
