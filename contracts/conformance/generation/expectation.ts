/** What the service's description says about the response to a generated request. */
import { isRecord, type Operation } from '@product-passport/openapi';
import { describedCodes } from '../../judge/described-codes.ts';
import { namedGroups } from '../cases/products.ts';
import type { WireRequest } from '../http/exchange.ts';
import type { Judges } from '../judges.ts';
import { bodyOf, requestFindings } from '../request-faults.ts';
import { type GeneratedRequest, unknownSlug } from './requests.ts';
import { hasNoName, unknownGroup } from './values.ts';

/**
 * - `accepted`: the description leaves no reason to refuse the request.
 * - `refused`: the description names a fault of the request.
 * - `open`: the description leaves the response to the provider.
 */
export type Expectation =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'open' }
  | {
      readonly kind: 'refused';
      /** Absent: any 4xx, because the request also has faults that the description does not name. */
      readonly statuses?: readonly number[];
      /** Absent: any code. */
      readonly codes?: readonly string[];
    };

const open = { kind: 'open' } as const;

export function expectationOf(
  { secured, parameters }: Operation,
  generated: GeneratedRequest,
  request: WireRequest,
  fieldKeys: readonly string[],
  judges: Judges,
): Expectation {
  // A parser may ignore a byte order mark.
  if (!secured || bodyOf(request).text.startsWith('\ufeff')) return open;
  const values = Object.values(generated.path);
  if (values.some((value) => value !== undefined && value !== unknownSlug)) return open;
  const isUnknown = values.includes(unknownSlug);
  const named = namedFaults(request, judges);
  const places = named.map(({ where }) => where);
  const others = (['core', 'reference'] as const)
    .flatMap((profile) => requestFindings(judges[profile], request))
    .filter(({ where }) => !places.includes(where));
  const isOdd =
    others.length > 0 || hasOddBytes(request) || hasOddHeaders(generated) || hasOddQuery(generated, parameters);
  if (isOdd) return named.length > 0 || isUnknown ? { kind: 'refused' } : open;
  return expectationFor(request, named, { isUnknown, fieldKeys });
}

/** @param named the only faults of the request by the contract */
function expectationFor(
  request: WireRequest,
  named: readonly NamedFault[],
  { isUnknown, fieldKeys }: { readonly isUnknown: boolean; readonly fieldKeys: readonly string[] },
): Expectation {
  const places = named.map(({ where }) => where);
  const hasOwnLimits = !isReadAlike(request) || hasOddMembers(request, places) || hasOddElements(request, fieldKeys);
  if (named.length === 0 && !isUnknown) return hasOwnLimits ? open : { kind: 'accepted' };
  // A provider may have limits that the description does not name, and look at them first.
  if (hasOwnLimits) return { kind: 'refused' };
  if (named.length === 0) return { kind: 'refused', statuses: [404], codes: ['not_found'] };
  if (isUnknown) return { kind: 'refused', statuses: [400, 404] };
  const codes = named.flatMap(({ code }) => code ?? []);
  return { kind: 'refused', statuses: [400], ...(codes.length === named.length ? { codes } : {}) };
}

interface NamedFault {
  readonly where: string;
  readonly code: string | undefined;
}

/** Faults whose refusal the description names. A GTIN of a wrong length has no code there. */
function namedFaults(request: WireRequest, { core }: Judges): NamedFault[] {
  const { json } = bodyOf(request);
  const found = requestFindings(core, request).filter(({ where, code }) => {
    if (where === 'body/gtin') return /^[0-9]+$/.test(String(isRecord(json) ? json.gtin : ''));
    return code !== undefined && describedCodes.includes(code);
  });
  if (request.method !== 'POST') return found;
  const group: NamedFault[] =
    isRecord(json) && json.product_group === unknownGroup
      ? [{ where: 'body/product_group', code: 'unknown_product_group' }]
      : [];
  const nothing: NamedFault[] = found.length === 0 && hasNoName(json) ? [{ where: 'body', code: undefined }] : [];
  return [...found, ...group, ...nothing];
}

/**
 * Whether every parser finds the same fault. Some take no body for an empty value, and some call a lone surrogate, or a
 * number beyond the range of a double, invalid JSON.
 */
function isReadAlike(request: WireRequest): boolean {
  if (request.body === undefined) return true;
  const { text, json } = bodyOf(request);
  return text !== '' && isPlainJson(json);
}

