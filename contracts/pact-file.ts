/** The committed pact: its location, and what the provider tests and the checks read from it. */
import { readFileSync } from 'node:fs';
import * as comparatorModule from '@pactflow/openapi-pact-comparator';
import { errorIn, type Operation, readDocument } from '@product-passport/openapi';
import { jsonIn } from './conformance/http/exchange.ts';
import { operationAt } from './judge/operation-at.ts';

export const consumer = 'product-passport-sdk';
export const provider = 'product-passport-service';

export const pactFileName = `${consumer}-${provider}.json`;
export const pactLocation = new URL(`pacts/${pactFileName}`, import.meta.url);

interface Body {
  readonly content: unknown;
  readonly contentType: string;
  readonly encoded: false | 'base64';
}

interface Message {
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly body?: Body;
}

interface Generator {
  readonly type: string;
  /** For example `Bearer ${api_key}`. */
  readonly expression?: string;
}

export interface Interaction {
  readonly description: string;
  readonly providerStates?: readonly { readonly name: string; readonly params?: unknown }[];
  readonly request: Message & {
    readonly method: string;
    readonly path: string;
    readonly query?: Readonly<Record<string, readonly string[]>>;
    /** What a verifier sends instead of the example, by place (`header`, `query`) and name. */
    readonly generators?: Readonly<Record<string, Readonly<Record<string, Generator>>>>;
  };
  readonly response: Message & { readonly status: number };
}

export interface PactFile {
  readonly interactions: readonly Interaction[];
}

export function readPact(): PactFile {
  return JSON.parse(readFileSync(pactLocation, 'utf8'));
}

/** The operation of an interaction, with the values of its path parameters. */
export function operationOf(operations: readonly Operation[], { request: { method, path } }: Interaction) {
  const found = operationAt(operations, method, path);
  if (found === undefined) throw new Error(`The contract has no operation ${method} ${path}.`);
  return found;
}

/** The error code in the response body, if it has one. */
export function codeOf({ response }: Interaction): string | undefined {
  return response.status < 400 ? undefined : errorIn(response.body?.content)?.code;
}

/** The values of a header. Header names are case-insensitive. */
export function headerOf({ headers = {} }: Message, name: string): string | undefined {
  return Object.entries(headers)
    .find(([key]) => key.toLowerCase() === name)?.[1]
    .join(', ');
}

interface RequestBody {
  /** The body as sent; `undefined` if there is no body. */
  readonly text: string | undefined;
  /** The parsed JSON; `undefined` if the text is not JSON. */
  readonly value: unknown;
  /** Whether the Content-Type header says JSON. */
  readonly isJson: boolean;
}

export function requestBodyOf({ request }: Interaction): RequestBody {
  const isJson = /^application\/json\s*(;|$)/i.test(headerOf(request, 'content-type') ?? '');
  if (request.body === undefined) return { text: undefined, value: undefined, isJson };
  const { content, contentType, encoded } = request.body;
  if (/json/.test(contentType)) return { text: JSON.stringify(content), value: content, isJson };
  const text = encoded === 'base64' ? Buffer.from(String(content), 'base64').toString() : String(content);
  return { text, value: jsonIn(text), isJson };
}

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
