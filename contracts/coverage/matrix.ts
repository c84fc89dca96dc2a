/** The rows of the coverage matrix: every documented response of every operation. */

import { readFileSync } from 'node:fs';
import { type Contract, member, type Operation } from '@product-passport/openapi';
import { claims } from '../conformance/claims.ts';
import { openConnection } from '../conformance/http/connection.ts';
import type { Exchange } from '../conformance/http/exchange.ts';
import { addressesOf, type Provider } from '../conformance/provider.ts';
import { jsonIn } from '../conformance/request-faults.ts';
import { startProvider } from '../conformance/start.ts';
import { verify } from '../conformance/verify.ts';
import type { JudgedOperation } from '../judge/judge.ts';
import { operationAt } from '../judge/operation-at.ts';
import { codeOf, operationOf, readPact } from '../pact-file.ts';

export interface Row {
  readonly operationId: string;
  readonly status: number;
  /** The error code, or an empty text for a response without one. */
  readonly code: string;
}

/** In the order of openapi.yaml. */
export function rowsOf(operations: readonly JudgedOperation[]): Row[] {
  return operations.flatMap(({ operationId, statuses, codes }) =>
    statuses.flatMap((status) => {
      // The errors of the passport page are HTML pages without a code.
      const known = operationId === 'getPassportPage' ? [] : (codes[status] ?? []);
      return (known.length === 0 ? [''] : known).map((code) => ({ operationId, status, code }));
    }),
  );
}

/** The name of a row: `createProduct 400 name_required`. */
export function nameOf({ operationId, status, code }: Row): string {
  return `${operationId} ${status} ${code}`.trim();
}

interface Reason {
  readonly column: Column;
  readonly status: number;
  /** Default: all codes of the status. */
  readonly codes?: readonly string[];
  /** Default: all operations. */
  readonly operations?: readonly string[];
  readonly reason: string;
}

export function readReasons(): readonly Reason[] {
  return JSON.parse(readFileSync(new URL('../coverage-reasons.json', import.meta.url), 'utf8')).reasons;
}

/** What is wrong, a sentence for each fault. */
export function faultsOf(rows: readonly Row[], filled: Filled, reasons: readonly Reason[]): string[] {
  const cells = columns.flatMap((column) => rows.map((row) => ({ column, row, name: nameOf(row) })));
  const unexplained = cells
    .filter(({ column, row, name }) => !filled[column].has(name) && reasonsFor(column, row, reasons).length === 0)
    .map(
      ({ column, name }) => `${column} lacks ${name}. Fill it, or give the reason in contracts/coverage-reasons.json.`,
    );
  const explained = cells
    .filter(({ column, row, name }) => filled[column].has(name) && reasonsFor(column, row, reasons).length > 0)
    .map(({ column, name }) => `${column} has ${name}. Remove the reason for its absence.`);
  const twice = cells
    .filter(({ column, row }) => reasonsFor(column, row, reasons).length > 1)
    .map(({ column, name }) => `${column} has several reasons for ${name}. Keep one.`);
  const idle = reasons
    .filter((reason) => !rows.some((row) => reasonsFor(reason.column, row, [reason]).length > 0))
    .map(({ column, status, reason }) => `No response matches this reason, remove it: ${column} ${status}: ${reason}`);
  return [...unexplained, ...explained, ...twice, ...idle];
}

function reasonsFor(column: Column, row: Row, reasons: readonly Reason[]): readonly Reason[] {
  return reasons.filter(
    (reason) =>
      reason.column === column &&
      reason.status === row.status &&
      (reason.codes ?? [row.code]).includes(row.code) &&
      (reason.operations ?? [row.operationId]).includes(row.operationId),
  );
}

const columns = ['example', 'Prism', 'pact', 'verify', 'server'] as const;
type Column = (typeof columns)[number];

/** The names of the rows that a column fills. */
export type Filled = Readonly<Record<Column, ReadonlySet<string>>>;

interface Sources {
  readonly contract: Contract;
  readonly operations: readonly JudgedOperation[];
  /** All requests of one run of the conformance suite, with all claims, against the reference server. */
  readonly exchanges: readonly Exchange[];
}

export function filledBy({ contract, operations, exchanges }: Sources): Filled {
  const examples = contract.operations.flatMap(examplesOf);
  return {
    example: new Set(examples),
    // test/openapi/prism.test.ts requests every example and every response without content.
    Prism: new Set([...examples, ...contract.operations.flatMap(withoutContent)]),
    pact: new Set(inPact(operations)),
    verify: new Set(exchanges.flatMap((exchange) => inRun(operations, exchange))),
    // test/server/http/documented.test.ts fails unless the server sends exactly these rows.
    server: new Set(rowsOf(operations).map(nameOf)),
  };
}

