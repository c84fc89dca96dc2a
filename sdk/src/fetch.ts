/** The second argument that the SDK passes to `fetch`. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  /** The JSON to send. */
  readonly body?: string;
  readonly redirect: 'manual' | 'follow';
  /** Fires when the attempt ends early. */
  readonly signal: AbortSignal;
}

/** The parts of a `Response` that the SDK uses. Every runtime's `Response` has them, and so does undici's. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly url: string;
  readonly headers: {
    get(name: string): string | null;
    forEach(callback: (value: string, name: string) => void): void;
  };
  readonly body: {
    getReader(): {
      read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
      cancel(): Promise<unknown>;
    };
    cancel(): Promise<unknown>;
  } | null;
}

/** Sends one request: `globalThis.fetch`, `undici.fetch`, or your own function. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The type of the runtime's own `fetch`. A function of this type is also a `Fetch`. */
export type PlatformFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A request that is ready to be sent. Each attempt sends it once. */
export interface PreparedRequest extends Omit<FetchInit, 'signal'> {
  readonly url: string;
}
