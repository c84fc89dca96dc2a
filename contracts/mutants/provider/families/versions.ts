/** Mistakes with the versions of a passport, and with writes at the same time. */
import { createHash } from 'node:crypto';
import type { Passport, PassportValue } from '@product-passport/sdk';
import {
  changeBody,
  changeJson,
  type Handler,
  jsonOf,
  type Mutant,
  matches,
  passport,
  respondWith,
  type Service,
  segments,
  type Wrap,
  write,
} from '../alter.ts';
import { storesOthers } from './passports.ts';

/** Changes `latest_version`. */
function changeVersion(change: (version: Passport['latest_version'], body: Passport) => object) {
  return changeJson(passport, (body: Passport) => ({ ...body, latest_version: change(body.latest_version, body) }));
}

/** Shows a part of the first version that was read of each passport with values. */
function keepsFirst(part: (version: Passport['latest_version']) => object): Wrap {
  return (service) => {
    const first = new Map<string, object>();
    return changeVersion((version, { product: { slug }, values }) => {
      if (values.length > 0 && !first.has(slug)) first.set(slug, part(version));
      return { ...version, ...first.get(slug) };
    })(service);
  };
}

/** Shows one of the times of the values, which are in order, as the time of all. */
function changeTimes(choose: (times: readonly string[]) => string | undefined): Wrap {
  return changeJson(passport, (body: Passport) => {
    const updated_at = choose(body.values.map((one) => one.updated_at).sort());
    return { ...body, values: body.values.map((one) => ({ ...one, updated_at })) };
  });
}

