/** Compares the pact with openapi.yaml, using the comparator from PactFlow. */
import * as comparatorModule from '@pactflow/openapi-pact-comparator';
import { readDocument } from '@product-passport/openapi';
import type { PactFile } from './pact-file.ts';

interface Result {
  readonly code: string;
  readonly message: string;
  readonly mockDetails?: { readonly interactionDescription?: string | null; readonly location: string };
}

// TypeScript cannot resolve the package's types: they import files without an extension.
interface ComparatorModule {
  readonly Comparator: new (options: { oas: unknown }) => { compare(pact: PactFile): AsyncIterable<Result> };
}
const { Comparator } = comparatorModule as unknown as ComparatorModule;

export interface Difference {
  /** The description of the interaction. */
  readonly description: string;
  /** The comparator's own code: `request.…` or `response.…`. */
  readonly code: string;
  readonly text: string;
}

/** Returns the differences between pact and contract: errors and warnings. */
export async function differences(pact: PactFile, document = readDocument()): Promise<readonly Difference[]> {
  const comparator = new Comparator({ oas: document });
  const found: Difference[] = [];
  for await (const { code, message, mockDetails } of comparator.compare(pact)) {
    // The comparator cannot read HTML. The judge checks it when the provider is verified.
    if (code === 'response.body.unvalidatable' && message.includes("'text/html'")) continue;
    const description = mockDetails?.interactionDescription ?? '';
    found.push({ description, code, text: `${code} at ${mockDetails?.location}: ${message}` });
  }
  return found;
}
