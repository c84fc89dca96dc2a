import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  byteLength,
  exceededExtent,
  forbiddenIn,
  hashedTextsOf,
  isTooDeep,
  maxBytes,
  maxValues,
  type ReplacedValue,
  readDocument,
} from '@product-passport/openapi';
import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { valueKey } from '../passports/write.ts';
import { templateKeys, templateOf } from '../templates/catalogue.ts';
import { isFacilityId, isOperatorId } from '../tenants/operator.ts';
import { isPageAddress, legalColumns } from '../tenants/store.ts';
import {
  formatName,
  formatVersion,
  type Header,
  type Line,
  maxLineBytes,
  type ProductLine,
  type Trailer,
} from './format.ts';
import { hashProblems, imageProblem } from './hashes.ts';

/** A line that was checked. */
export interface ReadLine {
  number: number;
  line: Line;
  /** Its length in bytes. */
  size: number;
}

/** Types that do not stand between the lines `tenant` and `tenant_end`. */
const outside = new Set<string>(['header', 'installation', 'token_secret', 'audit_entries', 'tenant', 'trailer']);

/** Types that only a header with `secrets` allows, and types that only a backup has. */
const secretTypes = new Set<string>(['token_secret', 'access_tokens', 'api_keys']);
const backupTypes = new Set<string>(['installation', 'audit_entries', 'scans']);

/** What was read so far. */
interface Reading {
  kind: Header['kind'];
  header?: Header;
  /** The line before is in a tenant. */
  isInside: boolean;
  tenants: number;
}

/**
 * Reads the lines of an export, and checks each of them and their order.
 *
 * @throws RefusedLine
 */
export async function* readExport(kind: Header['kind'], chunks: AsyncIterable<Buffer>): AsyncGenerator<ReadLine> {
  const reading: Reading = { kind, isInside: false, tenants: 0 };
  const digest = createHash('sha256');
  let isEnded = false;
  let last = 0;
  for await (const raw of splitLines(chunks)) {
    const { number, bytes } = raw;
    if (isEnded) throw new RefusedLine(number, 'it stands after the trailer.');
    const line = parse(raw);
    const fault = disorder(reading, number, line);
    if (fault) throw new RefusedLine(number, fault);
    if (line.type === 'trailer') {
      refuseChange(number, line, digest.digest('hex'));
      isEnded = true;
    } else digest.update(bytes).update('\n');
    yield { number, line, size: bytes.length };
    last = number;
  }
  if (isEnded) return;
  const advice = 'It was cut: copy the whole file again, or export it again.';
  throw new RefusedLine(last + 1, `the file ends here, without its trailer. ${advice}`);
}

function parse(raw: RawLine): Line {
  try {
    return checkLine(raw.number, parseLine(raw));
  } catch (error) {
    if (error instanceof RefusedLine) error.row = rowOf(raw.bytes, error.reason);
    throw error;
  }
}

function refuseChange(number: number, { lines, sha256 }: Trailer, digest: string): void {
  if (lines === number - 1 && sha256 === digest) return;
  throw new RefusedLine(number, 'the trailer does not fit the lines before it. The file was changed. Export it again.');
}

/** Why a line cannot stand after those that were read. Otherwise the line is read. */
function disorder(reading: Reading, number: number, line: Line): string | undefined {
  const { type } = line;
  if ((type === 'header') !== (number === 1)) return 'only the first line is the header.';
  if (outside.has(type) === reading.isInside) return `a line of the type ${type} cannot stand here.`;
  if (type === 'header') reading.header = line;
  if (type === 'tenant' || type === 'tenant_end') reading.isInside = type === 'tenant';
  if (type === 'tenant') reading.tenants += 1;
  return misplaced(reading, type);
}

/** Why a file of this kind cannot have a line of this type. */
function misplaced({ kind, header, tenants }: Reading, type: Line['type']): string | undefined {
  if (secretTypes.has(type) && !header?.secrets)
    return `the header has no secrets, but the line is of the type ${type}.`;
  if (header?.kind !== kind) {
    return `the file ${kind === 'tenant' ? 'is a backup of all tenants. Use `restore`' : 'has one tenant. Use `import`'}.`;
  }
  if (kind === 'all') return undefined;
  if (backupTypes.has(type)) return `only a backup has lines of the type ${type}.`;
  if (tenants > 1) return 'an export has one tenant.';
  return type === 'trailer' && tenants === 0 ? 'the file has no tenant.' : undefined;
}

const schemaFile = new URL('../../data/export.schema.json', import.meta.url);

/** Levels and nodes of a value, as the contract limits them in requests. */
const maxDepth = 32;
const maxNodes = 10_000;

type Validators = ReadonlyMap<string, ValidateFunction>;

/** By the type of a line. Kept, because reading the contract takes longer than an import of a small tenant. */
let validators: Validators | undefined;

