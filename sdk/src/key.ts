import { ArgumentError } from './errors.ts';

/**
 * The tenant's API key, or a function that returns it. The function runs once for each attempt, inside its time limit,
 * so a key can be rotated while the program runs. `signal` fires when the attempt ends early.
 */
export type ApiKey = string | ((signal: AbortSignal) => string | Promise<string>);

/** Throws an `ArgumentError` if the value is not a bearer token (RFC 6750, 2.1). */
function checked(key: unknown): string {
  if (typeof key === 'string' && /^[\w.~+/-]+=*$/.test(key)) return key;
  throw new ArgumentError('apiKey', 'must be a bearer token: letters, digits and - . _ ~ + /, with = only at the end');
}

/** Returns the function that gets the key for an attempt. Throws an `ArgumentError` for an invalid key. */
export function keySource(apiKey: ApiKey): (signal: AbortSignal) => Promise<string> {
  if (typeof apiKey !== 'function') {
    checked(apiKey);
    return async () => apiKey;
  }
  return async (signal) => {
    let key: unknown;
    try {
      key = await apiKey(signal);
    } catch (cause) {
      throw new ArgumentError('apiKey', 'could not be read: the function threw an error', { cause });
    }
    return checked(key);
  };
}
