/** `report.json`: what a run found, without secrets. Every other report is made from it. Schema: report.schema.json. */
import { isUtf8 } from 'node:buffer';
import { sideOf } from '@product-passport/openapi';
import { editions } from '../claims.ts';
import type { Exchange } from '../http/exchange.ts';
import { addressesOf, type Provider, siteOfApi } from '../provider.ts';
import { cut, redacted } from '../redact.ts';
import { badgeOf, countsOf, familyOf, type Result, type Run, type Source, type Status } from '../result.ts';
import { inWords, sourceOf } from '../sources/sources.ts';
import { loadedSuite } from '../verify.ts';
import type { ReportedCase, ReportedExchange } from './case.ts';
import { curlOf } from './curl.ts';
import { findingsOf, type ReportedFinding } from './findings.ts';

export type { ReportedCase, ReportedExchange } from './case.ts';

export interface Report extends Pick<Run, 'verdict' | 'command' | 'score' | 'claims' | 'milliseconds' | 'seed'> {
  /** Why the verdict is not `conformant`, or what a conformant link lacks. */
  readonly because?: string;
  /** The verdict for a badge: `conformant, without: expiring tokens (2 cases)`. Absent if a case sometimes passes. */
  readonly badge?: string;
  /** What else a reader must know. */
  readonly notes: readonly string[];
  /** RFC 3339. */
  readonly started_at: string;
  readonly base_url: string;
  readonly suite_version: string;
  readonly contract_version: string;
  /** SHA-256 of openapi.yaml, in lower-case hex digits. */
  readonly contract_sha256: string;
  /** The number of scored cases of each status. */
  readonly counts: Readonly<Record<Status, number>>;
  /** How each state that the cases needed came about. */
  readonly states: Readonly<Record<string, Source>>;
  /** What is to repair: the failures with one cause are one finding. What is not built comes first, then security, wrong data and form. */
  readonly findings: readonly ReportedFinding[];
  readonly cases: readonly ReportedCase[];
  /** The requests to the state URL, before the cases. */
  readonly state_requests: readonly ReportedExchange[];
}

export function reportOf(run: Run, provider: Provider): Report {
  const { baseUrl, siteUrl } = addressesOf(provider);
  const { notes = [], without = {}, ...masked } = redacted(run, provider);
  const { verdict, because, command, score, claims, results, sources, stateRequests = [] } = masked;
  const counts = countsOf(results);
  const exchanges = new Map<Exchange, ReportedExchange>();
  const reported = (exchange: Exchange): ReportedExchange => {
    const made = exchanges.get(exchange) ?? exchangeOf(exchange, { baseUrl, siteUrl });
    exchanges.set(exchange, made);
    return made;
  };
  const cases = results.map((result) => ({
    ...caseOf(result, run.contractVersion, sources),
    exchanges: result.exchanges.map(reported),
  }));
  return {
    verdict,
    ...(because === undefined ? {} : { because }),
    ...(counts.flaky === 0 && { badge: badgeOf(verdict, results) }),
    notes: [...Object.entries(without).map(([name, reason]) => `There are no ${name}: ${reason}`), ...notes],
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
    counts,
    states: sources,
    findings: findingsOf(cases),
    cases,
    state_requests: stateRequests.map(reported),
  };
}

const blames: Readonly<Record<Status, ReportedCase['blame']>> = {
  passed: undefined,
  failed: 'provider',
  skipped: 'operator',
  error: 'suite',
  'expected-failure': 'provider',
  'unexpected-pass': 'operator',
  flaky: 'provider',
  absent: undefined,
};

function caseOf(result: Result, contractVersion: string, sources: Report['states']): Omit<ReportedCase, 'exchanges'> {
  const { set, notBuilt, stoppedAt: _, used: __, states, exchanges: ___, ...facts } = result;
  const source = inWords(sourceOf(result, loadedSuite().contract));
  const isOwn = (result.claim === 'client' || result.claim === 'tests') && result.status === 'failed';
  const blame = isOwn ? 'client' : notBuilt === undefined ? blames[result.status] : 'provider';
  return {
    ...facts,
    source,
    family: familyOf(result),
    ...(set !== undefined && { set }),
    edition: editions[result.claim] ?? `openapi.yaml ${contractVersion}`,
    ...(blame !== undefined && { blame }),
    ...(notBuilt !== undefined && { not_built: notBuilt }),
    states: Object.fromEntries(states.flatMap((name) => (sources[name] === undefined ? [] : [[name, sources[name]]]))),
  };
}

function exchangeOf(exchange: Exchange, { baseUrl, siteUrl }: ReturnType<typeof addressesOf>): ReportedExchange {
  const { purpose, origin, request, response, failure, sentAt, milliseconds } = exchange;
  const root = origin ?? (sideOf(request.path).secured ? siteOfApi(baseUrl) : siteUrl);
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