function readValidators(): Validators {
  const schema = JSON.parse(readFileSync(schemaFile, 'utf8'));
  // The contract has keywords that JSON Schema does not define.
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  ajv.addSchema({ ...(readDocument() as object), $id: new URL('../openapi.json', schema.$id).href });
  ajv.addSchema(schema);
  const types: string[] = schema.oneOf.map(({ $ref }: { $ref: string }) => $ref.replace('#/$defs/', ''));
  return new Map(types.map((type) => [type, ajv.getSchema(`${schema.$id}#/$defs/${type}`) as ValidateFunction]));
}

/**
 * Checks the form of a line, then what the form cannot say, such as hashes.
 *
 * @throws RefusedLine
 */
function checkLine(number: number, value: unknown): Line {
  const { type } = (value ?? {}) as { type?: unknown };
  if (number === 1) refuseHeader(value);
  validators ??= readValidators();
  const validate = typeof type === 'string' ? validators.get(type) : undefined;
  if (!validate) throw new RefusedLine(number, `its type is not one of: ${[...validators.keys()].join(', ')}.`);
  if (!validate(value)) throw new RefusedLine(number, sentence(validate.errors?.[0]));
  const line = value as Line;
  if (line.type === 'product') checkProduct(number, line);
  const fault = faultOf(line);
  if (fault) throw new RefusedLine(number, `${fault}.`, { isOfHash: line.type === 'image' });
  return line;
}

const isTooLarge = (value: unknown): boolean => exceededExtent(value, maxDepth, maxNodes) !== undefined;

/** What is wrong with a line that the schema cannot describe. */
function faultOf(line: Line): string | undefined {
  if (line.type === 'image') return imageProblem(line);
  if (line.type === 'history') {
    const faults = line.items.map(({ replaced }) => faultOfReplaced(replaced.values));
    const index = faults.findIndex((fault) => fault !== undefined);
    return index < 0 ? undefined : `items.${index}.replaced ${faults[index]}`;
  }
  if (line.type !== 'tenant' || !line.pages) return undefined;
  const { logo, ...texts } = line.pages;
  const wrong = legalColumns.find((column) => !isPageAddress(texts[column] ?? 'https://passport.example'));
  if (wrong) return `pages.${wrong} is not the https address of a page`;
  const { economic_operator_id: operator, facility_id: facility } = texts;
  if (operator !== undefined && !isOperatorId(operator)) return 'pages.economic_operator_id has none of its schemes';
  if (facility !== undefined && !isFacilityId(facility)) return 'pages.facility_id has none of its schemes';
  return logo && imageProblem(logo);
}

function faultOfReplaced(values: readonly ReplacedValue[]): string | undefined {
  if (values.some(({ value }) => isTooLarge(value?.value))) {
    return `has a value with more than ${maxDepth} levels or ${maxNodes} nodes`;
  }
  // Otherwise a removed value would come back under the name of another.
  if (values.some((each) => each.value && valueKey(each.value) !== valueKey(each))) {
    return 'has a value with another field_key or locale than its own';
  }
  const isTwice = new Set(values.map(valueKey)).size < values.length;
  return isTwice ? 'has the same field_key and locale twice' : undefined;
}

/** The first line of another file is refused by what it is, not by its members. */
function refuseHeader(value: unknown): void {
  const { type, format, version } = (value ?? {}) as Partial<Record<'type' | 'format' | 'version', unknown>>;
  if (type !== 'header' || format !== formatName) {
    throw new RefusedLine(1, 'it is not the header of an export of this program.');
  }
  if (typeof version === 'number' && version > formatVersion) {
    const fault = `the file has version ${version} of the format, and this program reads versions up to ${formatVersion}`;
    throw new RefusedLine(1, `${fault}. Update this program.`);
  }
}

function checkProduct(
  number: number,
  { product, passport, version, public_hash, withheld_versions = [], confirmed = {} }: ProductLine,
): void {
  const refuse = (reason: string): never => {
    throw new RefusedLine(number, reason);
  };
  const { id, name, slug, status, completeness } = passport.product;
  const isSame = id === product.id && name === product.name && slug === product.slug && status === product.status;
  if (!isSame || completeness !== product.completeness) refuse('passport.product differs from product.');
  if (product.product_group !== null && !templateKeys.includes(product.product_group)) {
    refuse('product.product_group is not the key of a template of this program.');
  }
  const template = templateOf(product.product_group);
  if (passport.template_version > template.version) {
    const fault = `passport.template_version is newer than version ${template.version} of the template ${template.key}`;
    refuse(`${fault}. Update this program.`);
  }
  if (withheld_versions.some((withheld) => withheld >= version)) {
    refuse('withheld_versions has a version that is not older than the latest version.');
  }
  const { values, template_version, latest_version } = passport;
  if (values.length > maxValues) refuse(`passport.values has more than ${maxValues} values.`);
  values.forEach(({ value }, index) => {
    if (isTooLarge(value)) {
      refuse(`passport.values.${index}.value has more than ${maxDepth} levels or ${maxNodes} nodes.`);
    }
  });
  const fields = new Set(values.map(({ field_key }) => field_key));
  // It would confirm a value that is written later.
  if (![...(confirmed.open ?? []), ...(confirmed.own ?? [])].every((field) => fields.has(field))) {
    refuse('confirmed has a field without a value.');
  }
  const keys = new Set(values.map(valueKey));
  if (keys.size < values.length) refuse('passport.values has the same field_key and locale twice.');
  const texts = hashedTextsOf(values);
  if (byteLength(texts, Buffer.byteLength) > maxBytes)
    refuse(`passport.values has more than ${maxBytes} bytes as RFC 8785 JSON.`);
  const [problem] = hashProblems({ version, template_version, public_hash, ...latest_version }, texts);
  if (problem) throw new RefusedLine(number, `${problem}.`, { isOfHash: true });
}

