/** `report.html`: one page that stands alone. It loads nothing, and its script only filters and copies. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Eta } from 'eta';
import { needs, type Subject } from '../claims.ts';
import { maxShown } from '../client/check.ts';
import { type Group, groupNames, groups } from '../client/unnoticed.ts';
import type { Status } from '../result.ts';
import { targetOf } from './causes.ts';
import { ownCommand, shellWord } from './curl.ts';
import { placeIn } from './findings.ts';
import type { Report, ReportedCase, ReportedExchange } from './report.ts';
import {
  addressOfClause,
  headingOf,
  isFault,
  sentenceOf,
  servedCommand,
  skippedByCause,
  statusWordOf,
  statusWords,
  summaryOf,
  wordCountsOf,
} from './words.ts';

const views = new URL('./views/', import.meta.url);

/** The command that runs a case again. `undefined` if none does: recorded traffic cannot be repeated. */
export type Repeat = (caseId: string) => string | undefined;

export function htmlOf(report: Report, repeat: Repeat = () => undefined): string {
  const script = read('report.js');
  return new Eta().renderString(read('report.eta'), {
    ...pageOf(report, repeat),
    rich,
    script,
    style: read('report.css'),
    policy: policyOf(script),
  });
}

function read(name: string): string {
  return readFileSync(new URL(name, views), 'utf8');
}

/** Text of the suite marks code with backticks. */
function rich(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return escaped.replace(/`([^`]+)`/g, '<code>$1</code>');
}

/** A response in the report can run no script: only the page's own script has this hash. */
function policyOf(script: string): string {
  const hash = createHash('sha256').update(script).digest('base64');
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; img-src data:; base-uri 'none'; form-action 'none'`;
}

/** What a page says about a provider, and about a client. */
const providerTexts = {
  breaks: 'The provider breaks these clauses of the contract.',
  open: 'To supply',
  openNote: 'Some cases could not run, for these reasons. Supply what is missing, and run again.',
};
const clientTexts = {
  breaks: 'The program breaks these clauses of the contract.',
  open: 'Not exercised',
  openNote: 'The program never encountered these situations, so nothing is known about them.',
};

const testsTexts = {
  breaks: 'Your program met these, and its tests did not tell right from wrong.',
  open: 'Not met',
  openNote: 'The program never got a response that differs from that of a faultless service.',
};

function textsOf({ command, score, cases }: Report): typeof providerTexts {
  if (score !== undefined) return testsTexts;
  // In recorded traffic, the program may be wrong alone.
  const isOfProgram = cases.filter(isFault).every(({ claim }) => claim === 'client');
  if (command === undefined && isOfProgram) return { ...providerTexts, breaks: clientTexts.breaks };
  return command === undefined ? providerTexts : clientTexts;
}

function pageOf(report: Report, repeat: Repeat): object {
  const { verdict, counts, claims, cases, command, score } = report;
  const { breaks, open, openNote } = textsOf(report);
  const examples = new Set(report.findings.slice(0, 3).flatMap(({ cases: [first = ''] }) => first));
  return {
    verdict: headingOf(report),
    subject: score === undefined ? 'Conformance report' : 'What your tests notice',
    // Mistakes that no test notices are to repair, also where --at-least does not ask for it.
    kind: verdict === 'conformant' && cases.some(isFault) ? 'incomplete' : verdict.replaceAll(' ', '-'),
    sentence: sentenceOf(report),
    notes: report.notes,
    claims: claims.filter(isOfProvider),
    judged: command ?? report.base_url,
    open,
    openNote,
    facts: factsOf(report),
    ...shareOf(report),
    counts: score === undefined ? allCountsOf(report) : wordCountsOf(cases),
    startedAt: report.started_at,
    date: dateOf(report.started_at),
    faults: report.findings.map(({ cases: ids, ...finding }) => ({ ...finding, ids })),
    inShort: inShortOf(report),
    payer: command === undefined ? 'service' : 'program',
    repairNote: counts['unexpected-pass'] === 0 ? breaks : `${breaks} Or it passes although a failure is expected.`,
    causes: [...skippedByCause(cases)].map(([cause, skipped]) => ({
      // It stands below this heading.
      cause: cause.replace(`${open}: `, ''),
      ids: skipped.map(({ id }) => id),
    })),
    families: [...Map.groupBy(cases, ({ family }) => family)].map(([name, members]) =>
      familyOf(name, members, { ...report, repeat, examples }),
    ),
    statuses: Object.entries(statusWords).filter(([status]) => cases.some((one) => one.status === status)),
    caseCount: cases.length,
    hasFolded: cases.some(isFolded),
    // About half a rem for each letter, and the icon.
    statusWidth: 2.5 + 0.52 * Math.max(0, ...cases.map((one) => statusWordOf(one).length)),
  };
}

