/** Removes a secret from text of other programs. An error page that shows the request's headers would leak it. */
export type Redact = (text: unknown) => string;

export function redactor(secret: string | null | undefined): Redact {
  return (text) => (secret ? String(text).replaceAll(secret, '[secret]') : String(text));
}

/** Shortens text of other programs and removes control characters, which could forge a line in a log. */
export function clip(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').slice(0, 500);
}

/**
 * The message of the innermost cause, `read ECONNRESET` instead of `fetch failed`, and what to do about it.
 *
 * @param hasResponded whether the address is known to be right
 */
export function reasonOf(cause: unknown, hasResponded = false): string {
  const { cause: inner, message, code, name } = Object(cause);
  if (inner !== undefined) return reasonOf(inner, hasResponded);
  // OpenSSL's own text names its files, and not what to do.
  if (/wrong version number/.test(message)) return 'it does not speak TLS: use http://';
  const text = clip(String(message || code || name || cause));
  if (!/ENOTFOUND|ECONNREFUSED/.test(text)) return text;
  return `${text}. ${hasResponded ? 'Does the service run?' : 'Is the address right, and does the service run?'}`;
}

/**
 * Copies an error that a runtime or a custom `fetch` threw. Some attach the request with its headers, and logging an
 * error logs its cause. The copy therefore has only the parts that describe the failure.
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
  } catch {} // a getter may throw; the parts copied so far are enough
  return copy;
}
