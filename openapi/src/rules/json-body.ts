import { ContractError } from './errors.ts';
import type { Work } from './slices.ts';
import { type BodyShape, place, type Violation } from './validation.ts';

const jsonType = /^application\/json[\t ]*(?:;[\t ]*charset[\t ]*=[\t ]*"?utf-8"?[\t ]*)?(?:;[\t ]*)?$/i;

/** Tokens that are read without a pause. */
const tokensAtOnce = 250;

/**
 * Parses a JSON body. Of a body with too many nodes, only the syntax and the outer type are read.
 *
 * @param shape leaves other members out, without making them, if they are many. Default: everything is read
 * @returns the value, and a violation for each content that no body may have: too many nodes, a member named `__proto__`,
 *   U+0000 or a lone surrogate in a string, a number that a double does not carry exactly
 * @throws ContractError `unsupported_media_type` for another media type or a content encoding, `invalid_json` if the
 *   bytes are empty or not JSON in UTF-8
 */
export function* readJson(
  bytes: Uint8Array,
  headers: { readonly 'content-type'?: string | undefined; readonly 'content-encoding'?: string | undefined },
  shape?: BodyShape,
): Work<{ body: unknown; violations: Violation[] }> {
  if (bytes.length === 0) throw new ContractError('invalid_json', 'The request body is empty: send JSON.');
  const encoding = headers['content-encoding'];
  if (
    !jsonType.test(headers['content-type'] ?? '') ||
    (encoding !== undefined && encoding.toLowerCase() !== 'identity')
  ) {
    throw new ContractError('unsupported_media_type');
  }
  const text = decoded(bytes);
  const scan = new JsonScan(text, shape);
  while (!scan.read(tokensAtOnce)) yield;
  const violation = (message: string, whole = false): Violation => ({ code: 'invalid_request', message, whole });
  if (shape && scan.nodes > shape.maxNodes) {
    const message = `The body must have at most ${shape.maxNodes} nodes.`;
    return { body: scan.isArray ? [] : {}, violations: [violation(message, true)] };
  }
  const violations: Violation[] = [];
  if (scan.problem) violations.push(violation(`${place(scan.problem.path)} ${scan.problem.what}.`));
  if (scan.inexactNumber)
    violations.push(violation(`${place(scan.inexactNumber)} has a number with too many digits: send it as a string.`));
  return { body: scan.hasParts ? yield* bodyOf(text, scan) : JSON.parse(text), violations };
}

/** Makes a body from its parts, each in a step of its own. */
function* bodyOf(text: string, { parts, isArray, elements }: JsonScan): Work<unknown> {
  const objects: unknown[] = Array.from({ length: isArray ? elements : 1 }, () => ({}));
  for (const { element, name, start, end, nodes, most } of parts) {
    // Too many nodes take long to make, and are refused like these.
    const value: unknown = nodes > most ? Array(most).fill(null) : JSON.parse(text.slice(start, end));
    if (name === undefined) objects[element] = value;
    else (objects[element] as Record<string, unknown>)[name] = value;
    yield;
  }
  return isArray ? objects : objects[0];
}

let decoder: TextDecoder | undefined;

function decoded(bytes: Uint8Array): string {
  // Not when the module loads: the SDK's fake client loads it too, in runtimes without a TextDecoder.
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    throw new ContractError('invalid_json', 'The request body is not valid UTF-8.');
  }
}

const code = {
  tab: 0x09,
  lineFeed: 0x0a,
  carriageReturn: 0x0d,
  space: 0x20,
  quote: 0x22,
  comma: 0x2c,
  colon: 0x3a,
  openBracket: 0x5b,
  backslash: 0x5c,
  closeBracket: 0x5d,
  f: 0x66,
  n: 0x6e,
  t: 0x74,
  u: 0x75,
  openBrace: 0x7b,
  closeBrace: 0x7d,
} as const;

/** More characters than any name of the contract has. */
const longestName = 64;
const quotedProto = '"__proto__"';