/** What cases are about, in words of somebody who pays for the service: by the beginning of the id. */
const subjects: Readonly<Record<string, string>> = {
  'AUTH-': 'keys',
  'TEN-': 'tenants',
  'PAGE-': 'lists',
  'SRCH-': 'the search',
  'FIND-': 'the search',
  'PROD-': 'products',
  'STATUS-': 'products',
  'PASS-': 'passports',
  'CAR-': 'data carriers',
  'SCAN-': 'statistics',
  'PUB-': 'public pages',
  'GS1-': 'GS1 Digital Links',
  'LEAK-': 'what responses give away',
  'HTTP-6': 'the form of responses',
  'HTTP-7': 'the form of responses',
  'HTTP-': 'the rules of HTTP',
  'GEN-': 'generated requests',
};

/** Empty for the cases of a program and of a link. */
function subjectOf({ id, claim }: ReportedCase): string[] {
  if (claim.startsWith('dpp')) return ['the reads of EN 18222'];
  const beginning = isOfProvider(claim) && Object.keys(subjects).find((each) => id.startsWith(each));
  return beginning ? [subjects[beginning] ?? ''] : [];
}

/** ` about keys and lists` */
function aboutOf(cases: readonly ReportedCase[]): string {
  const about = new Set(cases.flatMap(subjectOf));
  return about.size === 0 ? '' : ` about ${inWords.format(about)}`;
}

const notRun: readonly Status[] = ['skipped', 'absent', 'error'];

/** What was looked at and found, for whoever pays and does not read HTTP. Empty for tests. */
function inShortOf(report: Report): string[] {
  const { findings, cases, command, score } = report;
  if (score !== undefined) return [];
  if (command !== undefined) return inShortOfProgram(cases);
  const scored = cases.filter((one) => one.scored);
  const ran = scored.filter((one) => !notRun.includes(one.status) && subjectOf(one).length > 0);
  const skipped = scored.filter(({ status }) => status === 'skipped');
  const looked = ran.length === 0 ? [] : [`${counted(ran.length, 'case', 'cases')} ran,${aboutOf(ran)}.`];
  const unknown =
    skipped.length === 0
      ? []
      : [
          `${counted(skipped.length, 'case', 'cases')}${aboutOf(skipped)} could not run: nothing is known about what ${skipped.length === 1 ? 'it checks' : 'they check'}.`,
        ];
  if (!cases.some((one) => isFault(one) && one.claim !== 'client')) return [...looked, ...unknown];
  const causes = findings.filter(({ build_next }) => build_next === undefined);
  const exposing = causes.filter(({ exposes }) => exposes !== undefined).length;
  const waiting = findings.find(({ build_next }) => build_next !== undefined)?.cases.length ?? 0;
  const impacts = [...new Set(causes.flatMap(({ impact }) => impact ?? []))];
  return [
    ...looked,
    ...(exposing > 0
      ? [`${counted(exposing, 'cause shows or changes', 'causes show or change')} data although the caller may not.`]
      : []),
    ...(causes.length > 0
      ? [`${counted(causes.length, 'cause is', 'causes are')} to repair. ${impacts.slice(0, 3).join(' ')}`.trim()]
      : []),
    ...(waiting > 0 ? [`${counted(waiting, 'case waits', 'cases wait')} for operations that are not built.`] : []),
    ...unknown,
  ];
}

