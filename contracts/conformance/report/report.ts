/** `report.json`: what a run found, without secrets. Every other report is made from it. Schema: report.schema.json. */
import { isUtf8 } from 'node:buffer';
import { member } from '@product-passport/openapi';
import type { Need, Subject } from '../claims.ts';
import type { Exchange } from '../http/exchange.ts';
import { addressesOf, type Provider } from '../provider.ts';
import { cut, redacted } from '../redact.ts';
import { jsonIn } from '../request-faults.ts';
import {
  countsOf,
  familyOf,
  type Result,
  type Run,
  type Score,
  type Source,
  type Status,
  type Verdict,
} from '../result.ts';
import { curlOf } from './curl.ts';

export interface Report {
  readonly verdict: Verdict;
  /** Why the verdict is not `conformant`. */
  readonly because?: string;
  /** The command of the client, or of the tests, that was judged. Absent if a provider was judged. */
  readonly command?: string;
  /** Present if tests were judged. */
  readonly score?: Score;
  readonly claims: readonly Subject[];
  /** RFC 3339. */
  readonly started_at: string;
  readonly milliseconds: number;
  readonly base_url: string;
  /** Repeats the generated requests: `--seed`. */
  readonly seed: number;
  readonly suite_version: string;
  readonly contract_version: string;
  /** SHA-256 of openapi.yaml, in lower-case hex digits. */
  readonly contract_sha256: string;
  /** The number of scored cases of each status. */
  readonly counts: Readonly<Record<Status, number>>;
  /** How each state that the cases needed came about. */
  readonly states: Readonly<Record<string, Source>>;
  /** What is to repair: the failures with one cause are one finding. The causes of most failures come first. */
  readonly findings: readonly ReportedFinding[];
  readonly cases: readonly ReportedCase[];
  /** The requests to the state URL, before the cases. */
  readonly state_requests: readonly ReportedExchange[];
}

interface ReportedFinding {
  /** What is wrong, in the words of the response. */
  readonly title: string;
  /** JSON pointer into openapi.yaml. */
  readonly clause: string;
  /** The ids of the cases that fail for it, in the order of the run. A case may have several causes. */
  readonly cases: readonly string[];
}

export interface ReportedCase {
  readonly id: string;
  readonly family: string;
  readonly title: string;
  readonly claim: Subject;
  /** JSON pointer into openapi.yaml. */
  readonly clause: string;
  readonly status: Status;
  /** False for a check that a client did not exercise and need not. It does not count. */
  readonly scored: boolean;
  /** Who has to act. Absent if nobody does. */
  readonly blame?: 'provider' | 'client' | 'operator' | 'suite';
  readonly reasons: readonly string[];
  readonly warnings: readonly string[];
  readonly missing: readonly Need[];
  readonly milliseconds: number;
  /** The states that the case used, and where they came from. */
  readonly states: Readonly<Record<string, Source>>;
  readonly exchanges: readonly ReportedExchange[];
}

export interface ReportedExchange {
  /** `faulty`: the suite broke the contract on purpose. */
  readonly purpose: Exchange['purpose'];
  readonly sent_at: string;
  readonly milliseconds: number;
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
  /** Why the provider did not respond. */
  readonly failure?: string;
  /** Repeats the request. Keys and tokens are shell variables. */
  readonly curl: string;
}