/** A number that a double of up to 15 digits may carry exactly. */
const shortNumber = /-?(?:0|[1-9][0-9]{0,13})(?:\.[0-9]{1,13})?(?![0-9.eE])/y;
const mostExactLength = 15;
const numberForm = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?/y;
const simpleEscape = /^["\\/bfnrt]$/;
const hexadecimal = /^[0-9a-fA-F]{4}$/;

/** An element with at most as many nodes is parsed at once, with the members that the contract does not read. */
const fewNodes = 50;

/** The text of a value that the contract reads: an element, or a member of an object with many nodes. */
interface Part {
  element: number;
  /** Absent for an element. */
  name: string | undefined;
  /** The number of levels around it. */
  depth: number;
  start: number;
  end: number;
  nodes: number;
  /** The most nodes that it may have. */
  most: number;
}

/**
 * Reads JSON without making its value, token by token: it checks the syntax, counts the nodes, and finds what no JSON of
 * a client may have. It does not recurse, because the text may have any depth.
 */
export class JsonScan {
  readonly #text: string;
  #at = 0;
  #expected: 'value' | 'value or end' | 'key' | 'key or end' | 'end of value' = 'value';
  /** Whether each open level is an array. */
  readonly #levels: boolean[] = [];
  /** The number of the element, if the text is an array. */
  #element = 0;
  /** The member whose value comes next, if it is one of the shape. */
  #name: string | undefined;
  /** The part that is not read to its end. */
  #part: Part | undefined;
  /** The start of the last element that is an object, with the numbers of nodes and parts before it. */
  #object = { start: 0, nodes: 0, parts: 0 };
  readonly #shape: BodyShape | undefined;
  readonly parts: Part[] = [];
  nodes = 0;
  #isOpened = false;
  /** Whether the whole text is an array. */
  isArray = false;
  /** Where the first number is that a double does not carry exactly. The path has names of the contract alone. */
  inexactNumber: readonly (number | string)[] | undefined;
  /**
   * The first content that no JSON may have: a member named `__proto__`, U+0000 or a lone surrogate. The path names only
   * the top level: a deeper one would repeat the client's own words.
   */
  problem: { path: readonly number[]; what: string } | undefined;

  /** Reads a whole text. @throws ContractError `invalid_json` */
  static of(text: string): JsonScan {
    const scan = new JsonScan(text);
    scan.read(Number.POSITIVE_INFINITY);
    return scan;
  }

  constructor(text: string, shape?: BodyShape) {
    this.#text = text;
    this.#shape = shape;
  }

  /** Whether the text is the array or the object of the shape. */
  get hasParts(): boolean {
    return this.#shape !== undefined && this.#isOpened && this.#shape.isArray === this.isArray;
  }

  /** The number of elements, if the text is an array. */
  get elements(): number {
    return this.nodes > 1 ? this.#element + 1 : 0;
  }

  /** Reads tokens. Returns whether the text has ended. @throws ContractError `invalid_json` */
  read(tokens: number): boolean {
    for (let left = tokens; left > 0; left -= 1) {
      const next = this.#skipSpace();
      if (this.#expected === 'end of value' && this.#levels.length === 0) {
        if (this.#at < this.#text.length) this.#fail();
        return true;
      }
      this.#token(next);
    }
    return false;
  }

  #token(next: number): void {
    if (this.#expected === 'end of value') this.#afterValue(next);
    else if (next === code.closeBracket && this.#expected === 'value or end') this.#close();
    else if (next === code.closeBrace && this.#expected === 'key or end') this.#close();
    else if (this.#expected === 'key' || this.#expected === 'key or end') this.#key(next);
    else this.#value(next);
  }

  /** Skips white space. Returns the code of the next character, or NaN at the end. */
  #skipSpace(): number {
    for (;;) {
      const next = this.#text.charCodeAt(this.#at);
      const { space, tab, lineFeed, carriageReturn } = code;
      if (next !== space && next !== lineFeed && next !== carriageReturn && next !== tab) return next;
      this.#at += 1;
    }
  }

  #value(next: number): void {
    if (this.hasParts) this.#beginPart(next);
    this.nodes += 1;
    if (next === code.openBracket || next === code.openBrace) this.#open(next === code.openBracket);
    else {
      if (next === code.quote) this.#string();
      else if (next === code.t) this.#literal('true');
      else if (next === code.f) this.#literal('false');
      else if (next === code.n) this.#literal('null');
      else this.#number();
      this.#endValue();
    }
  }

  #beginPart(next: number): void {
    const depth = this.#levels.length;
    const isElement = this.isArray && depth === 1;
    if (isElement && next === code.openBrace) {
      this.#object = { start: this.#at, nodes: this.nodes, parts: this.parts.length };
      return;
    }
    if (!isElement && this.#name === undefined) return;
    const most = this.#shape?.members.get(this.#name ?? '') ?? 1;
    const [start, nodes] = [this.#at, -this.nodes];
    this.#part = { element: this.#element, name: this.#name, depth, start, end: start, nodes, most: most + 1 };
    this.#name = undefined;
  }

  #endValue(): void {
    this.#expected = 'end of value';
    const part = this.#part;
    if (part?.depth !== this.#levels.length) return;
    part.end = this.#at;
    part.nodes += this.nodes;
    this.parts.push(part);
    this.#part = undefined;
  }

  #open(isArray: boolean): void {
    if (!this.#isOpened) this.isArray = isArray;
    this.#isOpened = true;
    this.#levels.push(isArray);
    this.#expected = isArray ? 'value or end' : 'key or end';
    this.#at += 1;
  }

  #close(): void {
    const isObject = this.#levels.pop() === false;
    this.#at += 1;
    if (isObject && this.isArray && this.#levels.length === 1) this.#joinParts();
    this.#endValue();
  }

  /** Replaces the members of a small element by the whole element. */
  #joinParts(): void {
    const { start, nodes, parts } = this.#object;
    if (!this.hasParts || this.nodes - nodes > fewNodes) return;
    this.parts.length = parts;
    this.parts.push({ element: this.#element, name: undefined, depth: 1, start, end: this.#at, nodes: 1, most: 1 });
  }

  #afterValue(next: number): void {
    const isArray = this.#levels.at(-1) === true;
    if (next === (isArray ? code.closeBracket : code.closeBrace)) {
      this.#close();
      return;
    }
    if (next !== code.comma) this.#fail();
    if (isArray && this.#levels.length === 1) this.#element += 1;
    this.#expected = isArray ? 'value' : 'key';
    this.#at += 1;
  }

  #key(next: number): void {
    if (next !== code.quote) this.#fail();
    const open = this.#at;
    const hasEscape = this.#string();
    const isMember = this.hasParts && this.#levels.length === (this.isArray ? 2 : 1);
    const length = this.#at - open;
    if (hasEscape || length === quotedProto.length || (isMember && length <= longestName)) {
      const name: string = hasEscape
        ? JSON.parse(this.#text.slice(open, this.#at))
        : this.#text.slice(open + 1, this.#at - 1);
      if (name === '__proto__') this.#report('has a member named __proto__, which is not allowed');
      if (isMember && this.#shape?.members.has(name)) this.#name = name;
    }
    if (this.#skipSpace() !== code.colon) this.#fail();
    this.#at += 1;
    this.#expected = 'value';
  }

  /** Reads a string. Returns whether it has an escape. */
  #string(): boolean {
    const text = this.#text;
    let hasEscape = false;
    let at = this.#at + 1;
    for (let next = text.charCodeAt(at); next !== code.quote; next = text.charCodeAt(at)) {
      if (next === code.backslash) {
        hasEscape = true;
        at = this.#escape(at);
      } else if (next >= code.space) at += 1;
      // A control character, or the end of the text.
      else this.#fail(at);
    }
    this.#at = at + 1;
    return hasEscape;
  }

  /** Reads the escape at a place. Returns the place behind it, or behind the second half of its surrogate pair. */
  #escape(at: number): number {
    const text = this.#text;
    if (text.charCodeAt(at + 1) !== code.u) {
      if (!simpleEscape.test(text.charAt(at + 1))) this.#fail(at);
      return at + 2;
    }
    const unit = this.#unit(at);
    const isHigh = unit >= 0xd800 && unit < 0xdc00;
    if (isHigh && text.startsWith('\\u', at + 6) && isLow(this.#unit(at + 6))) return at + 12;
    if (unit === 0 || isHigh || isLow(unit))
      this.#report('has U+0000 or a lone surrogate in a string, which is not allowed');
    return at + 6;
  }

  /** The code unit of the escape `\uXXXX` at a place. */
  #unit(at: number): number {
    const digits = this.#text.slice(at + 2, at + 6);
    if (!hexadecimal.test(digits)) this.#fail(at);
    return Number.parseInt(digits, 16);
  }

  #literal(literal: string): void {
    if (!this.#text.startsWith(literal, this.#at)) this.#fail();
    this.#at += literal.length;
  }

  #number(): void {
    shortNumber.lastIndex = this.#at;
    if (shortNumber.test(this.#text) && shortNumber.lastIndex - this.#at <= mostExactLength) {
      this.#at = shortNumber.lastIndex;
      return;
    }
    numberForm.lastIndex = this.#at;
    if (!numberForm.test(this.#text)) this.#fail();
    const end = numberForm.lastIndex;
    // One is enough, and each costs time.
    if (!this.inexactNumber && !isExact(this.#text.slice(this.#at, end))) this.inexactNumber = this.#path();
    this.#at = end;
  }

  #report(what: string): void {
    this.problem ??= { path: this.isArray ? [this.#element] : [], what };
  }

  /** The element and the member that the text is at. */
  #path(): (number | string)[] {
    return [...(this.isArray ? [this.#element] : []), ...(this.#part?.name === undefined ? [] : [this.#part.name])];
  }

  /** @param at the first character that cannot follow */
  #fail(at = this.#at): never {
    const before = this.#text.slice(0, at);
    const line = before.split('\n').length;
    const column = at - before.lastIndexOf('\n');
    throw new ContractError('invalid_json', `The request body is not valid JSON at line ${line}, column ${column}.`);
  }
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit < 0xe000;
}

function isExact(number: string): boolean {
  // A double carries up to 15 digits exactly.
  if (number.length <= mostExactLength && !/[eE]/.test(number)) return true;
  return decimalValue(number) === decimalValue(String(Number(number)));
}

/** Significant digits and exponent: one spelling for each decimal value. */
function decimalValue(literal: string): string {
  const match = /^-?([0-9]+)(?:\.([0-9]+))?(?:[eE]([-+]?[0-9]+))?$/.exec(literal);
  if (!match) return literal;
  const [, whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  let start = 0;
  let end = digits.length;
  while (start < end && digits[start] === '0') start += 1;
  while (end > start && digits[end - 1] === '0') end -= 1;
  if (start === end) return '0';
  const sign = literal.startsWith('-') ? '-' : '';
  const scale = Number(exponent) - fraction.length + (digits.length - end);
  return `${sign}${digits.slice(start, end)}e${scale}`;
}
