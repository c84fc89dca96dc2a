/** Takes a secret out of what other programs wrote; an error page that shows the request's headers would leak it. */
export type Redact = (text: unknown) => string;

export function redactor(secret: string | null | undefined): Redact {
  return (text) => (secret ? String(text).replaceAll(secret, '[secret]') : String(text));
}

/** A text of elsewhere as part of a message: a control character could forge a line of a log. */
export function clip(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 500);
}

/** What the innermost cause says: `connect ECONNREFUSED 127.0.0.1:3000`, and not `fetch failed`. */
export function reasonOf(cause: unknown): string {
  const { cause: inner, message, code, name } = Object(cause);
  return inner === undefined ? clip(String(message || code || name || cause)) : reasonOf(inner);
}

/**
 * Copies what a runtime or a custom `fetch` threw. Some attach the request, headers and all, and whoever logs an error
 * logs its cause; so only the parts that describe the failure are kept.
 */
export function describeCause(cause: unknown, redact: Redact, depth = 0): unknown {
  if (typeof cause !== 'object' || cause === null) return redact(cause);
  const copy = Object.assign(new Error('') as Error & Record<string, unknown>, { stack: '' });
  try {
    for (const part of ['name', 'message', 'stack', 'code']) {
      const text: unknown = Reflect.get(cause, part);
      if (typeof text === 'string') copy[part] = redact(text);
    }
    const { cause: inner } = cause as Error;
    if (inner !== undefined && depth < 4) copy.cause = describeCause(inner, redact, depth + 1);
  } catch {} // a getter of its own: what was copied until then has to do
  return copy;
}