export function reportOf(run: Run, provider: Provider): Report {
  const { baseUrl, siteUrl } = addressesOf(provider);
  const { verdict, because, command, score, claims, results, sources, stateRequests = [] } = redacted(run, provider);
  const exchanges = new Map<Exchange, ReportedExchange>();
  const reported = (exchange: Exchange): ReportedExchange => {
    const made = exchanges.get(exchange) ?? exchangeOf(exchange, { baseUrl, siteUrl });
    exchanges.set(exchange, made);
    return made;
  };
  const cases = results.map((result) => ({ ...caseOf(result, sources), exchanges: result.exchanges.map(reported) }));
  return {
    verdict,
    ...(because === undefined ? {} : { because }),
    ...(command === undefined ? {} : { command }),
    ...(score === undefined ? {} : { score }),
    claims,
    started_at: run.startedAt,
    milliseconds: run.milliseconds,
    base_url: run.baseUrl,
    seed: run.seed,
    suite_version: run.suiteVersion,
    contract_version: run.contractVersion,
    contract_sha256: run.contractHash,
    counts: countsOf(results),
    states: sources,
    findings: findingsOf(cases),
    cases,
    state_requests: stateRequests.map(reported),
  };
}

/** The failures of a run, by their causes. */
function findingsOf(cases: readonly ReportedCase[]): ReportedFinding[] {
  const gaps = gapsIn(cases);
  const failures = cases
    .filter(({ status }) => status === 'failed' || status === 'unexpected-pass')
    .flatMap((one) => {
      // A service with a mistake is one cause, and its title says which.
      const isOwnCause = one.claim === 'tests' || one.reasons.length === 0;
      return (isOwnCause ? [one.title] : one.reasons).map((reason) => ({ one, reason: causedBy(gaps, one, reason) }));
    });
  const byCause = Map.groupBy(failures, ({ one, reason }) => causeOf(reason, one));
  const findings = [...byCause.values()].flatMap((members): ReportedFinding[] => {
    const [first] = members;
    if (first === undefined) return [];
    // The clause of the response says most about a value of it.
    const { one } = members.find(({ reason }) => isOfValue(reason) && /^\d/.test(reason)) ?? first;
    return [
      {
        title: shortOf(titleOf(first.reason)),
        clause: one.clause,
        cases: [...new Set(members.map(({ one: { id } }) => id))],
      },
    ];
  });
  return findings.sort((one, other) => other.cases.length - one.cases.length);
}

/** A member that responses of an operation lack. */
interface Gap {
  readonly reason: string;
  readonly name: string;
  readonly isIn: (exchange: ReportedExchange) => boolean;
}

/** What the judge of the shapes found to be missing. */
function gapsIn(cases: readonly ReportedCase[]): readonly Gap[] {
  return cases.flatMap(({ family, clause, reasons }) => {
    const [, path = '', method = ''] = /^\/paths\/([^/]*)\/([^/]*)/.exec(clause) ?? [];
    if (family !== 'HTTP-6') return [];
    const pattern = new RegExp(`${path.replaceAll('~1', '/').replace(/\{.*?\}/g, '[^/?]+')}(?:\\?|$)`);
    return reasons.flatMap((reason) => {
      const pointer = /^\d{3}: body\/(\S+) is missing$/.exec(reason)?.[1]?.split('/');
      if (pointer === undefined) return [];
      const isIn = ({ request, response }: ReportedExchange): boolean =>
        request.method === method.toUpperCase() &&
        pattern.test(request.url) &&
        lacks(jsonIn(response?.body ?? ''), pointer);
      return [{ reason, name: pointer.at(-1) ?? '', isIn }];
    });
  });
}

/** Whether the JSON has the members before the last one of the pointer, and not the last. */
function lacks(value: unknown, [name = '', ...rest]: readonly string[]): boolean {
  if (name === '*') return Array.isArray(value) && value.some((one) => lacks(one, rest));
  if (typeof value !== 'object' || value === null) return false;
  return rest.length === 0 ? !(name in value) : lacks(member(value, name), rest);
}