/** Whether its texts are well-formed Unicode, and its numbers finite. */
export function isPlainJson(json: unknown): boolean {
  if (typeof json === 'string') return json.isWellFormed();
  if (typeof json === 'number') return Number.isFinite(json);
  if (typeof json !== 'object' || json === null) return true;
  return Object.entries(json).every(([name, value]) => name.isWellFormed() && isPlainJson(value));
}

/** Parsers differ in what they make of these bytes. */
function hasOddBytes(request: WireRequest): boolean {
  const { text, isUtf8 } = bodyOf(request);
  return !isUtf8 || text.includes('\0');
}

const plainHeaders: Readonly<Record<string, readonly string[]>> = {
  accept: ['application/json', '*/*'],
  'accept-language': ['de', '*'],
  'x-request-id': ['verify'],
  cookie: ['a=b'],
  'content-type': ['application/json; charset=utf-8'],
};

function hasOddHeaders({ headers }: GeneratedRequest): boolean {
  return Object.entries(headers).some(([name, value]) => !plainHeaders[name]?.includes(value));
}

/** The description leaves unknown, repeated and malformed parameters open, and numbers outside the bounds. */
function hasOddQuery({ query }: GeneratedRequest, parameters: Operation['parameters']): boolean {
  const names = query.map((pair) => pair.split('=', 1)[0]);
  if (new Set(names).size < names.length) return true;
  return query.some((pair) => {
    const [name, value = ''] = pair.split(/=(.*)/s);
    const schema = parameters.find((parameter) => parameter.name === name)?.schema;
    if (schema === undefined) return true;
    if (schema.type !== 'integer') return isOddText(value);
    const bounds = schema['x-clamp'];
    const number = /^(0|[1-9][0-9]{0,8})$/.test(value) ? Number(value) : Number.NaN;
    return !(number >= (bounds?.minimum ?? 0) && number <= (bounds?.maximum ?? Number.POSITIVE_INFINITY));
  });
}

function isOddText(encoded: string): boolean {
  try {
    const text = decodeURIComponent(encoded);
    return text === '' || text.length > 200 || !text.isWellFormed() || /\p{Cc}/u.test(text);
  } catch {
    return true;
  }
}

/** A body that is not an object is a fault whose code the description does not name. */
function hasOddMembers({ method, body }: WireRequest, places: readonly string[]): boolean {
  const { json } = bodyOf({ body });
  if (method !== 'POST' || json === undefined) return false;
  if (!isRecord(json)) return true;
  return Object.entries(json).some(([name, value]) => !places.includes(`body/${name}`) && !isPlainMember(name, value));
}

const plainText = /^[\p{L}\p{N}][\p{L}\p{N} ]{0,59}$/u;

/** Whether every provider accepts the member in a creation. Some check the last digit of a GTIN. */
function isPlainMember(name: string, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  if (name === 'product_group') return namedGroups.includes(value);
  if (name === 'slug') return /^[a-z][a-z0-9]{0,39}$/.test(value);
  return (name === 'name' || name === 'model') && plainText.test(value);
}

const ordinaryLength = 1000;
const ownMembers = ['field_key', 'value', 'unit', 'source', 'access_level', 'is_unknown', 'needs_review'];

/** Elements that a provider may refuse although the description does not say so: long, repeated, or of other fields. */
function hasOddElements(request: WireRequest, fieldKeys: readonly string[]): boolean {
  const { json } = bodyOf(request);
  if (!Array.isArray(json)) return false;
  const keys = json.flatMap((element) => (isRecord(element) && 'field_key' in element ? [element.field_key] : []));
  return new Set(keys).size < keys.length || json.some((element) => isOddElement(element, fieldKeys));
}

/** A missing key is a fault that the description names. */
function isOddElement(element: unknown, fieldKeys: readonly string[]): boolean {
  if (!isRecord(element)) return true;
  const { field_key = fieldKeys[0], value, unit } = element;
  const isText = typeof value === 'string' && value.length <= ordinaryLength && !/\p{Cc}/u.test(value);
  const isPlain = isText || typeof value === 'number' || typeof value === 'boolean';
  const isPlainUnit = unit === undefined || (typeof unit === 'string' && /^\p{L}{1,20}$/u.test(unit));
  const hasOther = Object.keys(element).some((name) => !ownMembers.includes(name));
  return !isPlain || !isPlainUnit || hasOther || !fieldKeys.some((key) => key === field_key);
}
