/** The pact against openapi.yaml, by the comparator of its makers. */
import * as comparatorModule from '@pactflow/openapi-pact-comparator';
import { readDocument } from '@product-passport/openapi';
import type { PactFile } from './pact-file.ts';

interface Result {
  readonly code: string;
  readonly message: string;
  readonly mockDetails?: { readonly interactionDescription?: string | null; readonly location: string };
}

// The package's own types do not resolve by Node's rules: they name files without an ending.
interface ComparatorModule {
  readonly Comparator: new (options: { oas: unknown }) => { compare(pact: PactFile): AsyncIterable<Result> };
}
const { Comparator } = comparatorModule as unknown as ComparatorModule;

export interface Difference {
  /** Which interaction, by its description. */
  readonly description: string;
  /** As the comparator names it: `request.…` or `response.…`. */
  readonly code: string;
  readonly text: string;
}

/** Where the pact and the contract differ, errors and warnings alike. */
export async function differences(pact: PactFile): Promise<readonly Difference[]> {
  const comparator = new Comparator({ oas: readDocument() });
  const found: Difference[] = [];
  for await (const { code, message, mockDetails } of comparator.compare(pact)) {
    // It cannot read HTML. The judge can, in the provider's verification.
    if (code === 'response.body.unvalidatable' && message.includes("'text/html'")) continue;
    const description = mockDetails?.interactionDescription ?? '';
    found.push({ description, code, text: `${code} at ${mockDetails?.location}: ${message}` });
  }
  return found;
}
