/** GEN-1: requests that are generated from the contract, and their responses. They run after the fixed cases. */
import type { Contract, Operation } from '@product-passport/openapi';
import type { Ask, Case, Context } from '../case.ts';
import { claimOf } from '../cases/responses.ts';
import { CaseFailure } from '../check.ts';
import type { Need } from '../claims.ts';
import type { Exchange, WireRequest } from '../http/exchange.ts';
import type { Judges } from '../judges.ts';
import { existingFor } from './existing.ts';
import { expectationOf } from './expectation.ts';
import { outcomeFaults, responseFaults } from './faults.ts';
import { type Existing, type GeneratedRequest, requestOf, requestsOf } from './requests.ts';
import { type Found, search } from './search.ts';
import { storedFaults, writtenValues } from './stored.ts';

export interface GeneratedOptions {
  readonly judges: Judges;
  readonly seed: number;
  /** The time for one operation. */
  readonly milliseconds: () => number;
  readonly signal?: AbortSignal | undefined;
}

type Phase = 'searching' | 'shrinking' | 'again';

/** How many writes may succeed. Each leaves a passport version or, by a mistake of the provider, a product. */
const maxWrites: Readonly<Record<string, Readonly<Record<Phase, number>>>> = {
  PUT: { searching: 100, shrinking: 200, again: 201 },
  POST: { searching: 1, shrinking: 5, again: 6 },
};

export function generatedCases(contract: Contract, options: GeneratedOptions): Case[] {
  return generatedFacts(contract).map(({ operation, ...facts }) => ({
    ...facts,
    run: (context) => runGenerated(operation, options, context),
  }));
}

/** The cases, one for each operation of the service's description. */
export function generatedFacts({ operations }: Contract): (Omit<Case, 'run'> & { readonly operation: Operation })[] {
  return operations
    .filter(({ origin }) => origin === 'description')
    .map((operation) => ({
      operation,
      id: `GEN-1.${operation.operationId}`,
      title: `${operation.operationId} responds to generated requests as the contract says.`,
      claim: claimOf(operation.path),
      clause: `/paths/${operation.path.replaceAll('/', '~1')}/${operation.method.toLowerCase()}`,
      needs: generatedNeeds(operation),
    }));
}

/** Existing products and links are used if there are any. */
function generatedNeeds({ operationId, secured, method }: Operation): readonly Need[] {
  if (operationId === 'putPassport') return ['field key', 'writes'];
  return secured && method === 'GET' ? [] : ['writes'];
}

async function runGenerated(operation: Operation, options: GeneratedOptions, context: Context): Promise<void> {
  const { seed, milliseconds, signal } = options;
  const existing = await existingFor(operation, context);
  const trial = trialOf(operation, existing, options.judges, context);
  const limits = { seed, milliseconds: milliseconds(), signal };
  const found = await search(requestsOf(operation), limits, async (request, isShrinking) => {
    const { faults } = await trial(request, isShrinking ? 'shrinking' : 'searching');
    return faults.length > 0;
  });
  if (found === undefined) return;
  const { faults, exchanges } = await trial(found.value, 'again');
  for (const exchange of exchanges) context.keep(exchange);
  if (faults.length > 0) throw new CaseFailure(`${faults.join('; ')}. ${repetition(operation, found, seed)}`);
  context.warn(`A generated request got a wrong response once, but not again. ${repetition(operation, found, seed)}`);
}

interface Trial {
  readonly faults: readonly string[];
  readonly exchanges: readonly Exchange[];
}

/** Sends a generated request, unless it would fill the provider, and judges the response. */
function trialOf(
  operation: Operation,
  existing: Existing,
  judges: Judges,
  context: Context,
): (request: GeneratedRequest, phase: Phase) => Promise<Trial> {
  let writes = 0;
  const { method } = operation;
  return async (generated, phase) => {
    const request = requestOf(operation, generated, existing);
    const expected = expectationOf(operation, generated, request, existing.fieldKeys, judges);
    const isFull = writes >= (maxWrites[method]?.[phase] ?? Number.POSITIVE_INFINITY);
    const isLeftOut = method === 'POST' ? isFull || expected.kind !== 'refused' : isFull && expected.kind !== 'refused';
    if (isLeftOut) return { faults: [], exchanges: [] };
    const exchange = await context.probe(askOf(request));
    const faults = [...responseFaults(exchange, judges, context.provider), ...outcomeFaults(expected, exchange)];
    if (!storesSomething(exchange)) return { faults, exchanges: [exchange] };
    writes += 1;
    // Every product that the provider creates is in created.json.
    if (method === 'POST' && phase !== 'again') context.keep(exchange);
    const written = writtenValues(request, existing.fieldKeys);
    if (written.size === 0) return { faults, exchanges: [exchange] };
    const reading = await context.probe({ path: request.path.replace(/\?.*/s, '') });
    return { faults: [...faults, ...storedFaults(written, reading)], exchanges: [exchange, reading] };
  };
}

function storesSomething({ request, response }: Exchange): boolean {
  return request.method !== 'GET' && response !== undefined && response.status < 300;
}

function repetition({ operationId }: Operation, { tried, shrinks }: Found<unknown>, seed: number): string {
  const found = `Found in generated request ${tried}, made smaller in ${shrinks} steps.`;
  return `${found} To repeat it: --seed ${seed} --only GEN-1.${operationId}`;
}

function askOf({ method, path, headers, body }: WireRequest): Ask {
  return { method, path, headers, ...(body === undefined ? {} : { raw: body }) };
}
