/** Mistakes when passport values are written and read, with their members, and with the versions of a passport. */

import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { Passport, PassportValue, PassportWriteResult } from '@product-passport/sdk';
import { at, type Call, type Element, jsonOf } from '../call.ts';
import {
  asks,
  type Change,
  each,
  eachWritten,
  elements,
  instead,
  kept,
  members,
  notes,
  remembers,
  responds,
  written,
} from '../change.ts';
import { type WrongProvider, wrong } from '../row.ts';
import { countsWrites } from './products.ts';

const refused = 'the faulty request must get 400';

/** The stored values of the passport that a request writes. `undefined` if it cannot be read. */
export async function storedValues(call: Call): Promise<readonly PassportValue[] | undefined> {
  return Object(await jsonOf(await call.get(call.url).send())).values;
}

const has = (values: readonly Element[], one: Element | null): boolean =>
  values.some(({ field_key }) => field_key === one?.field_key);

/** A write stores other elements, which depend on the stored values. */
function writesOver(
  change: (elements: readonly Element[], stored: readonly PassportValue[]) => readonly Element[],
): Change {
  return asks(at.write, async (call) => {
    const body = await call.json();
    const stored = await storedValues(call);
    return Array.isArray(body) && stored ? call.withJson(change(body, stored)) : undefined;
  });
}

/** A write also stores the other fields that it read before, with a change. */
function storesOthers(change: (values: readonly PassportValue[]) => readonly Element[]): Change {
  return writesOver((body, stored) => [...change(stored.filter((one) => !has(body, one))), ...body]);
}

