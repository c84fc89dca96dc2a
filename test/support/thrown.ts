const missing = (value: unknown) => new Error(`The call did not fail: ${JSON.stringify(value)}`);

/** In the message of a fake that got more requests than a test may send. */
export const endless = 'The fake fetch got more requests than this test may send';

/** What a call throws. A call that returns fails the test. */
export function thrown(call: () => unknown): unknown {
  let value: unknown;
  try {
    value = call();
  } catch (error) {
    return error;
  }
  throw missing(value);
}

/** What a promise or a call rejects with. Fails the test if it does not, or if it would never end. */
export async function rejection(call: PromiseLike<unknown> | (() => unknown)): Promise<unknown> {
  let value: unknown;
  try {
    value = await (typeof call === 'function' ? call() : call);
  } catch (error) {
    if (String(error).includes(endless)) throw error;
    return error;
  }
  throw missing(value);
}
