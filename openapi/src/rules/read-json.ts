import { ContractError, type Path, place, type Violation } from './errors.ts';

/** Content of JSON that no body may have. A path names an element, and a member if the contract has its name. */
interface ForbiddenContent {
  /** The first member `__proto__`, U+0000 or lone surrogate. */
  problem?: { readonly path: Path; readonly what: string };
  /** The path of the first number that a double does not carry exactly. */
  inexactNumber?: Path;
}

/**
 * Parses JSON in UTF-8.
 *
 * @param limits.members names that a message may contain
 * @param limits.maxNodes with more nodes a body is not parsed: the value is an empty one of its type
 * @throws ContractError `invalid_json`
 */
export function readJson(
  bytes: Uint8Array,
  {
    members,
    maxNodes = Number.POSITIVE_INFINITY,
  }: { members?: ReadonlySet<string>; maxNodes?: number | undefined } = {},
): { value: unknown; violations: Violation[] } {
  const text = textOf(bytes);
  const [start] = /[^ \t\n\r]/.exec(text) ?? [];
  if ((start === '[' || start === '{') && countNodes(text) > maxNodes) {
    const violations = [invalid([], `must have at most ${maxNodes} nodes`, true)];
    return { value: start === '[' ? [] : {}, violations };
  }
  const value = parsed(text);
  const { problem, inexactNumber } = forbiddenIn(text, members);
  const violations: Violation[] = [];
  if (problem) violations.push(invalid(problem.path, problem.what));
  if (inexactNumber) violations.push(invalid(inexactNumber, 'has a number with too many digits: send it as a string'));
  return { value, violations };
}

function invalid(path: Path, what: string, isWhole = false): Violation {
  return { code: 'invalid_request', message: `${place(path)} ${what}.`, isWhole };
}

let decoder: TextDecoder | undefined;

function textOf(bytes: Uint8Array): string {
  // Not when the module loads: Jest's jsdom has no TextDecoder.
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ContractError('invalid_json', 'The request body is not valid UTF-8.');
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ContractError('invalid_json', `The request body is not valid JSON${syntaxErrorPlace(error)}.`);
  }
}

/** ` at line 1, column 2` if the engine names the place. Nothing else of its message is safe: it quotes the input. */
export function syntaxErrorPlace(error: unknown): string {
  const [, line, column] = /\bline (\d+) column (\d+)(?:\)| of the JSON data)$/.exec((error as Error).message) ?? [];
  return line === undefined ? '' : ` at line ${line}, column ${column}`;
}

/**
 * The number of nodes in JSON: every array, object and scalar is one. It counts commas and brackets outside of strings,
 * because parsing takes much longer. The number is exact if the text is valid JSON.
 */
function countNodes(text: string): number {
  let nodes = 1;
  let before = '';
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') at = endOfString(text, at);
    else if (char === ',' || char === '[' || char === '{') nodes += 1;
    // An empty array or object has no node inside.
    else if ((char === ']' && before === '[') || (char === '}' && before === '{')) nodes -= 1;
    if (char > ' ') before = char;
  }
  return nodes;
}

/** More levels than any document of the kit has. `JSON.parse` takes 45 bytes of memory for each level of a text. */
const maxLevels = 1000;

/** Whether JSON has so many levels that it is not worth parsing. It counts brackets outside of strings. */
export function isTooDeep(text: string): boolean {
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') at = endOfString(text, at);
    else level += levels[char] ?? 0;
    if (level > maxLevels) return true;
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return at;
}

/** A text without a match has no forbidden content. Most bodies have none, and are not read token by token. */
const suspicious = /__proto__|\\u(?:0000|00[567]|[dD][89a-fA-F])|\d[\d.]{15}|\d[eE]/;

const tokens = /("(?:[^"\\]|\\.)*")(\s*:)?|-?\d[-+.\deE]*|[[\]{},]/g;
const levels: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 };

/**
 * The strings, with their quotes, numbers, brackets and commas of a text. Each has its element of the body, if that is an array,
 * and the member of the body or of the element, if the contract has its name: another one would repeat the client's words.
 *
 * @param text valid JSON
 */
function* tokensIn(text: string, members: ReadonlySet<string>) {
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

/** A name that an object has twice: `JSON.parse` keeps the last of its values. @param text valid JSON */
export function doubledName(text: string): string | undefined {
  const open: Set<string>[] = [];
  for (const [token, string, colon] of text.matchAll(tokens)) {
    const level = levels[token] ?? 0;
    if (level > 0) open.push(new Set());
    else if (level < 0) open.pop();
    else if (string && colon !== undefined) {
      const [name, names] = [JSON.parse(string), open.at(-1)];
      if (names?.size === names?.add(name).size) return name;
    }
  }
  return undefined;
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