export const passports: readonly WrongProvider[] = [
  wrong('write-replaces-all', 'A write replaces the whole passport.')
    .failsIn('PASS-1.update', 'the number of values with the key')
    .remembers<Set<unknown>>((named) => [
      notes(at.write, async (call) => {
        const keys = (await call.elements()).map((one) => one?.field_key);
        if (keys.length > 0) named.set(call.path, new Set(keys));
      }),
      elements(at.passport, 'values', (values, { path }) =>
        values.filter(({ field_key }) => named.get(path)?.has(field_key) ?? true),
      ),
    ]),
  wrong('existing-field-kept', 'A write skips fields that exist, as INSERT … ON CONFLICT DO NOTHING does.')
    .failsIn('PASS-1.update', 'the value of')
    .does(writesOver((body, stored) => body.filter((one) => !has(stored, one)))),
  wrong('existing-field-doubled', 'A write adds a row for a field that exists.')
    .failsIn('PASS-1.update', 'the number of values with the key')
    .elements(at.passport, 'values', (values) => [...values, ...values]),
  wrong('other-units-lost', 'A write removes the units of the fields that it does not name.')
    .failsIn('PASS-1.update', 'the untouched field')
    .does(storesOthers((values) => values.map((one) => ({ ...one, unit: null })))),
  wrong('new-field-dropped', 'A write updates fields only, and drops those that are new.')
    .failsIn('PASS-1.create', 'the values of the passport')
    .instead(at.write, async (call) => {
      const [element, ...more] = await call.elements();
      const stored = (await storedValues(call)) ?? [];
      if (element?.field_key === undefined || more.length > 0 || stored.length === 0) return undefined;
      return has(stored, element) ? undefined : Response.json({ updated: 1, completeness: 0 });
    }),
  wrong('write-to-all-products', 'The update has no condition on the product.')
    .failsIn('PASS-1.own-product', 'the value of the other product')
    .remembers((last) => [
      notes(at.write, async (call) => {
        for (const element of await call.elements()) last.set(element?.field_key, element?.value);
      }),
      each(at.passport, 'values', ({ field_key, value }) => ({ value: last.get(field_key) ?? value })),
    ]),
  wrong('updated-is-1', 'updated is the number of statements instead of the number of fields.')
    .failsIn('PASS-1.updated', 'updated must be 2, is 1')
    .members(at.write, ({ updated }) => ({ updated: Math.min(1, updated) })),
  wrong('updated-counts-all', 'updated is the number of values that the passport has.')
    .failsIn('PASS-1.updated', 'updated for one of two values must be 1, is 2')
    .membersWith<PassportWriteResult, Passport>(
      at.write,
      (call) => call.get(call.url),
      (_, { values }) => ({ updated: values.length }),
    ),
  wrong('updated-never-0', 'updated is at least 1.')
    .failsIn('PASS-1.nothing', 'the result must be')
    .members(at.write, ({ updated }) => ({ updated: Math.max(1, updated) })),
  wrong('last-element-only', 'A write drops the first of two elements with one key.')
    .failsIn('PASS-1.twice', 'the value, with unit and level of the first element')
    .written((elements) => [...new Map(elements.map((one) => [one?.field_key, one])).values()]),
  wrong('findings-never', 'A write says that every value fits.')
    .failsIn('PASS-1.findings', 'after the write of a misspelt key must be "1", is "0"')
    .header(at.write, 'passport-findings', (own) => own && '0'),
  wrong('write-back-refused', 'A write refuses the members that only a read has.')
    .failsIn('PASS-1.write-back', 'the status of the write must be 200, is 400')
    .refuses(at.write, 400, 'invalid_request', async (call) => (await call.text()).includes('"updated_at"')),
  wrong('keys-in-language-order', 'The database sorts the keys by the rules of a language.')
    .failsIn('PASS-1.order', 'the keys must be')
    .elements(at.passport, 'values', (values) =>
      values.toSorted((one, other) => one.field_key.localeCompare(other.field_key, 'en')),
    ),
  wrong('review-lost', 'The service does not store needs_review.')
    .failsIn('PASS-4.absent-needs-review', 'needs_review before must be true, is false')
    .each(at.passport, 'values', () => ({ needs_review: false })),
  wrong('completeness-of-before', 'A write returns another completeness than a read.')
    .failsIn('PASS-1.completeness', 'completeness of the passport must be')
    .members(at.write, ({ completeness }) => ({ completeness: completeness + 1 })),
  wrong('list-without-completeness', 'The list shows 0 as completeness, because its query does not read the passports.')
    .failsIn('PASS-1.completeness-listed', 'in the list must be')
    .each(at.list, 'items', () => ({ completeness: 0 })),
  wrong('passport-of-other-product', 'The passport shows the slug in place of the name.')
    .failsIn('PASS-1.product', 'product must be')
    .members(at.passport, ({ product }) => ({ product: { ...product, name: product.slug } })),
  wrong('object-accepted', 'A single value is accepted in place of an array.')
    .failsIn('PASS-2.body-object', `${refused}, gets 200`)
    .readsJson(at.write, (body: unknown) => (Array.isArray(body) ? body : [])),
  wrong('wrapped-array-accepted', 'An object with the array in `values` is accepted in place of the array.')
    .failsIn('PASS-2.body-wrapped', `${refused}, gets 200`)
    .readsJson(at.write, (body: { values?: unknown }) => (Array.isArray(body?.values) ? body.values : body)),
  wrong('not-array-own-code', 'A body that is not an array gets a general code.')
    .failsIn('PASS-2.body-object', 'error.code must be "values_must_be_array", is "validation_failed"')
    .errors(at.write, 'values_must_be_array', 400, 'validation_failed'),
  wrong('null-body-500', 'The body null causes an exception.')
    .failsIn('PASS-2.body-null', `${refused}, gets 500`)
    .refuses(at.write, 500, 'internal_error', async (call) => (await call.text()) === 'null'),
  wrong('first-key-checked', 'Only the first element is checked for its field_key.')
    .failsIn('PASS-2.no-key-last', `${refused}, gets 200`)
    .written((elements) =>
      elements.filter((one, index) => index === 0 || typeof one !== 'object' || one?.field_key !== undefined),
    ),
  wrong('missing-key-422', 'A missing field_key gets 422.')
    .failsIn('PASS-2.no-key-first', `${refused}, gets 422`)
    .errors(at.write, 'field_key_required', 422),
  wrong('missing-key-skipped', 'Elements without field_key are skipped.')
    .failsIn('PASS-2.no-key-first', `${refused}, gets 200`)
    .written((elements) => elements.filter((one) => one?.field_key !== undefined)),
  wrong('half-a-write', 'The elements before a wrong one are stored.')
    .failsIn('PASS-3.no-key-last', 'the passport after the refused write')
    .also(at.write, 400, async (call) => {
      const elements = await call.elements();
      const wrong = elements.findIndex((one) => one?.field_key === undefined);
      return call.withJson(elements.slice(0, Math.max(0, wrong)));
    }),
  wrong('absent-members-filled', 'A write fills absent members with defaults of its own.')
    .failsIn('PASS-4.absent-source', 'source after must be "import", is "manual"')
    .eachWritten((one) => ({ source: 'manual', access_level: 'public', unit: null, is_unknown: true, ...one })),
  wrong('null-unit-unchanged', 'unit: null leaves the unit as it is.')
    .failsIn('PASS-4.no-unit', 'unit must be null, is "kg"')
    .eachWritten(({ unit }) => ({ unit: unit ?? undefined })),
  wrong('wrong-elements-skipped', 'A write skips the elements that are wrong, and stores the others.')
    .failsIn('PASS-2.long-unit', `${refused}, gets 200`)
    .onStatus(at.write, 400, async (_, call) => {
      const body = await call.json();
      if (!Array.isArray(body)) return undefined;
      let updated = 0;
      for (const element of body) if ((await call.withJson([element]).send()).status === 200) updated += 1;
      return Response.json({ updated, completeness: 0 });
    }),
  wrong('updated-counts-changes', 'updated counts only the fields whose values change.')
    .failsIn('PASS-1.named-fields', 'updated must be 2, is 0')
    .instead(at.write, async (call) => {
      const stored = (await storedValues(call)) ?? [];
      const isSame = (one: Element | null) =>
        stored.some(({ field_key, value }) => field_key === one?.field_key && isDeepStrictEqual(value, one?.value));
      const updated = (await call.elements()).filter((one) => !isSame(one)).length;
      return members(at.write, { updated })(call.service)(call.request);
    }),
];

