/** Mistakes with the versions of a passport, and with writes at the same time. */
import { createHash } from 'node:crypto';
import type { Passport } from '@product-passport/sdk';
import { at } from '../call.ts';
import { type Change, elements, instead, kept, members, notes, remembers, responds, written } from '../change.ts';
import { type Mutant, wrong } from '../row.ts';
import { storesOthers } from './passports.ts';
import { countsWrites } from './products.ts';

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

export const versions: readonly Mutant[] = [
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
