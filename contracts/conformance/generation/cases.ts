/** GEN-1: requests that are generated from the contract, and their responses. They run after the fixed cases. */
import type { Contract, Operation } from '@product-passport/openapi';
import type { Ask, Case, Context } from '../case.ts';
import { claimOf } from '../cases/responses.ts';
import { CaseFailure } from '../check.ts';
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

/** Writes that succeed make versions of a passport, which stay. */
const maxWrites = 100;

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
      needs: operation.secured && operation.method === 'GET' ? [] : ['writes'],
    }));
}

async function runGenerated(operation: Operation, options: GeneratedOptions, context: Context): Promise<void> {
  const { seed, milliseconds, signal } = options;
  const existing = await existingFor(operation, context);
  const trial = trialOf(operation, existing, options.judges, context);
  const limits = { seed, milliseconds: milliseconds(), signal };
  const found = await search(
    requestsOf(operation),
    limits,
    async (request) => (await trial(request)).faults.length > 0,
  );
  if (found === undefined) return;
  const { faults, exchanges } = await trial(found.value);
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
): (request: GeneratedRequest) => Promise<Trial> {
  let writes = 0;
  const { method } = operation;
  return async (generated) => {
    const request = requestOf(operation, generated, existing);
    const expected = expectationOf(operation, generated, request, existing.fieldKeys, judges);
    const mayStore = expected.kind !== 'refused' && (method === 'POST' || (method === 'PUT' && writes >= maxWrites));
    if (mayStore) return { faults: [], exchanges: [] };
    const exchange = await context.probe(askOf(request));
    const { response } = exchange;
    const faults = responseFaults(exchange, judges, context.provider);
    if (response === undefined) return { faults, exchanges: [exchange] };
    faults.push(...outcomeFaults(expected, response));
    if (method === 'GET' || response.status >= 300) return { faults, exchanges: [exchange] };
    // Every product that the provider creates is in created.json.
    if (method === 'POST') context.keep(exchange);
    writes += 1;
    const written = writtenValues(request, existing.fieldKeys);
    if (written.size === 0) return { faults, exchanges: [exchange] };
    const reading = await context.probe({ path: request.path.replace(/\?.*/s, '') });
    return { faults: [...faults, ...storedFaults(written, reading)], exchanges: [exchange, reading] };
  };
}

function repetition({ operationId }: Operation, { tried, shrinks }: Found<unknown>, seed: number): string {
  const found = `Found in generated request ${tried}, made smaller in ${shrinks} steps.`;
  return `${found} To repeat it: --seed ${seed} --only GEN-1.${operationId}`;
}

function askOf({ method, path, headers, body }: WireRequest): Ask {
  return { method, path, headers, ...(body === undefined ? {} : { raw: body }) };
}