/** Members that name a row. None is secret. */
const nameMembers = ['name', 'kid', 'slug', 'id', 'product_id', 'version', 'date', 'role'];

/** The row that a line was made from, or one of its rows if the reason names that one. */
function rowOf(bytes: Buffer, reason: string): string | undefined {
  let line: Record<string, unknown>;
  const text = bytes.toString();
  if (isTooDeep(text)) return undefined;
  try {
    line = Object(JSON.parse(text));
  } catch {
    return undefined;
  }
  const [, item] = /^items\.(\d+)/.exec(reason) ?? [];
  const row = item === undefined ? (line.product ?? line.tenant ?? line) : (line.items as unknown[])[Number(item)];
  const named = Object(row) as Record<string, unknown>;
  const parts = [line.type, ...nameMembers.map((name) => named[name])];
  // A name may be what is refused: too long, or not a text.
  const known = parts.filter((part) => typeof part === 'string' || typeof part === 'number');
  return known.map((part) => `${part}`.slice(0, 100)).join(' ');
}

/** Names the place. It repeats no values of the file. */
function sentence(error: ErrorObject | undefined): string {
  if (!error) return 'it does not have the form of the schema.';
  const place = error.instancePath.slice(1).replaceAll('/', '.') || 'it';
  const { additionalProperty, unevaluatedProperty, missingProperty } = error.params;
  const unknown = additionalProperty ?? unevaluatedProperty;
  if (unknown !== undefined) return `${place} has the unknown member ${JSON.stringify(String(unknown).slice(0, 100))}.`;
  if (missingProperty !== undefined) return `${place} lacks the member ${missingProperty}.`;
  const allowed = error.keyword === 'enum' ? `: ${error.params.allowedValues.join(', ')}` : '';
  return `${place} ${error.message}${allowed}.`;
}

/** A line of a file that was refused. */
export class RefusedLine extends Error {
  override readonly name = 'RefusedLine';
  readonly line: number;
  readonly reason: string;
  /** A hash does not fit what it covers: `check-hashes` finds it too. */
  readonly isOfHash: boolean;
  /** Names the row, for a person who has the database and not the line. */
  row: string | undefined;

  constructor(line: number, reason: string, { isOfHash = false } = {}) {
    super(`line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
    this.isOfHash = isOfHash;
  }
}

interface RawLine {
  /** Counts from 1. */
  number: number;
  /** Without the line end. */
  bytes: Buffer;
  /** No newline follows: the file ends with this line. */
  isOpen?: boolean;
}

const newline = 0x0a;
const carriageReturn = 0x0d;

/**
 * Splits bytes into lines. The `\r` that Windows adds to a line does not count.
 *
 * @throws RefusedLine as soon as a line is too long, so that the memory is bounded
 */
async function* splitLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<RawLine> {
  let number = 0;
  let waiting: Buffer[] = [];
  let size = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      const piece = chunk.subarray(start, end);
      number += 1;
      refuseLong(number, size + piece.length);
      const bytes = size === 0 ? piece : Buffer.concat([...waiting, piece]);
      yield { number, bytes: bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes };
      waiting = [];
      size = 0;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    waiting.push(chunk.subarray(start));
    size += chunk.length - start;
    refuseLong(number + 1, size);
  }
  if (size > 0) yield { number: number + 1, bytes: Buffer.concat(waiting), isOpen: true };
}

function refuseLong(number: number, size: number): void {
  if (size > maxLineBytes) throw new RefusedLine(number, `it has more than ${maxLineBytes} bytes.`);
}

const cutInside = 'the file ends inside this line. It was cut: copy the whole file again, or export it again.';

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** @throws RefusedLine if the bytes are not JSON in UTF-8, or a number would change */
function parseLine({ number, bytes, isOpen = false }: RawLine): unknown {
  const refuse = (fault: string): never => {
    throw new RefusedLine(number, fault);
  };
  if (isOpen) refuse(cutInside);
  let text = '';
  let value: unknown;
  try {
    text = decoder.decode(bytes);
  } catch {
    refuse('it is not valid UTF-8.');
  }
  if (isTooDeep(text)) refuse('it has too many levels.');
  try {
    value = JSON.parse(text);
  } catch {
    refuse(number === 1 ? 'it is not JSON. Name a file that `backup` or `export` wrote.' : 'it is not JSON.');
  }
  const { problem, inexactNumber } = forbiddenIn(text);
  if (problem) refuse(`it ${problem.what}.`);
  if (inexactNumber) refuse('it has a number that no double carries exactly.');
  return value;
}
