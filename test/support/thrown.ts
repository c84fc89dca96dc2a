const missing = (value: unknown) => new Error(`The call did not fail: ${JSON.stringify(value)}`);

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

/** What a call throws or rejects with. */
export async function thrownBy(call: () => unknown): Promise<unknown> {
  let value: unknown;
  try {
    value = await call();
  } catch (error) {
    return error;
  }
  throw missing(value);
}
