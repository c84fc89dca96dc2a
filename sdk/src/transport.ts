import { type Answer, decide, type Expected } from './answer.ts';
import { AbortError, ArgumentError, isPassportError, NetworkError, type Operation } from './errors.ts';
import type { operations } from './generated/openapi.ts';
import { describeCause, redactor } from './secret.ts';

/** What sends a request: the runtime's `fetch`, or one that stands in for it. It is called with a `Request`. */
export type Fetch = (request: Request) => Promise<Response>;

/** What one call can be told. */
export interface RequestOptions {
  /** Ends the call when it fires, also while the answer is read: the call rejects with an `AbortError`. Default: none. */
  readonly signal?: AbortSignal | undefined;
}

/** How openapi-fetch is to make an attempt. `parseAs` is told beside it, so that the types stay those of the value. */
interface AttemptInit {
  readonly fetch: Fetch;
  readonly redirect: 'manual';
  readonly signal?: AbortSignal;
}

/** Makes one attempt: guards the path's values, and calls openapi-fetch with what it was given. */
type Attempt = (init: AttemptInit & Record<string, unknown>) => Promise<Answer>;

/**
/**
 * What an operation gives: the address that it redirects to where it does, else the body of its 200 (of the page's two
 * the HTML, which is never asked for otherwise). Read from the generated types and not from openapi-fetch, whose mapping
 * of them takes `string & {}`, any other value, apart.
 */
type Value<Name extends Operation> = operations[Name]['responses'] extends { 307: unknown }
  ? string
  : operations[Name]['responses'] extends { 200: { content: infer Content } }
    ? Content extends { 'text/html': infer Page }
      ? Page
      : Content[keyof Content]
    : never;

/** `secret`: one beside the key, which must not stand in an error either. */
interface Expectation {
  readonly expected?: Expected;
  readonly secret?: string | undefined;
}

export type Send = <Name extends Operation>(
  operation: Name,
  attempt: Attempt,
  options?: RequestOptions,
  expectation?: Expectation,
) => Promise<Value<Name>>;

/** Settles as `work` does, or rejects when the signal fires; a custom `fetch` need not listen to it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const leave = () => signal.removeEventListener('abort', stop);
    work.then(resolve, reject);
    signal.addEventListener('abort', stop);
    work.then(leave, leave);
  });
}

/** The one way out to the network: every request of every method, each page of a list too, goes through here. */
export function createTransport(root: string, fetch: Fetch | undefined, key?: string): Send {
  const redactKey = redactor(key);

  return async <Name extends Operation>(
    operation: Name,
    attempt: Attempt,
    { signal }: RequestOptions = {},
    { expected = 'json', secret }: Expectation = {},
  ) => {
    const redactSecret = redactor(secret);
    const redact = (text: string) => redactSecret(redactKey(text));
    const call = { operation, method: '', path: '' };
    let url = '';
    const init = {
      parseAs: 'text',
      redirect: 'manual',
      fetch: (request: Request) => {
        url = request.url;
        call.method = request.method;
        call.path = url.slice(root.length).replace(/\?.*/s, '');
        signal?.throwIfAborted();
        return fetch ? fetch(request) : globalThis.fetch(request);
      },
      ...(signal && { signal }),
    } as const;

    let answer: Answer;
    try {
      answer = await unlessAborted(attempt(init), signal);
    } catch (thrown) {
      if (url && signal?.aborted) throw new AbortError(call, 'aborted', { cause: signal.reason });
      if (!url && isPassportError(thrown)) throw thrown;
      const cause = describeCause(thrown, redact);
      if (!url) throw new ArgumentError(operation, 'got an argument that cannot be sent', { cause });
      throw new NetworkError(call, 'no whole answer came', { cause });
    }
    // The contract says so. That a service keeps it is the conformance suite's to prove and not each call's.
    return decide(call, url, expected, answer, redact) as Value<Name>;
  };
}
