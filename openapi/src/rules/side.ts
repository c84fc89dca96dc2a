/** Which part of the service a path belongs to. Pure: the server, the suite and the SDK's fake service share it. */
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

/** Matches a path of the template `/p/{tenant}/{product}`, and names its values. */
export function pathForm(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', '\\.').replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`);
}