// Members and JSON values.

/** Reads another JSON value of each element. */
const eachValue = (change: (value: unknown) => unknown): Change =>
  each(at.passport, 'values', ({ value }) => ({ value: change(value) }));

/** Reads another text for each value that is one. */
const eachText = (change: (text: string) => unknown): Change =>
  eachValue((value) => (typeof value === 'string' ? change(value) : value));

/** Applies the change to the value and to everything in it. */
function deeply(value: unknown, change: (part: unknown) => unknown): unknown {
  if (Array.isArray(value)) return change(value.map((part) => deeply(part, change)));
  if (typeof value !== 'object' || value === null) return change(value);
  return change(Object.fromEntries(Object.entries(value).map(([name, part]) => [name, deeply(part, change)])));
}

const isEmpty = (part: unknown): boolean => typeof part === 'object' && part !== null && Object.keys(part).length === 0;
const isNumbers = (value: unknown): boolean => Array.isArray(value) && value.every((part) => typeof part === 'number');

export const values: readonly WrongProvider[] = [
  wrong('default-source-manual', 'The source of a new value is manual.')
    .failsIn('PASS-4.defaults', 'the new field must be')
    .eachWritten((element) => ({ source: 'manual', ...element })),
  wrong('default-level-restricted', 'The access level of a new value is restricted.')
    .failsIn('PASS-4.defaults', 'the new field must be')
    .eachWritten((element) => ({ access_level: 'restricted', ...element })),
  wrong('owner-sees-public-only', 'The owner reads public values only.')
    .failsIn('PASS-4.level-restricted', 'the number of values with the key')
    .elements(at.passport, 'values', (values) => values.filter(({ access_level }) => access_level === 'public')),
  wrong('authority-is-restricted', 'The level authority is stored as restricted.')
    .failsIn('PASS-4.level-authority', 'access_level must be "authority", is "restricted"')
    .eachWritten(({ access_level: level }) => ({ access_level: level === 'authority' ? 'restricted' : level })),
  wrong('level-never-changes', 'An update does not change the access level.')
    .failsIn('PASS-4.level-changes', 'access_level must be')
    .remembers((levels) =>
      eachWritten(({ field_key, access_level: level }) =>
        level === undefined ? {} : { access_level: kept(levels, field_key, level) },
      ),
    ),
  wrong('unit-lost', 'The unit is not stored.')
    .failsIn('PASS-4.unit', 'unit must be')
    .eachWritten(() => ({ unit: undefined })),
  wrong('unknown-lost', 'is_unknown is not stored.')
    .failsIn('PASS-4.unknown', 'is_unknown must be true')
    .eachWritten(() => ({ is_unknown: undefined })),
  wrong('values-as-text', 'Every value is stored as text.')
    .failsIn('PASS-5.zero', 'the value must be 0, is "0"')
    .does(eachValue((value) => (typeof value === 'number' ? String(value) : value))),
  wrong('text-as-number', 'Text of digits becomes a number.')
    .failsIn('PASS-5.text-of-digits', 'the value must be "007", is 7')
    .does(eachText((text) => (/^\d+$/.test(text) ? Number(text) : text))),
  wrong('numbers-of-32-bits', 'Numbers are stored with 32 bits.')
    .failsIn('PASS-5.fraction', 'the value must be 0.1')
    .does(eachValue((value) => (typeof value === 'number' && Math.abs(value) < 1e30 ? Math.fround(value) : value))),
  wrong('empty-object-as-array', 'An empty object becomes an empty array, as in PHP.')
    .failsIn('PASS-5.empty-object', 'the value must be {}, is []')
    .does(eachValue((value) => deeply(value, (part) => (isEmpty(part) ? [] : part)))),
  wrong('null-members-dropped', 'Members that are null are left out.')
    .failsIn('PASS-5.null', 'body/values/0/value is missing')
    .elements(at.passport, 'values', (values) =>
      values.map((one) => Object.fromEntries(Object.entries(one).filter(([, part]) => part !== null))),
    ),
  wrong('empty-text-as-null', 'Empty text becomes null, as in Oracle.')
    .failsIn('PASS-5.empty-text', 'the value must be "", is null')
    .does(eachText((text) => text || null)),
  wrong('text-trimmed', 'Values are trimmed.')
    .failsIn('PASS-5.blank-text', 'the value must be')
    .does(eachText((text) => text.trim())),
  wrong('text-cut-at-255', 'The column of a value holds 255 characters.')
    .failsIn('PASS-5.long-text', 'the value must be')
    .does(eachText((text) => text.slice(0, 255))),
  wrong('utf8-of-three-bytes', 'The column has an encoding without emoji.')
    .failsIn('PASS-5.unicode', 'the value must be')
    .does(eachText((text) => text.replace(/\p{Emoji_Presentation}/gu, '?'))),
  wrong('markup-escaped', 'Values are stored as escaped HTML.')
    .failsIn('PASS-5.markup', 'the value must be')
    .does(eachText((text) => text.replaceAll('<', '&lt;'))),
  wrong('arrays-sorted', 'Arrays are read in sorted order.')
    .failsIn('PASS-5.sorted-array', 'the value must be [3,1,2,3]')
    .does(eachValue((value) => (isNumbers(value) ? (value as number[]).toSorted() : value))),
  wrong('numbers-as-texts', 'A value that is a number is read as text.')
    .failsIn('PASS-5.number-exponent', 'the value must be')
    .does(eachValue((value) => (typeof value === 'number' ? String(value) : value))),
];

