import type { IncomingMessage, ServerResponse } from 'node:http';
import { ContractError } from '../contract/errors.ts';
import { place, type Violation } from '../contract/validation.ts';

/** The largest body that is read, in bytes (1 MiB). */
const maxBodyBytes = 1024 * 1024;

/** How long what is left of a body is taken in and thrown away before the answer, in milliseconds. */
const discardTimeout = 1000;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const json = /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?(?:;[\t ]*)?$/i;

/**
 * Takes in a request's body. A client that asks whether it may send it is told so.
 *
 * @throws ContractError `payload_too_large`, as soon as it is known; `request_timeout` for a body that has not come
 *   after so many milliseconds; `invalid_request` where the connection closes before the body's end.
 */
export async function readBytes(
  { req: request, res: response }: { req: IncomingMessage; res: ServerResponse },
  timeout: number,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) throw new ContractError('payload_too_large');
  if (asksBeforeBody(request)) response.writeContinue();
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const settle = (error?: Error): void => {
      clearTimeout(timer);
      request.pause().removeListener('data', take).removeListener('end', settle).removeListener('close', cut);
      if (error) reject(error);
      else resolve(Buffer.concat(chunks));
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBodyBytes) settle(new ContractError('payload_too_large'));
    };
    // What came so far may be valid JSON, and is not what was sent.
    const cut = (): void => settle(new ContractError('invalid_request', 'The body is shorter than announced.'));
    const timer = setTimeout(() => settle(new ContractError('request_timeout')), timeout);
    request.on('data', take).once('end', settle).once('close', cut);
  });
}

/**
 * Throws away what is left of a request's body, for a moment: a client that is still sending when the connection
 * closes may never see the answer.
 */
export function discardBody(request: IncomingMessage): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  // Nobody began to read: the client was not told to send its body, and does not.
  const isHeldBack = asksBeforeBody(request) && request.readableFlowing === null && request.readableLength === 0;
  if (isHeldBack) return Promise.resolve();
  return new Promise((resolve) => {
    const settle = (): void => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(settle, discardTimeout);
    request.once('end', settle).once('close', settle).resume();
  });
}

/** Whether the client waits for `100 Continue` before it sends the body (RFC 9110, section 10.1.1). */
function asksBeforeBody({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /^100-continue$/i.test(headers.expect ?? '');
}

/**
 * Reads a JSON body from its bytes.
 *
 * @returns the value, and what no body may have anywhere: a member named `__proto__`, U+0000 or a lone surrogate in a
 *   string, a number that a double does not carry as it is written.
 * @throws ContractError `unsupported_media_type` for another type or an encoding, `invalid_json` for bytes that are
 *   no JSON in UTF-8, and for none.
 */
export function readBody(
  bytes: Buffer,
  headers: Record<string, string | undefined>,
): { body: unknown; violations: Violation[] } {
  if (bytes.length === 0) throw new ContractError('invalid_json');
  const encoding = headers['content-encoding'];
  if (!json.test(headers['content-type'] ?? '') || (encoding !== undefined && encoding.toLowerCase() !== 'identity')) {
    throw new ContractError('unsupported_media_type');
  }
  let text: string;
  let body: unknown;
  try {
    text = decoder.decode(bytes);
    body = JSON.parse(text);
  } catch {
    throw new ContractError('invalid_json');
  }
  const violations = forbiddenContents(body);
  if (!numbersAreExact(text)) {
    violations.push({
      code: 'invalid_request',
      message: 'A number in the body is not carried exactly by a double: send it as a string.',
      whole: false,
    });
  }
  return { body, violations };
}

/** Walks without recursion: the input may be as deep as it likes. */
function forbiddenContents(body: unknown): Violation[] {
  const violations: Violation[] = [];
  // Only the top level is named: deeper, the path would be the input's own words.
  const entries = Array.isArray(body)
    ? body.map((value, index) => ({ value, at: place([index]) }))
    : [{ value: body, at: place([]) }];
  for (const { value, at } of entries) {
    const problem = forbiddenContent(value);
    if (problem) violations.push({ code: 'invalid_request', message: `${at} ${problem}.`, whole: false });
  }
  return violations;
}

function forbiddenContent(value: unknown): string | undefined {
  const waiting = [value];
  while (waiting.length > 0) {
    const node = waiting.pop();
    if (typeof node === 'string') {
      if (!isCleanText(node)) return dirty;
    } else if (Array.isArray(node)) {
      for (const item of node) waiting.push(item);
    } else if (typeof node === 'object' && node !== null) {
      for (const [key, item] of Object.entries(node)) {
        if (key === '__proto__') return 'has a member named __proto__, which is not allowed';
        if (!isCleanText(key)) return dirty;
        waiting.push(item);
      }
    }
  }
  return undefined;
}

const dirty = 'has U+0000 or a lone surrogate in a string, which is not allowed';

function isCleanText(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Strings first, so that digits inside them are passed over. Each alternative reads on without looking back. */
const stringOrNumber = /"[^"\\]*(?:\\.[^"\\]*)*"|-?[0-9][-+.0-9eE]*/gs;

/** Whether each number literal has the decimal value that its double prints. `text` is valid JSON. */
function numbersAreExact(text: string): boolean {
  for (const [token] of text.matchAll(stringOrNumber)) {
    if (token.startsWith('"')) continue;
    // Up to 15 digits always survive, and most literals are short.
    if (token.length <= 15 && !/[eE]/.test(token)) continue;
    if (decimalValue(token) !== decimalValue(String(Number(token)))) return false;
  }
  return true;
}

/** One spelling for each decimal value: significant digits and exponent. What has none stays as it is. */
function decimalValue(literal: string): string {
  const match = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?)0*([0-9]*))?$/.exec(literal);
  if (!match) return literal;
  const [, whole = '', fraction = '', exponentSign = '', exponent = ''] = match;
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  // No double comes near an exponent of this length.
  if (exponent.length > 9) return literal;
  const sign = literal.startsWith('-') ? '-' : '';
  const scale = Number(`${exponentSign}${exponent || '0'}`) - fraction.length + (digits.length - end);
  return `${sign}${digits.slice(start, end)}e${scale}`;
}
