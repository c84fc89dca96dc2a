/** A request of a case, and its response. */
import type { WireResponse } from './http/exchange.ts';

/** A request. Defaults: `GET`, the first tenant's key under `/api/v1`, no body. */
export interface Ask {
  readonly method?: string;
  /** As in the contract, below the site: `/api/v1/me`. */
  readonly path: string;
  /** Appended to the path. An array sends the parameter several times. Text is sent unchanged. */
  readonly query?: string | Readonly<Record<string, string | number | readonly string[]>>;
  /** Another key, or `null` for none. */
  readonly key?: string | null;
  /** `undefined` removes a default header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly raw?: string | Uint8Array;
}

export interface Expected {
  readonly status: number | readonly number[];
  readonly code?: string;
}

export interface Reply extends WireResponse {
  /** The parsed body, or `undefined` if the body is not JSON. */
  readonly json: unknown;
  /** `error.code` of the body. */
  readonly code: string | undefined;
}
