/** Takes a secret out of what other programs wrote; an error page that shows the request's headers would leak it. */
export type Redact = (text: unknown) => string;

export function redactor(...secrets: (string | undefined)[]): Redact {
  return (text) =>
    secrets.reduce<string>((rest, secret) => (secret ? rest.replaceAll(secret, '[secret]') : rest), String(text));
}

/**
 * Copies what a runtime or a custom `fetch` threw. Some attach the request, headers and all, and whoever logs an error
 * logs its cause; so only the parts that describe the failure are kept.
 */
export function describeCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (typeof cause !== 'object' || cause === null) return redact(cause);
  const { name = 'Error', message = '', stack = '', code, cause: inner } = cause as Partial<Error> & { code?: unknown };
  const copy: Error = Object.assign(new Error(redact(message)), { name: redact(name), stack: redact(stack) });
  if (typeof code === 'string') Object.assign(copy, { code: redact(code) });
  if (inner !== undefined && depth < 4) copy.cause = describeCause(inner, redact, depth + 1);
  return copy;
}
