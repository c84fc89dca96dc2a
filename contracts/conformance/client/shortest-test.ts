/** The shortest test that would notice a mistake: one request of the program, and what its response must have. */
import { isRecord, member, readDocument } from '@product-passport/openapi';
import { shown } from '../../judge/finding.ts';
import { operationAt } from '../../judge/operation-at.ts';
import type { WireRequest } from '../http/exchange.ts';
import { jsonIn } from '../request-faults.ts';
import { loadedSuite } from '../verify.ts';
import type { Passed } from './service.ts';

export interface Difference {
  /** The requests up to the one whose response differs. */
  readonly requests: readonly WireRequest[];
  /** The response of a faultless service. */
  readonly expected: Passed | undefined;
  /** `undefined`: the service closed the connection. */
  readonly received: Passed | undefined;
  /** A text without what each service makes up, such as ids. */
  readonly normalized: (text: string) => string;
}

export function shortestTest({ requests, expected, received, normalized }: Difference): string {
  const last = requests.at(-1);
  const write = requests.findLast(({ method }) => method !== 'GET' && method !== 'HEAD');
  if (last === undefined || expected === undefined) return '';
  const before = write === undefined || write === last ? '' : `${nameOf(write)}, then `;
  return `Shortest test: ${before}${nameOf(last)}, and expect ${expectationOf(expected, received, normalized)}.`;
}

/** `list products (GET /api/v1/products?offset=50)` */
function nameOf({ method, path }: WireRequest): string {
  const found = operationAt(loadedSuite().contract.operations, method, path);
  const operation = loadedSuite().contract.operations.find(({ operationId }) => operationId === found?.operationId);
  const item = member(member(readDocument(), 'paths'), operation?.path ?? '');
  const summary = String(member(member(item, operation?.method.toLowerCase() ?? ''), 'summary') ?? 'send');
  return `${summary.charAt(0).toLowerCase()}${summary.slice(1)} (${method} ${path})`;
}

function expectationOf(expected: Passed, received: Passed | undefined, normalized: Difference['normalized']): string {
  if (received === undefined) return `the status ${expected.status}, not a closed connection`;
  if (expected.status !== received.status) return `the status ${expected.status}, not ${received.status}`;
  const [right = '', wrong = ''] = [expected, received].map(({ bytes }) => bytes.toString('utf8'));
  const [rightJson, wrongJson] = [jsonIn(right), jsonIn(wrong)];
  if (rightJson !== undefined && wrongJson === undefined) return 'the body to be JSON';
  const found = differenceIn(rightJson, wrongJson, normalized);
  if (found !== undefined) return found;
  if (normalized(right) !== normalized(wrong)) return textDifference(right, wrong);
  const names = Object.keys({ ...expected.headers, ...received.headers });
  const name = names.find((one) => expected.headers[one] !== received.headers[one] && one !== 'x-request-id') ?? '';
  return `the header ${name} to be ${shown(expected.headers[name])}, not ${shown(received.headers[name])}`;
}

/** The first place where two values differ: `items[0].slug to be "a", not "b"`. */
function differenceIn(
  right: unknown,
  wrong: unknown,
  normalized: Difference['normalized'],
  at = '',
): string | undefined {
  const isSame = (one: unknown, other: unknown): boolean =>
    normalized(`${JSON.stringify(one)}`) === normalized(`${JSON.stringify(other)}`);
  if (isSame(right, wrong)) return undefined;
  const areLists = Array.isArray(right) && Array.isArray(wrong);
  if (areLists && right.length !== wrong.length) {
    return `${at || 'the list'} to have the length ${right.length}, not ${wrong.length}`;
  }
  const areObjects = isRecord(right) && isRecord(wrong);
  if (!areLists && !areObjects) return `${at || 'the body'} to ${wordsOf(right, normalized)}, not ${shown(wrong)}`;
  const [one, other] = [Object(right), Object(wrong)];
  const name = Object.keys({ ...one, ...other }).find((each) => !isSame(one[each], other[each]));
  if (name === undefined) return undefined;
  const place = areLists ? `${at}[${name}]` : `${at}.${name}`.replace(/^\./, '');
  if (!(name in other)) return `the member ${place}`;
  return name in one ? differenceIn(one[name], other[name], normalized, place) : `no member ${place}`;
}

/** A test cannot know ids and times, nor need it compare whole objects. */
function wordsOf(value: unknown, normalized: Difference['normalized']): string {
  if (typeof value === 'object' && value !== null) return `be ${Array.isArray(value) ? 'a list' : 'an object'}`;
  const isMadeUp = typeof value === 'string' && (normalized(value) !== value || /^\d{4}-\d\d-\d\dT/.test(value));
  return isMadeUp ? `have the form of ${shown(value)}` : `be ${shown(value)}`;
}

/** The words around the first letter that differs. */
function textDifference(right: string, wrong: string): string {
  let at = 0;
  while (at < right.length && right[at] === wrong[at]) at += 1;
  const part = (text: string): string => shown(text.slice(Math.max(0, at - 20), at + 40));
  return `the text ${part(right)}, not ${part(wrong)}`;
}
