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

/** The parts of a `Response` that the SDK uses. Those of undici, node-fetch and React Native have them too. */
export interface FetchResponse {
  readonly ok: boolean;
  readonly status: number;
  readonly type: string;
  readonly url: string;
  readonly headers: {
    get(name: string): string | null;
    forEach(callback: (value: string, name: string) => void): void;
  };
  /** A stream with `getReader`, or one of Node. Without a stream, the SDK calls `text()`. */
  readonly body?: unknown;
  text(): Promise<string>;
}

/** The streams that the SDK reads, of the platform and of Node. */
export interface ByteStream {
  getReader?(): {
    read(): Promise<{ done?: boolean | undefined; value?: Uint8Array | undefined }>;
    cancel(): Promise<unknown>;
  };
  [Symbol.asyncIterator]?(): AsyncIterator<Uint8Array | string, undefined>;
  destroy?(): unknown;
}

/** Sends one request: `globalThis.fetch`, `undici.fetch`, or your own function. */
export type Fetch = (url: string, init: FetchInit) => Promise<FetchResponse>;

/** The type of the runtime's own `fetch`. A function of this type is also a `Fetch`. */
export type PlatformFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** A request that is ready to be sent. Each attempt sends it once. */
export interface PreparedRequest extends Omit<FetchInit, 'signal'> {
  readonly url: string;
}