/** What the service of `verify client` does, by the checks that see a program meet it. */
const disturbances: readonly (readonly [checks: RegExp, does: string])[] = [
  [/^CLIENT-2/, 'is sometimes busy'],
  [/^CLIENT-3/, 'loses responses'],
  [/^CLIENT-4\.fields/, 'adds fields'],
  [/^CLIENT-4\.values/, 'adds values'],
  [/^CLIENT-5/, 'has small pages'],
];

function inShortOfProgram(cases: readonly ReportedCase[]): string[] {
  const met = cases.filter(({ status }) => status !== 'skipped');
  const broken = cases.filter(isFault).length;
  const sent = cases[0]?.exchanges.length ?? 0;
  if (sent === 0) return ['The program sent no request, so nothing is known about it.'];
  const does = disturbances.filter(([checks]) => met.some(({ id }) => checks.test(id))).map(([, words]) => words);
  const requests = `${sent < maxShown ? '' : 'at least '}${counted(sent, 'request', 'requests')}`;
  return [
    `The program sent ${requests}${does.length === 0 ? '' : ` to a service that ${inWords.format(does)}`}.`,
    `It met ${met.length} of ${cases.length} rules, and ${broken === 0 ? 'kept them all' : `broke ${broken}`}.`,
  ];
}

const inWords = new Intl.ListFormat('en-GB');

function counted(count: number, one: string, more: string): string {
  return `${number(count)} ${count === 1 ? one : more}`;
}

/** The circle: what part of the whole is good. */
function shareOf({ counts, score }: Report): { passed: number; total: number; percent: number; shareWords: string } {
  const ran = Object.values(counts).reduce((sum, count) => sum + count, 0) - counts.skipped - counts.absent;
  const total = score?.met ?? ran;
  const passed = score?.noticed ?? counts.passed;
  const rest = counts.skipped === 0 ? 'cases passed' : `cases that ran passed, ${counts.skipped} could not run`;
  const shareWords = score === undefined ? rest : 'mistakes noticed';
  return { passed, total, percent: total === 0 ? 0 : Math.floor((100 * passed) / total), shareWords };
}

function allCountsOf({ counts }: Report): object[] {
  return Object.entries(counts)
    .filter(([status, count]) => count > 0 || status === 'passed' || status === 'failed')
    .map(([status, count]) => ({ status, count, word: statusWords[status as Status] }));
}

function factsOf(report: Report): object[] {
  const { started_at, milliseconds, seed, suite_version, contract_version, contract_sha256, states } = report;
  const seconds = milliseconds / 1000;
  return [
    { name: 'Date', text: dateOf(started_at), time: started_at },
    { name: 'Duration', text: `${seconds.toFixed(seconds < 10 ? 1 : 0)} s` },
    { name: 'Contract', text: contract_version },
    { name: 'SHA-256 of openapi.yaml', text: contract_sha256, isCode: true },
    { name: 'Suite', text: suite_version },
    { name: 'Seed', text: String(seed), isCode: true },
    ...Object.entries(states).map(([name, source]) => ({ name, text: source, isState: true })),
  ];
}

function familyOf(name: string, cases: readonly ReportedCase[], report: Repeatable): object {
  const shown = cases.map((one) => caseOf(one, report));
  return {
    name,
    words: groupNames[name as Group] ?? [name, cases[0] && placeIn(cases[0])].filter(Boolean).join(' · '),
    advice: report.score === undefined ? '' : (groups[name as Group] ?? ''),
    // The number stays next to its word.
    summary: summaryOf(cases).replace(/(?<!,) /g, '\u00a0'),
    hasFault: cases.some(isFault),
    cases: shown.filter(({ isFolded }) => !isFolded),
    folded: shown.filter(({ isFolded }) => isFolded),
  };
}

