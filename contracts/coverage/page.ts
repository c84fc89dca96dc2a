/** docs/reference/contract-coverage.md: the matrix, and a note for each reason of an empty cell. */

import { claims } from '../conformance/claims.ts';
import { openConnection } from '../conformance/http/connection.ts';
import type { Exchange } from '../conformance/http/exchange.ts';
import { addressesOf, type Provider } from '../conformance/provider.ts';
import { startProvider } from '../conformance/start.ts';
import { verify } from '../conformance/verify.ts';
import { columns, type Filled } from './columns.ts';
import { type readReasons, reasonsFor } from './reasons.ts';
import { nameOf, type Row } from './rows.ts';

const introduction = `# Coverage of the contract

Every documented response of every operation, and what proves it. \`npm run coverage:contract\` writes this page.

| column | what a ✓ means |
|---|---|
| example | \`openapi.yaml\` has a named example. |
| Prism | The mock serves the response: \`test/contract/prism.test.ts\`. |
| pact | The committed pact has an interaction with it. |
| verify | A case of the conformance suite provokes it on the reference server. |
| server | A test provokes it on the reference server: \`test/server/documented.test.ts\`. |

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
    if (run.verdict !== 'conformant') throw new Error(`The reference server is ${run.verdict}: ${run.because}`);
    return exchanges;
  } finally {
    await started.stop();
  }
}