export const versions: readonly Mutant[] = [
  {
    id: 'hash-of-product',
    mistake: 'The content hash covers the product instead of its values.',
    killedBy: 'PASS-6.change',
    because: 'the number of different hashes after three changes must be 3, is 1',
    wrap: changeVersion((version, { product }) => ({ ...version, content_hash: `hash-of-${product.slug}` })),
  },
  {
    id: 'hash-of-keys',
    mistake: 'The content hash covers the keys of the fields only.',
    killedBy: 'PASS-6.change',
    because: 'the number of different hashes after three changes must be 3, is 1',
    wrap: changeVersion((version, { values }) => ({
      ...version,
      content_hash: `hash-of-${values.map(({ field_key }) => field_key).join('-')}`,
    })),
  },
  {
    id: 'hash-of-first-field',
    mistake: 'The content hash covers the first field only.',
    killedBy: 'PASS-6.each-field',
    because: 'content_hash must change',
    wrap: (service) => {
      const firsts = new Map<string, string>();
      return changeJson(passport, (body: Passport) => {
        const { slug } = body.product;
        const first = firsts.get(slug) ?? body.values[0]?.field_key ?? '';
        firsts.set(slug, first);
        const value: PassportValue | undefined = body.values.find(({ field_key }) => field_key === first);
        const content_hash = `hash-of-${JSON.stringify(value?.value ?? null)}`;
        return { ...body, latest_version: { ...body.latest_version, content_hash } };
      })(service);
    },
  },
  {
    id: 'no-version',
    mistake: 'latest_version is null.',
    killedBy: 'PASS-6.change',
    because: 'latest_version must be an object, is null',
    wrap: changeJson(passport, (body: Passport) => ({ ...body, latest_version: null })),
  },
  {
    id: 'version-left-out',
    mistake: 'latest_version is missing.',
    killedBy: 'PASS-6.time',
    because: 'latest_version must be an object, is missing',
    wrap: changeJson(passport, ({ latest_version: _, ...body }: Passport) => body),
  },
  {
    id: 'no-hash',
    mistake: 'latest_version has no content hash.',
    killedBy: 'PASS-6.change',
    because: 'content_hash must be text',
    wrap: changeVersion(({ created_at }) => ({ created_at })),
  },
  {
    id: 'no-version-time',
    mistake: 'latest_version has no time.',
    killedBy: 'PASS-6.time',
    because: 'latest_version.created_at must be a time',
    wrap: changeVersion(({ content_hash }) => ({ content_hash })),
  },
  {
    id: 'template-version-as-text',
    mistake: 'template_version is text, as in 1.0.',
    killedBy: 'PASS-6.template-version',
    because: 'template_version must be integer',
    wrap: changeJson(passport, (body: Passport) => ({ ...body, template_version: '1.0' })),
  },
  {
    id: 'version-for-each-write',
    mistake: 'A write that changes nothing makes a version.',
    claims: ['reference'],
    killedBy: 'PASS-6.no-change',
    because: 'the passport must be',
    wrap: (service) => {
      let writes = 0;
      const renumbered = changeVersion((version) => ({ ...version, content_hash: `${version.content_hash}${writes}` }));
      return (request) => {
        if (request.method === 'PUT') writes += 1;
        return renumbered(service)(request);
      };
    },
  },
  {
    id: 'hash-without-salt',
    mistake: 'The salt is the same in every version.',
    claims: ['reference'],
    killedBy: 'PASS-6.salt',
    because: 'salt',
    wrap: changeVersion((version) => ({ ...version, salt: '0'.repeat(32) })),
  },
  {
    id: 'hash-not-of-salt',
    mistake: 'The content hash does not cover the salt.',
    claims: ['reference'],
    killedBy: 'PASS-6.salt',
    because: 'content_hash must differ between versions with the same values',
    wrap: changeVersion((version, { values }) => ({
      ...version,
      content_hash: `hash-of-${JSON.stringify(values.map(({ value }) => value))}`,
    })),
  },
  {
    id: 'first-hash-of-nothing',
    mistake: 'The first version has the hash of an empty text.',
    claims: ['reference'],
    killedBy: 'PASS-6.first',
    because: 'content_hash must be',
    wrap: changeVersion((version, { values }) =>
      values.length > 0 ? version : { ...version, content_hash: createHash('sha256').digest('hex') },
    ),
  },
  {
    id: 'no-hash-of-first-write',
    mistake: 'The first write of a passport stores zeros in place of the content hash.',
    claims: ['reference'],
    killedBy: 'PASS-6.recomputed',
    because: 'content_hash must be',
    wrap: (service) => {
      const writes: unknown[] = [];
      const read = changeVersion((version, { product: { slug } }) =>
        writes.filter((one) => one === slug).length === 1 ? { ...version, content_hash: '0'.repeat(64) } : version,
      )(service);
      return (request) => {
        if (matches(write, request)) writes.push(segments(request)[3]);
        return read(request);
      };
    },
  },
  {
    id: 'version-cached',
    mistake: 'A cache keeps the first version of a passport that has values.',
    claims: ['reference'],
    killedBy: 'PASS-6.recomputed',
    because: 'content_hash must be',
    wrap: keepsFirst((version) => version),
  },
  {
    id: 'salt-cached',
    mistake: 'A cache keeps the first salt of a passport.',
    claims: ['reference'],
    killedBy: 'PASS-6.change-of-unit',
    because: 'content_hash must be',
    wrap: keepsFirst(({ salt }) => ({ salt })),
  },
  {
    id: 'times-of-last-write',
    mistake: 'All values of a passport show the time of its last write.',
    claims: ['reference'],
    killedBy: 'PASS-6.only-changed',
    because: 'the value that the write repeats must be',
    wrap: changeTimes((times) => times.at(-1)),
  },
  {
    id: 'times-of-first-write',
    mistake: 'All values of a passport show the time of its first write.',
    claims: ['reference'],
    killedBy: 'PASS-6.only-changed',
    because: 'the other value must move',
    wrap: changeTimes((times) => times[0]),
  },
  {
    id: 'lost-writes',
    mistake: 'A write reads the whole passport, changes it and stores it, without a lock.',
    killedBy: 'PASS-8.different-fields',
    because: 'must be',
    wrap: losesWrites,
  },
  {
    id: 'other-field-stored-again',
    mistake: 'A write also stores the other fields, as it read them before.',
    killedBy: 'PASS-8.different-fields',
    because: 'the values of the two fields must be',
    wrap: storesOthers((values) => values),
  },
  {
    id: 'many-fields-stored-again',
    mistake: 'A write to a passport with many fields also stores the others, as it read them before.',
    claims: ['reference'],
    killedBy: 'PASS-8.many-fields',
    because: 'the fields whose write was lost',
    wrap: storesOthers((values) => (values.length > 2 ? values : [])),
  },
  {
    id: 'fields-stored-one-by-one',
    mistake: 'A write of three fields stores them one after the other, without a transaction and in any order.',
    claims: ['reference'],
    killedBy: 'PASS-8.same-fields',
    because: 'the field verify_',
    wrap: respondWith(write, async (request, { fetch }) => {
      const body = await jsonOf(request);
      if (!Array.isArray(body) || body.length !== 3) return undefined;
      let response: Response | undefined;
      for (const field of Number(body[0]?.unit) % 2 === 0 ? body : body.toReversed()) {
        response = await fetch(new Request(request.clone(), { body: JSON.stringify([field]) }));
        if (response.status !== 200) break;
      }
      return response;
    }),
  },
  {
    id: 'unit-of-other-write',
    mistake: 'A write takes the unit of a write that is under way.',
    killedBy: 'PASS-8.same-field',
    because: 'must be {"value":{"text":',
    wrap: (service) => {
      let unit: unknown;
      const put = changeBody(write, (body: unknown) => {
        if (!Array.isArray(body)) return body;
        unit ??= body[0]?.unit;
        return unit === undefined ? body : body.map((element) => ({ ...element, unit }));
      })(service);
      return async (request) => {
        const response = await put(request);
        unit = undefined;
        return response;
      };
    },
  },
];

/** A field is lost if its write began while another write of the same passport was under way. */
function losesWrites(service: Service): Handler {
  const writing = new Map<string, number>();
  const lost = new Map<string, ReadonlySet<string>>();

  async function put(path: string, request: Request): Promise<Response> {
    const body = await jsonOf(request);
    const keys: string[] = Array.isArray(body) ? body.map((element) => element?.field_key) : [];
    const others = writing.get(path) ?? 0;
    writing.set(path, others + 1);
    lost.set(path, others > 0 ? new Set([...(lost.get(path) ?? []), ...keys]) : new Set());
    const response = await service.fetch(request);
    writing.set(path, (writing.get(path) ?? 1) - 1);
    return response;
  }

  const get = changeJson(passport, (body: Passport, request) => {
    const gone = lost.get(new URL(request.url).pathname);
    return { ...body, values: body.values.filter(({ field_key }) => !gone?.has(field_key)) };
  })(service);

  return (request) => (matches(write, request) ? put(new URL(request.url).pathname, request) : get(request));
}