// Versions, and writes at the same time.

type Version = Passport['latest_version'];

/** Changes members of `latest_version`. */
export function version(
  change: (version: Version, body: Passport) => { readonly [Name in keyof Version]?: unknown },
): Change {
  return members(at.passport, (body) => ({
    latest_version: { ...body.latest_version, ...change(body.latest_version, body) },
  }));
}

/** Shows a part of the first version that was read of each passport with values. */
function keepsFirst(part: (version: Version) => Partial<Version>): Change {
  return remembers<Partial<Version>>((first) =>
    version((own, { product, values }) => (values.length > 0 ? kept(first, product.slug, part(own)) : {})),
  );
}

/** Shows one of the times of the values, which are in order, as the time of all. */
function timesAs(choose: (times: readonly string[]) => string | undefined): Change {
  return elements(at.passport, 'values', (values) => {
    const updated_at = choose(values.map((one) => one.updated_at).sort());
    return values.map((one) => ({ ...one, updated_at }));
  });
}

/** A field is lost if its write began while another write of the same passport was under way. */
const losesWrites = remembers<{ writing: number; lost: readonly unknown[] }>((passports) => [
  instead(at.write, async (call) => {
    const state = kept(passports, call.path, { writing: 0, lost: [] });
    const keys = (await call.elements()).map((one) => one?.field_key);
    state.lost = state.writing > 0 ? [...state.lost, ...keys] : [];
    state.writing += 1;
    const response = await call.send();
    state.writing -= 1;
    return response;
  }),
  elements(at.passport, 'values', (values, { path }) =>
    values.filter(({ field_key }) => !passports.get(path)?.lost.includes(field_key)),
  ),
]);