/** A value that is compared with a missing one is not to blame. */
function causedBy(gaps: readonly Gap[], { title, exchanges }: ReportedCase, reason: string): string {
  if (!/ must be .*, is /s.test(reason)) return reason;
  const isOfNothing = /\b(?:null|missing|undefined)\b/.test(reason);
  const isOf = ({ name, isIn }: Gap): boolean =>
    (isOfNothing || new RegExp(`\\b${name}\\b`).test(title)) && exchanges.some(isIn);
  return gaps.find(isOf)?.reason ?? reason;
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
export function titleOf(whole: string): string {
  const reason = whole.replace(generated, '');
  const [, pointer, what] = wrongValue.exec(reason.replace(lineOrStatus, '')) ?? [];
  if (pointer === undefined) return reason.replace(/^(?:\d{3}): /, '');
  return `${pointer.replace(/\/(?:\d+|\*)(?=\/|$)/g, '[]').replaceAll('/', '.')} ${what}`;
}

const maxTitle = 160;

/** A title is read in a list of findings. The whole reason stands at its case. */
function shortOf(title: string): string {
  if (title.length <= maxTitle) return title;
  const cutAt = title.slice(0, maxTitle);
  const atWord = cutAt.replace(/\s\S*$/, '');
  return `${(atWord.length > maxTitle / 2 ? atWord : cutAt).toWellFormed()} …`;
}

/** Equal for reasons with one cause. The same field may be wrong in several responses, and with several values. */
function causeOf(reason: string, { clause }: ReportedCase): string {
  const title = titleOf(reason);
  const code = /^error\.code .*\bis (".*")$/s.exec(title)?.[1];
  if (code !== undefined) return `error.code ${code}`;
  if (isOfValue(reason)) return title.replace(/^\S*?(\w+)(?=(?:\[\])* )/, '$1').replace(/(?:, is |; body\/).*$/s, '');
  const missing = /^(\w+) must be .*, is missing$/s.exec(title)?.[1];
  if (missing !== undefined) return `${missing} is missing`;
  const operation = clause.split('/').slice(0, 4).join('/');
  return `${operation} ${withoutValues(title)}`;
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

const blames: Readonly<Record<Status, ReportedCase['blame']>> = {
  passed: undefined,
  failed: 'provider',
  skipped: 'operator',
  error: 'suite',
  'expected-failure': 'provider',
  'unexpected-pass': 'operator',
};

function caseOf(result: Result, sources: Report['states']): Omit<ReportedCase, 'exchanges'> {
  const { id, title, claim, clause, status, scored, reasons, warnings, missing, milliseconds } = result;
  const isOwn = (claim === 'client' || claim === 'tests') && status === 'failed';
  const blame = isOwn ? 'client' : blames[status];
  return {
    id,
    family: familyOf(result),
    title,
    claim,
    clause,
    status,
    scored,
    ...(blame === undefined ? {} : { blame }),
    reasons,
    warnings,
    missing,
    milliseconds,
    states: Object.fromEntries(
      result.states.flatMap((name) => {
        const source = sources[name];
        return source === undefined ? [] : [[name, source]];
      }),
    ),
  };
}

function exchangeOf(exchange: Exchange, { baseUrl, siteUrl }: ReturnType<typeof addressesOf>): ReportedExchange {
  const { purpose, origin, request, response, failure, sentAt, milliseconds } = exchange;
  const isApi = request.path.startsWith('/api/v1');
  const root = origin ?? (isApi ? baseUrl.replace(/\/api\/v1$/, '') : siteUrl);
  return {
    purpose,
    sent_at: sentAt,
    milliseconds,
    request: {
      method: request.method,
      url: `${root}${request.path}`,
      headers: request.headers,
      ...bodyOf(request),
    },
    ...(response === undefined
      ? {}
      : { response: { status: response.status, headers: response.headers, body: response.text } }),
    ...(failure === undefined ? {} : { failure }),
    curl: curlOf(request, root),
  };
}

function bodyOf({ body }: Exchange['request']): Pick<ReportedExchange['request'], 'body' | 'body_base64'> {
  if (body === undefined) return {};
  const bytes = Buffer.from(body);
  return { body: cut(bytes.toString('utf8')), ...(isUtf8(bytes) ? {} : { body_base64: bytes.toString('base64') }) };
}