function examplesOf({ operationId, responses }: Operation): string[] {
  return Object.entries(responses).flatMap(([status, { content = {} }]) =>
    Object.values(content)
      .flatMap(({ examples = {} }) => Object.values(examples))
      .map(({ value }) => nameOf({ operationId, status: Number(status), code: errorCodeIn(value) })),
  );
}

function withoutContent({ operationId, responses }: Operation): string[] {
  return Object.entries(responses)
    .filter(([, { content }]) => content === undefined)
    .map(([status]) => nameOf({ operationId, status: Number(status), code: '' }));
}

function inPact(operations: readonly JudgedOperation[]): string[] {
  return readPact().interactions.map((interaction) => {
    const { operationId } = operationOf(operations, interaction);
    return nameOf({ operationId, status: interaction.response.status, code: codeOf(interaction) ?? '' });
  });
}

function inRun(operations: readonly JudgedOperation[], { request, response }: Exchange): string[] {
  // The resolver responds to every path below /01/.
  const other = request.path.startsWith('/01/') ? 'resolveGtin' : undefined;
  const operationId = operationAt(operations, request.method, request.path)?.operationId ?? other;
  if (operationId === undefined || response === undefined) return [];
  return [nameOf({ operationId, status: response.status, code: errorCodeIn(response.text) })];
}

function errorCodeIn(body: unknown): string {
  const code = member(member(typeof body === 'string' ? jsonIn(body) : body, 'error'), 'code');
  return typeof code === 'string' ? code : '';
}

const introduction = `# Coverage of the contract

Every documented response of every operation, and what proves it. \`npm run coverage:contract\` writes this page.

| column | what a ✓ means |
|---|---|
| example | \`openapi.yaml\` has a named example. |
| Prism | The mock serves the response: \`test/openapi/prism.test.ts\`. |
| pact | The committed pact has an interaction with it. |
| verify | A case of the conformance suite provokes it on the reference server. |
| server | A test provokes it on the reference server: \`test/server/http/documented.test.ts\`. |

A number stands for the reason of an empty cell, below the table.
`;

export function pageOf(rows: readonly Row[], filled: Filled, reasons: ReturnType<typeof readReasons>): string {
  const texts = [...new Set(reasons.map(({ reason }) => reason))];
  const cellOf = (column: (typeof columns)[number], row: Row): string => {
    if (filled[column].has(nameOf(row))) return '✓';
    const [reason] = reasonsFor(column, row, reasons);
    return reason === undefined ? '–' : String(texts.indexOf(reason.reason) + 1);
  };
  const lines = rows.map((row) => {
    const cells = columns.map((column) => cellOf(column, row));
    return `| ${[row.operationId, row.status, row.code, ...cells].join(' | ')} |`;
  });
  const counts = columns.map((column) => rows.filter((row) => filled[column].has(nameOf(row))).length);
  return [
    introduction,
    `| operation | status | code | ${columns.join(' | ')} |`,
    `|---|---|---|${columns.map(() => ':-:').join('|')}|`,
    ...lines,
    `| **${rows.length} responses** | | | ${counts.join(' | ')} |`,
    '',
    '## Reasons',
    '',
    ...texts.map((text, index) => `${index + 1}. ${text}`),
    '',
  ].join('\n');
}

const server = 'product-passport serve --demo --json --port 0 --database :memory: --log-level silent';

/** @throws Error when the server is not conformant: its responses would prove nothing. */
export async function recordedRun(command = server): Promise<readonly Exchange[]> {
  const started = await startProvider(command);
  const exchanges: Exchange[] = [];
  try {
    const provider = JSON.parse(started.line) as Provider;
    const connection = openConnection(addressesOf(provider), { timeout: 60_000 });
    const run = await verify({
      provider,
      claims,
      // How many requests are generated depends on the time they take. The matrix must not.
      generated: 0,
      connection: {
        async send(request) {
          const response = await connection.send(request);
          const facts = { caseId: '', purpose: 'valid', sentAt: '', milliseconds: 0 } as const;
          exchanges.push({ ...facts, request, response });
          return response;
        },
        close: () => connection.close(),
      },
    });
    if (run.verdict !== 'conformant') {
      const others = run.results.filter(({ status }) => status !== 'passed');
      const lines = others.map(({ id, status, reasons }) => `${id} ${status}: ${reasons.join('; ')}`);
      throw new Error([`The reference server is ${run.verdict}: ${run.because}`, ...lines].join('\n'));
    }
    return exchanges;
  } finally {
    await started.stop();
  }
}
