/** What the SDK passes to `fetch` beside the address. */
export interface FetchInit {
  readonly method: string;
  readonly headers: Record<string, string>;
  /** The JSON to send. */
  readonly body?: string;
  readonly redirect: 'manual' | 'follow';
  /** Fires when the attempt ends early. */
  readonly signal: AbortSignal;
}

/** The parts of a `Response` that the SDK uses. The `Response` of every runtime has them, and so has that of undici. */
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

/** The form of the runtime's own `fetch`. A function of this form is a `Fetch`, too. */
export type PlatformFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A request that is ready to be sent, once for each attempt. */
export interface PreparedRequest extends Omit<FetchInit, 'signal'> {
  readonly url: string;
}
