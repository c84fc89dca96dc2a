import { ContractError } from './errors.ts';
import { place } from './joi-schema.ts';

/** What valid JSON has, and no body may have. A path names an element, and a member if the contract has its name. */
interface ForbiddenContent {
  /** The first member `__proto__`, U+0000 or lone surrogate. */
  problem?: { readonly path: readonly number[]; readonly what: string };
  /** The path of the first number that a double does not carry exactly. */
  inexactNumber?: readonly (string | number)[];
}

let decoder: TextDecoder | undefined;

/**
 * Parses JSON in UTF-8. Returns the value, and a sentence for each content that no body may have.
 *
 * @param members names that a sentence may contain
 * @throws ContractError `invalid_json`
 */
export function readJson(
  bytes: Uint8Array,
  members: ReadonlySet<string> = new Set(),
): { value: unknown; faults: string[] } {
  // Not when the module loads: Jest's jsdom has no TextDecoder.
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  let text: string;
  let value: unknown;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new ContractError('invalid_json', 'The request body is not valid UTF-8.');
  }
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new ContractError('invalid_json', `The request body is not valid JSON${syntaxErrorPlace(error)}.`);
  }
  const { problem, inexactNumber } = forbiddenIn(text, members);
  const faults: string[] = [];
  if (problem) faults.push(`${place(problem.path)} ${problem.what}.`);
  if (inexactNumber) faults.push(`${place(inexactNumber)} has a number with too many digits: send it as a string.`);
  return { value, faults };
}

/** ` at line 1, column 2` if the engine names the place. Nothing else of its message is safe: it quotes the input. */
export function syntaxErrorPlace(error: unknown): string {
  const [, line, column] = /\bline (\d+) column (\d+)(?:\)| of the JSON data)$/.exec((error as Error).message) ?? [];
  return line === undefined ? '' : ` at line ${line}, column ${column}`;
}

/**
 * The number of nodes in JSON: every array, object and scalar is one. It counts commas and brackets outside of strings,
 * because parsing takes much longer. The number is exact if the bytes are valid JSON.
 */
export function countNodes(bytes: Uint8Array): number {
  let nodes = 1;
  let isOpened = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (byte === ascii.quote) at = endOfString(bytes, at);
    else if (byte === ascii.comma || byte === ascii.openBracket || byte === ascii.openBrace) nodes += 1;
    // An empty array or object has no node inside.
    else if (isOpened && (byte === ascii.closeBracket || byte === ascii.closeBrace)) nodes -= 1;
    if (byte > ascii.space) isOpened = byte === ascii.openBracket || byte === ascii.openBrace;
  }
  return nodes;
}

const ascii = {
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  openBrace: 0x7b,
  closeBrace: 0x7d,
};

function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== ascii.quote) at += bytes[at] === ascii.backslash ? 2 : 1;
  return at;
}

/** A text without a match has no forbidden content. Most bodies have none, and are not read token by token. */
const suspicious = /__proto__|\\u(?:0000|00[567]|[dD][89a-fA-F])|\d[\d.]{15}|\d[eE]/;

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[-+.\deE]*|[[\]{},]/g;
const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

interface Token {
  /** A string with its quotes, a number, a bracket or a comma. */
  readonly text: string;
  readonly isName: boolean;
  /** The element of the body, if it is an array. */
  readonly at: readonly number[];
  /** The member of the body or of the element, if the contract has its name: another one would repeat the client's words. */
  readonly member: readonly string[];
}

/** @param text valid JSON */
function* tokensIn(text: string, members: ReadonlySet<string>): Generator<Token> {
  const isArray = /^\s*\[/.test(text);
  let depth = 0;
  let at: readonly number[] = isArray ? [0] : [];
  let member: readonly string[] = [];
  for (const [token, string, colon] of text.matchAll(tokens)) {
    depth += levels[token] ?? 0;
    const isName = colon !== undefined;
    if (token === ',' && depth === at.length) {
      at = at.map((index) => index + 1);
      member = [];
    } else if (string && isName && depth === at.length + 1) {
      member = [JSON.parse(string)].filter((name) => members.has(name));
    }
    yield { text: string ?? token, isName, at, member };
  }
}

/** @param text valid JSON */
export function forbiddenIn(text: string, members: ReadonlySet<string> = new Set()): ForbiddenContent {
  const found: ForbiddenContent = {};
  if (!suspicious.test(text)) return found;
  for (const token of tokensIn(text, members)) {
    if (token.text.startsWith('"')) {
      const what = faultOfString(JSON.parse(token.text), token.isName);
      if (what !== undefined) found.problem ??= { path: token.at, what };
    } else if (!found.inexactNumber && !isExact(token.text)) {
      found.inexactNumber = [...token.at, ...token.member];
    }
  }
  return found;
}

function faultOfString(string: string, isName: boolean): string | undefined {
  if (isName && string === '__proto__') return 'has a member named __proto__, which is not allowed';
  if (!/\0|\p{Surrogate}/u.test(string)) return undefined;
  return 'has U+0000 or a lone surrogate in a string, which is not allowed';
}

function isExact(number: string): boolean {
  // A double carries up to 15 digits exactly.
  if (number.length <= 15 && !/[eE]/.test(number)) return true;
  return decimalValue(number) === decimalValue(String(Number(number)));
}

/** Significant digits and exponent: one spelling for each decimal value. */
function decimalValue(literal: string): string {
  const match = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/.exec(literal);
  if (!match) return literal;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = (whole + fraction).replace(/^0+/, '');
  let end = digits.length;
  // Not `/0+$/`, whose time grows with the square of the digits.
  while (digits[end - 1] === '0') end -= 1;
  if (end === 0) return '0';
  const sign = literal.startsWith('-') ? '-' : '';
  return `${sign}${digits.slice(0, end)}e${Number(exponent) - fraction.length + digits.length - end}`;
}