const whoActs: Readonly<Record<NonNullable<ReportedCase['blame']>, string>> = {
  provider: 'The provider: its response breaks the clause.',
  client: 'The author of the program.',
  operator: 'The operator of this run: supply what is missing, or change the list of expected failures.',
  suite: 'The conformance suite: please report this error.',
};

interface Repeatable extends Report {
  readonly repeat: Repeat;
  /** The first case of each of the first findings. Only these are open: 36 open ones fill 60 screens of a phone. */
  readonly examples: ReadonlySet<string>;
}

/** The others are not claims of a service: they say what was judged, as the heading does. */
function isOfProvider(claim: Subject): boolean {
  return claim !== 'client' && claim !== 'tests' && claim !== 'link';
}

/** A page with the requests of every passed case of a provider would be slow on a phone. `traffic.har` has them. */
function isFolded({ status, claim, warnings }: ReportedCase): boolean {
  return status === 'passed' && isOfProvider(claim) && warnings.length === 0;
}

function caseOf(one: ReportedCase, report: Repeatable): Record<string, unknown> {
  const { id, status, clause, blame, missing, exchanges } = one;
  const isOpen = report.examples.has(id) || status === 'error';
  return {
    ...one,
    word: statusWordOf(one),
    isFolded: isFolded(one),
    isOpen,
    claim: isOfProvider(one.claim) ? one.claim : undefined,
    clause: addressOfClause(clause),
    clauseWords: placeIn(one),
    whoActs:
      one.not_built !== undefined
        ? 'The provider: build the operation.'
        : one.claim === 'tests' && blame === 'client'
          ? 'The author of the tests.'
          : blame && whoActs[blame],
    stateList: Object.entries(one.states).map(([name, source]) => ({ name, source })),
    missing: missing.map((need) => ({ need, how: needs[need] })),
    repeat: status === 'passed' ? undefined : repeatOf(id, report),
    exchanges: exchanges.map((exchange, index) =>
      exchangeOf(exchange, {
        isOpen: status === 'failed' && index === exchanges.length - 1,
        isBrief: status === 'passed',
      }),
    ),
  };
}

function repeatOf(id: string, { command, score, seed, repeat }: Repeatable): string | undefined {
  if (score !== undefined) {
    return `${ownCommand()} verify client --mutants --command ${shellWord(command ?? '')} --only ${id}`;
  }
  if (command === undefined) return repeat(id);
  if (command === servedCommand) return undefined;
  return `${ownCommand()} verify client --command ${shellWord(command)} --seed ${seed}`;
}

function exchangeOf(exchange: ReportedExchange, { isOpen, isBrief }: { isOpen: boolean; isBrief: boolean }): object {
  const { purpose, request, response } = exchange;
  return {
    ...exchange,
    isOpen,
    isFaulty: purpose === 'faulty',
    method: request.method,
    target: targetOf(request.url),
    status: response?.status,
    sections: sectionsOf(exchange, isBrief ? 4096 : 16_384),
  };
}

function dateOf(time: string): string {
  const form = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${form.format(new Date(time))} UTC`;
}

/** @param maxBody the number of characters after which a body is cut */
function sectionsOf({ request, response }: ReportedExchange, maxBody: number): object[] {
  const sent = section('Request', `${request.method} ${request.url}`, request, maxBody);
  if (response === undefined) return [sent];
  return [sent, section('Response', `HTTP ${response.status}`, response, maxBody)];
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

function section(title: string, start: string, { headers, body = '' }: Message, maxBody: number): object {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const text = pretty(body);
  const isCut = text.length > maxBody;
  return {
    title,
    head: [start, ...lines].join('\n'),
    body: isCut ? text.slice(0, maxBody).toWellFormed() : text,
    note: isCut ? `Only ${number(maxBody)} of ${number(text.length)} characters are shown.` : '',
  };
}

function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}

function number(value: number): string {
  return value.toLocaleString('en-GB');
}
