import { ContractError } from '../contract/errors.ts';
import { place, type Violation } from '../contract/validation.ts';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const jsonType = /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?(?:;[\t ]*)?$/i;

/**
 * Parses a JSON body.
 *
 * @returns the value, and a violation for each content that no body may have: a member named `__proto__`, U+0000 or a
 *   lone surrogate in a string, a number that a double does not carry exactly
 * @throws ContractError `unsupported_media_type` for another media type or a content encoding, `invalid_json` if the
 *   bytes are empty or not JSON in UTF-8
 */
export function readJson(
  bytes: Buffer,
  headers: Record<string, string | undefined>,
): { body: unknown; violations: Violation[] } {
  if (bytes.length === 0) throw new ContractError('invalid_json');
  const encoding = headers['content-encoding'];
  if (
    !jsonType.test(headers['content-type'] ?? '') ||
    (encoding !== undefined && encoding.toLowerCase() !== 'identity')
  ) {
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

function forbiddenContents(body: unknown): Violation[] {
  const violations: Violation[] = [];
  // The message names only the top level: a deeper path would repeat the client's own words.
  const entries = Array.isArray(body)
    ? body.map((value, index) => ({ value, at: place([index]) }))
    : [{ value: body, at: place([]) }];
  for (const { value, at } of entries) {
    const problem = forbiddenContent(value);
    if (problem) violations.push({ code: 'invalid_request', message: `${at} ${problem}.`, whole: false });
  }
  return violations;
}

/**
 * What no JSON may have: a member named `__proto__`, U+0000 or a lone surrogate. Walks the value without recursion,
 * because it may have any depth.
 */
export function forbiddenContent(value: unknown): string | undefined {
  const waiting = [value];
  while (waiting.length > 0) {
    const node = waiting.pop();
    const problem = typeof node === 'string' ? textProblem(node) : keyProblem(node);
    if (problem) return problem;
    if (typeof node !== 'object' || node === null) continue;
    for (const item of Array.isArray(node) ? node : Object.values(node)) waiting.push(item);
  }
  return undefined;
}

function keyProblem(node: unknown): string | undefined {
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return undefined;
  for (const key of Object.keys(node)) {
    if (key === '__proto__') return 'has a member named __proto__, which is not allowed';
    const problem = textProblem(key);
    if (problem) return problem;
  }
  return undefined;
}

function textProblem(text: string): string | undefined {
  if (!text.includes('\0') && text.isWellFormed()) return undefined;
  return 'has U+0000 or a lone surrogate in a string, which is not allowed';
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether each number literal has the decimal value that its double prints. `text` is valid JSON. Every JSON request pays
 * for this scan, so it makes no text for what it skips. A regular expression for strings overflows its stack at millions
 * of escapes.
 */
export function numbersAreExact(text: string): boolean {
  let at = 0;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (isDigit(code)) {
      const end = endOfNumber(text, at);
      if (!isExact(text.slice(at, end))) return false;
      at = end;
    } else at += 1;
  }
  return true;
}

/** The place behind the string that opens at a place. */
function endOfString(text: string, open: number): number {
  let close = text.indexOf('"', open + 1);
  while (isEscaped(text, close)) close = text.indexOf('"', close + 1);
  return close + 1;
}

/** Whether an odd number of backslashes stands before a place. */
function isEscaped(text: string, place: number): boolean {
  let first = place;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (place - first) % 2 === 1;
}

const restOfNumber = /[-+.0-9eE]*/y;

/** The place behind the number that has a digit at a place. Its sign does not matter. */
function endOfNumber(text: string, digit: number): number {
  restOfNumber.lastIndex = digit;
  restOfNumber.test(text);
  return restOfNumber.lastIndex;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isExact(number: string): boolean {
  // A double carries up to 15 digits exactly.
  if (number.length <= 15 && !/[eE]/.test(number)) return true;
  return decimalValue(number) === decimalValue(String(Number(number)));
}

/** Significant digits and exponent: one spelling for each decimal value. */
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
  // No double has an exponent of this length.
  if (exponent.length > 9) return literal;
  const sign = literal.startsWith('-') ? '-' : '';
  const scale = Number(`${exponentSign}${exponent || '0'}`) - fraction.length + (digits.length - end);
  return `${sign}${digits.slice(start, end)}e${scale}`;
}