export const versions: readonly WrongProvider[] = [
  wrong('hash-of-product', 'The content hash covers the product instead of its values.')
    .failsIn('PASS-6.change', 'the number of different hashes after three changes must be 3, is 1')
    .does(version((_, { product }) => ({ content_hash: `hash-of-${product.slug}` }))),
  wrong('hash-of-keys', 'The content hash covers the keys of the fields only.')
    .failsIn('PASS-6.change', 'the number of different hashes after three changes must be 3, is 1')
    .does(
      version((_, { values }) => ({ content_hash: `hash-of-${values.map(({ field_key }) => field_key).join('-')}` })),
    ),
  wrong('hash-of-first-field', 'The content hash covers the first field only.')
    .failsIn('PASS-6.each-field', 'content_hash must change')
    .remembers<string>((firsts) =>
      version((_, { product: { slug }, values }) => {
        const first = kept(firsts, slug, values[0]?.field_key ?? '');
        const found = values.find(({ field_key }) => field_key === first);
        return { content_hash: `hash-of-${JSON.stringify(found?.value ?? null)}` };
      }),
    ),
  wrong('no-version', 'latest_version is null.')
    .failsIn('PASS-6.change', 'latest_version must be an object, is null')
    .members(at.passport, { latest_version: null }),
  wrong('version-left-out', 'latest_version is missing.')
    .failsIn('PASS-6.time', 'latest_version must be an object, is missing')
    .members(at.passport, { latest_version: undefined }),
  wrong('no-hash', 'latest_version has no content hash.')
    .failsIn('PASS-6.change', 'body/latest_version/content_hash is missing')
    .does(version(() => ({ content_hash: undefined }))),
  wrong('no-version-time', 'latest_version has no time.')
    .failsIn('PASS-6.time', 'body/latest_version/created_at is missing')
    .does(version(() => ({ created_at: undefined }))),
  wrong('template-version-as-text', 'template_version is text, as in 1.0.')
    .failsIn('PASS-6.template-version', 'template_version must be integer')
    .members(at.passport, { template_version: '1.0' }),
  wrong('version-for-each-write', 'A write that changes nothing makes a version.')
    .failsIn('PASS-6.no-change', 'the passport must be')
    .counts((writes) => [
      notes(at.write, () => writes.next()),
      version(({ content_hash }) => ({ content_hash: `${content_hash}${writes.value}` })),
    ]),
  wrong('hash-without-salt', 'The salt is the same in every version.')
    .failsIn('PASS-6.salt', 'salt')
    .does(version(() => ({ salt: '0'.repeat(32) }))),
  wrong('hash-not-of-salt', 'The content hash does not cover the salt.')
    .failsIn('PASS-6.salt', 'content_hash must differ between versions with the same values')
    .does(
      version((_, { values }) => ({ content_hash: `hash-of-${JSON.stringify(values.map(({ value }) => value))}` })),
    ),
  wrong('first-hash-of-nothing', 'The first version has the hash of an empty text.')
    .failsIn('PASS-6.first', 'content_hash must be')
    .does(version((_, { values }) => (values.length > 0 ? {} : { content_hash: createHash('sha256').digest('hex') }))),
  wrong('no-hash-of-first-write', 'The first write of a passport stores zeros in place of the content hash.')
    .failsIn('PASS-6.recomputed', 'content_hash must be')
    .remembers<number>((writes) => [
      countsWrites(writes),
      version((_, { product }) => (writes.get(product.slug) === 1 ? { content_hash: '0'.repeat(64) } : {})),
    ]),
  wrong('version-cached', 'A cache keeps the first version of a passport that has values.')
    .failsIn('PASS-6.recomputed', 'content_hash must be')
    .does(keepsFirst((version) => version)),
  wrong('salt-cached', 'A cache keeps the first salt of a passport.')
    .failsIn('PASS-6.change-of-unit', 'content_hash must be')
    .does(keepsFirst(({ salt }) => ({ salt }))),
  wrong('times-of-last-write', 'All values of a passport show the time of its last write.')
    .failsIn('PASS-6.only-changed', 'the value that the write repeats must be')
    .does(timesAs((times) => times.at(-1))),
  wrong('times-of-first-write', 'All values of a passport show the time of its first write.')
    .failsIn('PASS-6.only-changed', 'the other value must move')
    .does(timesAs((times) => times[0])),
  wrong('lost-writes', 'A write reads the whole passport, changes it and stores it, without a lock.')
    .failsIn('PASS-8.different-fields', 'must be')
    .does(losesWrites),
  wrong('other-field-stored-again', 'A write also stores the other fields, as it read them before.')
    .failsIn('PASS-8.different-fields', 'the fields whose write was lost')
    .does(storesOthers((values) => values)),
  wrong('many-fields-stored-again', 'A write to a passport of many fields stores the others again, as it read them.')
    .failsIn('PASS-8.many-fields', 'the fields whose write was lost')
    .does(storesOthers((values) => (values.length > 2 ? values : []))),
  wrong('fields-stored-one-by-one', 'A write stores three fields one by one, in any order, without a transaction.')
    .failsIn('PASS-8.same-fields', 'the field verify_')
    .instead(at.write, async (call) => {
      const body = await call.elements();
      if (body.length !== 3) return undefined;
      let response: Response | undefined;
      for (const field of Number(body[0]?.unit) % 2 === 0 ? body : body.toReversed()) {
        response = await call.withJson([field]).send();
        if (response.status !== 200) break;
      }
      return response;
    }),
  wrong('unit-of-other-write', 'A write takes the unit of a write that is under way.')
    .failsIn('PASS-8.same-field', 'must be {"value":{"text":')
    .remembers((current) => [
      written((elements) => {
        const unit = kept(current, 'unit', elements[0]?.unit);
        return unit === undefined ? elements : elements.map((element) => ({ ...element, unit }));
      }),
      responds(at.everywhere, () => void current.clear()),
    ]),
];
