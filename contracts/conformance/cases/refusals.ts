/** The run of a case in which the provider must refuse a request. */
import type { Ask, Case, Context, Expected } from '../case.ts';

export const invalid = { status: 400, code: 'invalid_request' };
export const notFound = { status: 404, code: 'not_found' };

type Made<Value, From extends unknown[]> = Value | ((...from: From) => Value | Promise<Value>);

/** `good` succeeds. The same request with the fault is refused. */
export function refuses(
  good: Made<Ask, [Context]>,
  fault: Made<Partial<Ask>, [Context, Ask]>,
  expected: Expected = invalid,
): Case['run'] {
  return async (context) => {
    const control = typeof good === 'function' ? await good(context) : good;
    await context.refused(control, typeof fault === 'function' ? await fault(context, control) : fault, expected);
  };
}
