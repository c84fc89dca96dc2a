/** The columns of the coverage matrix: who produces each documented response. */
import { type Contract, member, type Operation } from '@product-passport/openapi';
import type { Exchange } from '../conformance/http/exchange.ts';
import { operationAt } from '../conformance/judges.ts';
import type { JudgedOperation } from '../judge/judge.ts';
import { codeOf, operationOf, readPact } from '../pact-file.ts';
import { nameOf, rowsOf } from './rows.ts';

export const columns = ['example', 'Prism', 'pact', 'verify', 'server'] as const;
export type Column = (typeof columns)[number];

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
    // test/contract/prism.test.ts requests every example and every response without content.
    Prism: new Set([...examples, ...contract.operations.flatMap(withoutContent)]),
    pact: new Set(inPact(operations)),
    verify: new Set(exchanges.flatMap((exchange) => inRun(operations, exchange))),
    // test/server/documented.test.ts fails unless the server sends exactly these rows.
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
  const code = member(member(typeof body === 'string' ? parsed(body) : body, 'error'), 'code');
  return typeof code === 'string' ? code : '';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
