/** Which part of the service a path belongs to. Pure: the server, the suite and the SDK's fake service share it. */
import type { Parameter, Schema } from './contract.ts';
import type { ErrorCode } from './errors.ts';

/** How an error is written: as JSON, as a page, or as the one of them that the client prefers. */
export type ErrorForm = 'json' | 'page' | 'preferred';

/** How the operations below one root of the service take and refuse requests. */
export interface Side {
  /** The beginning of their paths: `/api/v1`, `/01`. */
  readonly root: string;
  /** Whether requests need an API key. */
  readonly secured: boolean;
  readonly errors: ErrorForm;
  /** The JSON of an error, whose code and text are empty: see `errorBodyOf`. */
  readonly errorBody: object;
}

/** What a service without openapi.yaml needs of an operation of the contract. */
export interface ServedOperation {
  readonly operationId: string;
  /** The operation that it repeats at another path, or itself. */
  readonly variantOf: string;
  readonly method: string;
  readonly path: string;
  readonly side: Side;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly schema: Schema } | undefined;
  /** The error codes, those of a 400 in the order of the checks. */
  readonly codes: readonly string[];
  /** The media types of the 200. */
  readonly types: readonly string[];
  readonly redirects: boolean;
}

/** The side of paths that no operation has. */
export interface Fallback extends Side {
  /** The error of such a path. */
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
}

/** @param fallbacks that of each root, and last that of every other path */
export function fallbackOf<Known extends Fallback>(fallbacks: readonly Known[], path: string): Known {
  const isBelow = (root: string) => path.startsWith(root) && /^(?:[/?#]|$)/.test(path.slice(root.length));
  return fallbacks.find(({ root }) => isBelow(root)) ?? (fallbacks.at(-1) as Known);
}

const patterns = new Map<string, RegExp>();

/**
 * Matches a path of the template `/p/{tenant}/{product}`, and names its values.
 *
 * @param start what must be before it
 */
export function pathPattern(template: string, start = '^'): RegExp {
  const source = `${start}${template.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`;
  const pattern = patterns.get(source) ?? new RegExp(source);
  patterns.set(source, pattern);
  return pattern;
}

/** Looks for the tenant of a request: that of its key, or on a public side that of the page or of the GTIN. */
export function tenantNamed<Tenant>(
  { secured }: Pick<Side, 'secured'>,
  { tenant, gtin, dppId, productId = dppId }: Readonly<Record<string, string | undefined>>,
  find: { byKey: () => Tenant; bySlug: (slug: string) => Tenant; byGtin: (gtin: string) => Tenant },
): Tenant | undefined {
  if (secured) return find.byKey();
  // Of the reads of EN 18222: a page or a document, a URN, a GTIN or its Digital Link.
  const [, slug = tenant, bare, linked = bare ?? gtin] =
    /^(?:[^:]+:\/\/[^/]+\/p\/|urn:[^:]+:)([^/:]+)|^(\d+)$|\/01\/(\d+)/.exec(productId ?? '') ?? [];
  if (linked !== undefined) return find.byGtin(linked);
  return slug === undefined ? undefined : find.bySlug(slug);
}
