/**
 * The cases for the EU's read interface. Each row has an id, what a provider must do, and who says so. The sources are public:
 * the standards are sold, and nobody here has read them. So a case proves no conformance to an EN.
 */
import { isRecord } from '@product-passport/openapi';
import { type Case, type Context, check, checkEqual, NotTested, type Reply } from '../conformance/case.ts';
import { isEqual } from '../conformance/check.ts';
import type { DppClaim, Need } from '../conformance/claims.ts';
import { shown } from '../judge/finding.ts';
import {
  batchIn,
  elementFault,
  elementsOf,
  isSameProduct,
  keysOf,
  type Leaf,
  lastUpdatedOf,
  leavesOf,
  leavesOfElement,
  normalised,
  type Passport,
  passportIn,
  required,
  valueFault,
  walkElements,
  warnings,
} from './readings.ts';
import {
  byDate,
  byId,
  byProduct,
  element,
  type Facts,
  isClosed,
  maxPages,
  passportOf,
  type Reads,
  readsOf,
  unknownId,
} from './reads.ts';
import { checkTransport } from './transport.ts';

type Run = (reads: Reads, facts: Facts, context: Context) => Promise<void>;

interface Row {
  readonly id: string;
  readonly title: string;
  /** The clause of EN 18222 or EN 18223, and the public descriptions that the case follows. */
  readonly source: string;
  readonly run: Run;
  readonly needs?: readonly Need[];
  /** Only for providers of this kit's API, too: others may decide otherwise. */
  readonly isOfKit?: boolean;
}

const row = (id: string, title: string, source: string, run: Run, more: Partial<Row> = {}): Row => ({
  ...{ id, title, source, run },
  ...more,
});

/** How often each value comes. */
function countsOf(leaves: readonly Leaf[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const [name, value] of leaves) {
    const leaf = `${name}=${String(value)}`;
    counts.set(leaf, (counts.get(leaf) ?? 0) + 1);
  }
  return counts;
}

/** The first value that comes more often than in the other list: `cells=7`, or `cells=7 2 times`. */
function lostIn(counts: ReadonlyMap<string, number>, other: ReadonlyMap<string, number>): string | undefined {
  const [leaf, count] = [...counts].find(([one, often]) => often > (other.get(one) ?? 0)) ?? [];
  return leaf !== undefined && other.has(leaf) ? `${leaf} ${count} times` : leaf;
}

/** The reading that all public descriptions share. */
const all = 'BaSyx Go, openEPCIS, OwnYourData, OpenDPP';

const rows: readonly Row[] = [
  row(
    'DPP-ID-1',
    'A read by id needs no credentials and gives the passport with this id.',
    'EN 18222, 4.2: openEPCIS, OwnYourData',
    async ({ ask, send, read, known, warn }, { headers }) => {
      const first = await read();
      if (headers === undefined && isClosed(first.reply)) passportOf(first.reply, first.path);
      const { id } = await known();
      const plain = await send({ ...ask(byId(id)), headers: { accept: 'application/json' } });
      const needsKey = headers !== undefined && isClosed(plain);
      if (needsKey) warn('The sources differ: public reads need no credentials in OwnYourData, a key in OpenDPP.');
      const reply = needsKey ? await send(ask(byId(id))) : plain;
      checkEqual(passportOf(reply, byId(id)).passport.digitalProductPassportId, id, 'digitalProductPassportId');
      check(
        /\bjson\b/i.test(reply.headers['content-type'] ?? ''),
        `the content type must be JSON, is ${reply.headers['content-type']}`,
      );
    },
  ),
  row(
    'DPP-ID-2',
    'A passport has all seven mandatory members, as texts.',
    `EN 18223, 4.1.2.1: ${all}`,
    async ({ known }) => {
      const { passport } = await known();
      for (const name of required) {
        const value = name === 'lastUpdated' ? lastUpdatedOf(passport) : passport[name];
        check(
          typeof value === 'string' && value !== '',
          `${name} must be a text that is not empty, is ${shown(value)}`,
        );
      }
    },
  ),
  row(
    'DPP-ID-3',
    'lastUpdated is a time in UTC that ends in Z.',
    `EN 18223, 4.1.2.1: ${all}`,
    async ({ known, warn }) => {
      const { passport } = await known();
      const time = lastUpdatedOf(passport);
      const isTime =
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/.test(String(time)) && !Number.isNaN(Date.parse(String(time)));
      check(isTime, `lastUpdated must be a time in UTC, is ${shown(time)}`);
      if (!('lastUpdated' in passport)) warn(warnings.lastUpdate);
    },
  ),
  row('DPP-ID-4', 'granularity is model, batch or item.', `EN 18223, 4.1.2.1: ${all}`, async ({ known, warn }) => {
    const { granularity } = (await known()).passport;
    const name = String(granularity).toLowerCase();
    check(
      ['model', 'batch', 'item'].includes(name),
      `granularity must be model, batch or item, is ${shown(granularity)}`,
    );
    if (granularity !== name) warn(warnings.granularity);
  }),
  row(
    'DPP-ID-5',
    'Optional members have their type or are absent, never null.',
    `EN 18223, 4.1.2.1: ${all}`,
    async ({ known }) => {
      const { facilityId = '', contentSpecificationIds: ids = [] } = (await known()).passport;
      check(typeof facilityId === 'string', `facilityId must be a text or absent, is ${shown(facilityId)}`);
      const isList = Array.isArray(ids) && ids.every((id) => typeof id === 'string');
      check(isList, `contentSpecificationIds must be a list of texts or absent, is ${shown(ids)}`);
    },
  ),
  row('DPP-ID-6', 'The body is the passport.', `EN 18222, 8.2: ${all}`, async ({ known }) => {
    const { envelope } = await known();
    check(envelope === undefined, `the passport is inside an envelope: it must be the body, is its member ${envelope}`);
  }),
  row(
    'DPP-ID-7',
    'An unknown id gets 404, with a message.',
    'EN 18222, 7.2: table 15, in BaSyx Go, CIR4FUN, openEPCIS',
    async ({ ask, known, refused, checkError }) => {
      const { id } = await known();
      checkError(await refused(ask(byId(id)), { path: byId(unknownId) }, 404), byId(unknownId));
    },
  ),
  row(
    'DPP-PROD-1',
    'A read by product id gives the same passport as by id.',
    `EN 18222, 4.3: ${all}`,
    async ({ passportAt, known }) => {
      const { id, productId } = await known();
      const [one, other] = [await passportAt(byProduct(productId)), await passportAt(byId(id))];
      check(isEqual(one, other), `by product and by id must give the same, and differ in ${namesOf(one, other)}`);
    },
  ),
  row(
    'DPP-PROD-2',
    'An identifier in a path is encoded once: encoded twice it names nothing.',
    'EN 18222, 8.2: IDTA-01002, BaSyx Go, CIR4FUN, OwnYourData',
    async ({ ask, known, refused, passportAt }, facts) => {
      let one: string | undefined;
      for (let index = 0; one === undefined && index < (facts.passports ?? []).length; index += 1) {
        const { productId, passport } = await known(index);
        one = [productId, String(passport.uniqueProductIdentifier)].find((id) => byProduct(id).includes('%'));
      }
      if (one === undefined) throw new NotTested('identifier to encode');
      await passportAt(byProduct(one));
      const path = byProduct(one);
      await refused(ask(path), { path: path.replaceAll('%', '%25') }, [400, 404]);
    },
  ),
  row(
    'DPP-PROD-3',
    'The passport has the product identifier that was asked for.',
    'EN 18222, 4.3: openEPCIS, OwnYourData',
    async ({ ask, sendFaulty, known, passportAt }) => {
      const { productId } = await known();
      const own = String((await passportAt(byProduct(productId))).uniqueProductIdentifier);
      check(isSameProduct(productId, own) !== false, `uniqueProductIdentifier must be ${productId}, is ${own}`);
      const keys = keysOf(productId);
      const serial =
        keys && keys.batch === undefined ? [productId.replace(/\/21\/.*|(?<=\d)$/, '/21/no-such-serial')] : [];
      for (const asked of [productId.slice(0, -1), ...serial]) {
        const reply = await sendFaulty(ask(byProduct(asked)));
        const other = passportIn(reply.json)?.passport.uniqueProductIdentifier;
        const isOther = reply.status === 200 && other !== undefined && isSameProduct(asked, String(other)) !== true;
        check(!isOther, `GET ${byProduct(asked)} gives the passport of ${shown(other)}. Expected: 404`);
      }
    },
  ),
  row(
    'DPP-PROD-4',
    'An unknown product id gets 404, with a message.',
    'EN 18222, 7.2: table 15, in BaSyx Go, CIR4FUN, openEPCIS',
    async ({ ask, known, refused, checkError }) => {
      const { productId } = await known();
      checkError(await refused(ask(byProduct(productId)), { path: byProduct(unknownId) }, 404), byProduct(unknownId));
    },
  ),
  row(
    'DPP-IDS-1',
    'The ids for product ids can be read by id.',
    `EN 18222, 4.5: ${all}`,
    async ({ batchAll, known, passportAt, warn }) => {
      const { id, productId } = await known();
      const { ids, at = '' } = await batchAll([productId]);
      if (at !== '')
        warn(
          `The sources differ: the ids are a bare array in OpenDPP. Here they are at body${at}, as in ${namedIn(at)}.`,
        );
      check(ids.includes(id), `POST /dppsByProductIds must have ${id} for ${productId}, has ${shown(ids)}`);
      for (const one of ids.slice(0, 10)) await passportAt(byId(one));
    },
  ),
  row(
    'DPP-IDS-2',
    'Several product ids give the ids of all: an unknown one is absent.',
    'EN 18222, 4.5: IDTA-01002, BaSyx Go, OwnYourData',
    async ({ batchAsk, batchAll, sendFaulty, known, warn }) => {
      const first = await known();
      const { ids } = await batchAll([first.productId, unknownId]);
      check(ids.includes(first.id), 'with an unknown product id, the id of the known one must still be there');
      const none = await sendFaulty(await batchAsk([unknownId]));
      const isEmpty = none.status === 404 || (none.status === 200 && batchIn(none.json)?.ids.length === 0);
      check(isEmpty, `an unknown product id alone must give no id, gives ${none.status} ${shown(none.json)}`);
      const second = await known(1);
      const both = (await batchAll([first.productId, second.productId])).ids;
      for (const { id } of [first, second])
        check(both.includes(id), `the ids of two products must have ${id}, are ${shown(both)}`);
      // A provider may list the passports of items for the identifier of their model.
      const [one, other] = [first, second].map(({ productId }) => keysOf(productId)?.gtin ?? productId);
      if (one === other)
        return warn('Both passports are of one product: whether a list leaves out others was not seen.');
      const own = (await batchAll([first.productId])).ids;
      check(!own.includes(second.id), `the ids of ${first.productId} must leave out ${second.id}, of another product`);
    },
  ),
  row('DPP-IDS-3', 'No id comes twice.', 'EN 18222, 4.5: UA-CloudLibrary, OwnYourData', async ({ batchAll, known }) => {
    const { productId } = await known();
    const { ids } = await batchAll([productId, productId]);
    check(
      new Set(ids).size === ids.length,
      `a product that is asked for twice must give each id once, gives ${shown(ids)}`,
    );
  }),
  row(
    'DPP-IDS-4',
    'limit is the size of a page, and the pages give every id once and end.',
    'EN 18222, 4.5: BaSyx Go, openEPCIS, OpenDPP; EN 18222, 8.2: table 16',
    async ({ batchAll, pagesOf, known }) => {
      const products = [(await known()).productId, (await known(1)).productId];
      const whole = (await batchAll(products)).ids;
      // Not larger than a page of the provider's own size: a provider may cut a limit down to it.
      const limit = Math.max(1, Math.ceil(whole.length / maxPages));
      const most = Math.ceil(whole.length / limit) + 2;
      const walked: string[] = [];
      let pages = 0;
      for await (const { ids } of pagesOf(products, { limit: String(limit) })) {
        pages += 1;
        check(pages <= most, `the pages of ${whole.length} ids must end, and there is a page ${pages} of ${limit}`);
        check(ids.length <= limit, `with limit=${limit} a page must have at most ${limit}, has ${ids.length}`);
        walked.push(...ids);
      }
      checkEqual([...walked].sort(), [...whole].sort(), 'the ids of all pages');
    },
  ),
  row(
    'DPP-IDS-5',
    'A cursor that the provider did not make is refused.',
    'EN 18222, 4.5: CIR4FUN, UA-CloudLibrary, and of an empty cursor also OpenDPP, openEPCIS',
    async ({ batchAsk, batch, known, refused }) => {
      const { productId } = await known();
      const good = await batchAsk([productId]);
      const emptyAsk = await batchAsk([productId], { cursor: '' });
      await refused(good, emptyAsk, 400, {
        200: 'The sources differ: an empty cursor gets 400 in CIR4FUN and OpenDPP, and is ignored in BaSyx Go.',
      });
      const reply = await refused(good, await batchAsk([productId], { cursor: '~no-such-cursor' }), 400, {
        200: 'The sources differ: a made-up cursor gets 400 in CIR4FUN and UA-CloudLibrary; BaSyx Go takes any text.',
      });
      if (reply.status !== 200) return;
      const { ids } = await batch([productId], { cursor: '~no-such-cursor' });
      check(ids.length === 0, 'a made-up cursor must not give the first page');
    },
  ),
  row(
    'DPP-IDS-6',
    'A limit that is not a positive whole number gets 400.',
    'EN 18222, 4.5: BaSyx Go, CIR4FUN, UA-CloudLibrary',
    async ({ batchAsk, known, refused }) => {
      const { productId } = await known();
      for (const limit of ['0', '-1', 'x'])
        await refused(await batchAsk([productId]), await batchAsk([productId], { limit }), 400);
    },
  ),
  row(
    'DPP-IDS-7',
    'A body that is not JSON, of a wrong type or an empty list gets 400.',
    `EN 18222, 4.5: ${all}; EN 18222, 7.2: table 15`,
    async ({ batchAsk, known, refused }) => {
      const good = await batchAsk([(await known()).productId]);
      const empty = await batchAsk([]);
      for (const fault of [
        { raw: '{not json' },
        { json: { productIds: 42, productId: 42, productIdentifiers: 42 } },
        { json: empty.json },
      ])
        await refused(good, fault, 400);
    },
  ),
  row(
    'DPP-ERR-1',
    'Every refusal has messages with messageType and text.',
    `EN 18222, 7.2: tables 12 to 14, in ${all}`,
    async ({ ask, sendFaulty, batchAsk, known, checkError }) => {
      const good = await batchAsk([(await known()).productId]);
      for (const fault of [
        ask(byId(unknownId)),
        ask(byProduct(unknownId)),
        { ...good, json: undefined, raw: '{not json' },
      ]) {
        const reply = await sendFaulty(fault);
        if (reply.status >= 400) checkError(reply, fault.path);
      }
    },
  ),
  row(
    'DPP-ERR-2',
    'No mistake in an address is a failure of the service.',
    'EN 18222, 7.2: table 15, in BaSyx Go, openEPCIS',
    async ({ ask, sendFaulty, known }) => {
      await known();
      for (const id of ['%', '%zz', '%ff', '%00', '%0d%0a', '%25', '..%2f..%2f', 'a'.repeat(10_000)]) {
        for (const path of [`/dpps/${id}`, `/dppsByProductId/${id}`]) {
          const { status } = await sendFaulty(ask(path));
          check(status < 500, `GET ${path.slice(0, 60)} must not get a failure of the service, gets ${status}`);
        }
      }
    },
  ),
  row(
    'DPP-ERR-3',
    'Without credentials, no other method changes a passport.',
    'EN 18222, 4.1: OwnYourData, openEPCIS; EN 18222, 7.2: table 15',
    async ({ ask, sendFaulty, known, warn }, _facts, { probe, record }) => {
      const { id, passport } = await known();
      const headers = { accept: 'application/json' };
      // No body has a value, so that no passport loses one if the service lets anybody write.
      const others = [
        { method: 'PUT', path: byId(unknownId), json: {} },
        { method: 'PATCH', path: byId(id), json: {} },
        { method: 'DELETE', path: byId(unknownId) },
      ];
      const faults: string[] = [];
      let isMade = false;
      for (const other of others) {
        const exchange = await probe({ ...ask(other.path), headers, ...other });
        record(exchange);
        const { status = 0 } = exchange.response ?? {};
        const isUnseen = [400, 404, 409, 411, 422, 429].includes(status);
        const isRefused = isUnseen || [401, 403, 405, 415, 501].includes(status);
        if (!isRefused) faults.push(`${other.method} gets ${status || exchange.failure}`);
        if (isUnseen)
          warn(`${other.method} gets ${status}: whether it needs credentials was not seen. The suite deletes nothing.`);
        if (other.method === 'PUT' && status >= 200 && status < 300)
          isMade = (await sendFaulty(ask(other.path))).status === 200;
      }
      const after = passportIn((await sendFaulty(ask(byId(id)))).json)?.passport;
      const isSame = isEqual(after, passport);
      const isChange = faults.length > 0 && (isMade || !isSame);
      const reason = `without credentials, ${faults.join(', ')}. Expected: 405, 401, 403 or 501`;
      check(faults.length === 0, reason, isChange ? { exposes: 'change without a key' } : {});
      check(isSame, 'after the refusals, the passport is another one');
    },
  ),
  row(
    'DPP-REP-1',
    'Without representation the form is compressed, and has no elements.',
    `EN 18222, 8.1: ${all}`,
    async ({ known, passportAt }) => {
      const { id, passport } = await known();
      check(!('elements' in passport), 'the form without representation must be compressed, and has elements');
      const compressed = await passportAt(byId(id), { representation: 'compressed' });
      check(
        isEqual(compressed, passport),
        `representation=compressed must be the default, and differs in ${namesOf(compressed, passport)}`,
      );
    },
  ),
  row(
    'DPP-REP-2',
    'An unknown representation gets 400.',
    'EN 18222, 8.1: BaSyx Go, CIR4FUN',
    async ({ ask, known, refused }) => {
      const { id } = await known();
      const words =
        'The sources differ: an unknown representation gets 400 in BaSyx Go and CIR4FUN, a warning in OwnYourData.';
      await refused(ask(byId(id)), { query: { representation: 'no-such-form' } }, 400, { 200: words });
    },
  ),
  row(
    'DPP-LEAK-1',
    'A restricted value is in no read, no representation and no error.',
    'robustness: the standards leave access levels to EN 18246, which is a draft',
    async ({ ask, sendFaulty, known, batchAsk }, { restricted }) => {
      if (restricted === undefined) throw new NotTested('value that is not public');
      const { id, value, element: path = "$['no-such-element']" } = restricted;
      const own = passportIn((await sendFaulty(ask(byId(id)))).json)?.passport.uniqueProductIdentifier;
      const productId = typeof own === 'string' ? own : (await known()).productId;
      const reads = [byId(id), byProduct(productId), element(id, path), `${byId(id)}x`].flatMap((one) =>
        ['compressed', 'full'].map((representation) => ask(one, { representation })),
      );
      const past = ask(byDate(id), { date: new Date().toISOString() });
      for (const one of [...reads, past, await batchAsk([productId])]) {
        checkHidden(await sendFaulty(one), value, `${one.method ?? 'GET'} ${one.path}`);
      }
    },
  ),
  row(
    'DPP-LEAK-2',
    'Drafts and archived passports are in no read.',
    'openapi.yaml, readDppById: drafts and archived products get 404',
    async ({ ask, known, refused, batchAll }, { withdrawn = [] }) => {
      const { id, productId } = await known();
      if (withdrawn.length === 0) throw new NotTested('withdrawn passport');
      const date = new Date().toISOString();
      for (const one of withdrawn) {
        const products = one.product_id === undefined ? [] : [one.product_id];
        for (const path of [byId(one.id), ...products.map(byProduct)]) await refused(ask(byId(id)), { path }, 404);
        await refused(ask(byId(id)), { path: byDate(one.id), query: { date } }, [404, 401, 403]);
        const { ids } = await batchAll([productId, ...products]);
        check(!ids.includes(one.id), `POST /dppsByProductIds must leave out ${one.id}, which is not public`);
      }
    },
    { isOfKit: true },
  ),
  row(
    'DPP-SAME-1',
    'granularity agrees with the GS1 keys of the product identifier.',
    'EN 18223, 4.1.2.2: openEPCIS, OwnYourData; EN 18219, 4.4.2: OwnYourData',
    async ({ known, warn }) => {
      const { uniqueProductIdentifier, granularity } = (await known()).passport;
      const keys = keysOf(String(uniqueProductIdentifier));
      if (keys === undefined) return warn('The product identifier has no GS1 keys, so nothing was compared.');
      const expected = keys.serial !== undefined ? 'item' : keys.batch !== undefined ? 'batch' : 'model';
      checkEqual(String(granularity).toLowerCase(), expected, `granularity of ${String(uniqueProductIdentifier)}`);
    },
  ),
  row(
    'DPP-SAME-2',
    'The values are those of the JSON-LD document.',
    'openapi.yaml, readDppById: the values that the page shows',
    async ({ known }, { values }) => {
      const { passport } = await known();
      if (values === undefined) throw new NotTested('first interface');
      const [own, other] = [elementsOf(passport), Object.entries(values)].map((list) =>
        Object.fromEntries(list.map(([id, value]) => [id, plain(value)])),
      ) as [Passport, Passport];
      check(
        isEqual(own, other),
        `the read and the JSON-LD document must have the same values, and differ in ${namesOf(own, other)}`,
      );
    },
    { isOfKit: true },
  ),
  row(
    'DPP-FULL-1',
    'representation=full gives elements with an id and one of five types.',
    `EN 18223, 4.1.2.3: ${all}`,
    async (reads) => {
      for (const { element } of await fullOf(reads)) {
        const fault = elementFault(element);
        check(fault === undefined, `an element ${fault}`);
        if (element.objectType === 'SingleValueDataElement') reads.warn(warnings.objectType);
      }
    },
  ),
  row(
    'DPP-FULL-2',
    'The id of an element is unique where it stands.',
    'EN 18223, 4.1.2.3: openEPCIS, BaSyx Go',
    async (reads) => {
      for (const siblings of new Set((await fullOf(reads)).map((one) => one.siblings))) {
        const ids = siblings.flatMap((one) => (isRecord(one) ? [one.elementId] : []));
        check(
          new Set(ids).size === ids.length,
          `the ids of elements must be unique where they stand, are ${shown(ids)}`,
        );
      }
    },
  ),
  row(
    'DPP-FULL-3',
    'Both representations have the same values.',
    `EN 18222, 8.1: ${all}; EN 18223, 5.2.2: ${all}`,
    async (reads) => {
      const { passport } = await reads.known();
      const full = (await fullPassport(reads)).elements as readonly unknown[];
      const [one, other] = [
        elementsOf(passport).flatMap(([id, value]) => leavesOf(value, id)),
        full.flatMap((each) => leavesOfElement(each)),
      ];
      const [compressed, expanded] = [countsOf(one), countsOf(other)];
      const lost = [lostIn(compressed, expanded), lostIn(expanded, compressed)];
      check(lost[0] === undefined, `full must have ${lost[0]}, which compressed has`);
      check(lost[1] === undefined, `compressed must have ${lost[1]}, which full has`);
      const textsOf = (leaves: typeof one) => leaves.filter(([, value]) => typeof value === 'string').length;
      if (textsOf(one) !== textsOf(other)) reads.warn(warnings.numbers);
    },
  ),
  row(
    'DPP-FULL-4',
    'A value has the type that it names, and a resource its address and type.',
    'EN 18223, 4.1.2.5: BaSyx Go, openEPCIS; EN 18223, 4.1.2.7: BaSyx Go, openEPCIS',
    async (reads) => {
      for (const { element } of await fullOf(reads)) {
        const fault = valueFault(element);
        check(fault === undefined, `an element has a wrong value: ${fault}`);
      }
    },
  ),
  row(
    'DPP-HIST-1',
    'The read of this moment and of the future is the passport.',
    'EN 18222, 4.4: BaSyx Go, UA-CloudLibrary, OwnYourData',
    async ({ known, dated }) => {
      const { id, passport } = await known();
      for (const date of [later(), later(366)]) {
        const past = passportOf(await dated(id, date), byDate(id)).passport;
        check(
          isEqual(past, passport),
          `date=${date} must give what the read by id gives, and differs in ${namesOf(past, passport)}`,
        );
      }
    },
  ),
  row(
    'DPP-HIST-2',
    'A date between two changes gives an older version.',
    'EN 18222, 4.4: IDTA-01002, BaSyx Go, UA-CloudLibrary',
    async (reads) => {
      const { older, before, current } = await pastOf(reads);
      if (older === undefined) throw new NotTested('passport with an older version');
      const time = Date.parse(String(lastUpdatedOf(older)));
      check(
        time <= Date.parse(before),
        `date=${before} must give what was there, gives lastUpdated ${String(lastUpdatedOf(older))}`,
      );
      const [past, present] = [older, current].map(({ lastUpdated: _, lastUpdate: __, ...rest }) => rest);
      if (isEqual(past, present))
        reads.warn(`date=${before} gives the present values: whether it would give older ones was not seen.`);
    },
  ),
  row(
    'DPP-HIST-3',
    'A date before the first version gets 404.',
    'EN 18222, 4.4: BaSyx Go, CIR4FUN, UA-CloudLibrary',
    async ({ ask, dated, known, refused }) => {
      const { id } = await known();
      await dated(id, later());
      await refused(ask(byDate(id), { date: later() }), { query: { date: '1990-01-01T00:00:00Z' } }, 404);
    },
  ),
  row(
    'DPP-HIST-4',
    'The same moment with another offset, or with a fraction, gives the same.',
    'EN 18222, 4.4: BaSyx Go, OwnYourData',
    async (reads) => {
      const { id, before } = await pastOf(reads);
      const local = `${new Date(Date.parse(before) + 7_200_000).toISOString().slice(0, -1)}+02:00`;
      const plain = await reads.dated(id, before);
      for (const date of [local, before.replace('Z', '000Z')]) {
        const reply = await reads.dated(id, date);
        const isSame = reply.status === plain.status && (reply.status !== 200 || isEqual(reply.json, plain.json));
        check(
          isSame,
          `date=${date} must give the same as ${before} (${plain.status}), gives ${reply.status === plain.status ? 'other values' : reply.status}`,
        );
      }
    },
  ),
  row(
    'DPP-HIST-5',
    'A missing or invalid date gets 400.',
    `EN 18222, 4.4: ${all}; EN 18222, 7.2: table 15`,
    async ({ ask, dated, known, refused }) => {
      const { id } = await known();
      await dated(id, later());
      for (const query of [{}, { date: 'not-a-date' }, { date: '2026-02-30T00:00:00Z' }])
        await refused(ask(byDate(id), { date: later() }), { query }, 400);
    },
  ),
  row(
    'DPP-HIST-6',
    'A value that was never public is not in the past either.',
    'robustness: what was never public is not in a public archive either',
    async ({ dated }, { restricted }) => {
      if (restricted === undefined) throw new NotTested('value that is not public');
      let date = later();
      for (let versions = 0; versions < 5; versions += 1) {
        const reply = await dated(restricted.id, date);
        checkHidden(reply, restricted.value, `GET ${byDate(restricted.id)} with date=${date}`);
        checkHidden(
          await dated(restricted.id, date, { representation: 'full' }),
          restricted.value,
          'the full form of the past',
        );
        const time = Date.parse(String(lastUpdatedOf(passportIn(reply.json)?.passport ?? {})));
        if (reply.status !== 200 || Number.isNaN(time)) return;
        date = new Date(time - 1).toISOString();
      }
    },
  ),
  row(
    'DPP-HIST-7',
    'At the moment of a change, the passport is the old or the new one.',
    'EN 18222, 4.4: IDTA-01002, BaSyx Go and UA-CloudLibrary for the new one, OwnYourData for the old one',
    async (reads) => {
      const { id, older, current, at } = await pastOf(reads);
      if (older === undefined) throw new NotTested('passport with an older version');
      const { passport } = passportOf(await reads.dated(id, at), byDate(id));
      check(
        isEqual(passport, current) || isEqual(passport, older),
        `date=${at}, a change: the passport is neither the old nor the new one`,
      );
      if (isEqual(passport, older) && !isEqual(older, current))
        reads.warn(
          'The sources differ: at a change the passport is the new one in BaSyx Go, the old one in OwnYourData.',
        );
    },
  ),
  row(
    'DPP-EL-1',
    'The normalised path of an element gives its value.',
    'EN 18222, 6.2: BaSyx Go, openEPCIS; RFC 9535, 2.7: normalized paths',
    async ({ ask, send, sendFaulty, known, warn }) => {
      const { id, passport } = await known();
      const { steps, value } = pathIn(passport);
      const { status, json } = await send(ask(element(id, normalised(steps))));
      check(status === 200, `${normalised(steps)} must get 200, gets ${status}`);
      const found = isRecord(json) && 'payload' in json ? json.payload : json;
      check(isEqual(found, value), `${normalised(steps)} must give ${shown(value)}, gives ${shown(json)}`);
      if (!steps.every((step) => /^\w+$/.test(step))) return;
      const dots = await sendFaulty(ask(element(id, `$.${steps.join('.')}`)));
      if (dots.status !== 200)
        warn(
          `The sources differ: $.a.b is a path in openEPCIS and OpenDPP, not in BaSyx Go. Here it gets ${dots.status}.`,
        );
    },
  ),
  row(
    'DPP-EL-2',
    'A path that is not one gets 400, and a missing element 404.',
    'EN 18222, 6.2: CIR4FUN, UA-CloudLibrary; EN 18222, 7.2: table 15',
    async ({ ask, known, refused }) => {
      const { id, passport } = await known();
      const good = ask(element(id, normalised(pathIn(passport).steps)));
      await refused(good, { path: element(id, '$[') }, 400);
      await refused(good, { path: element(id, "$['no-such-element']['x']") }, 404, {
        400: 'The sources differ: a missing element gets 404 in CIR4FUN and UA-CloudLibrary, 400 in BaSyx Go.',
        501: 'The sources differ: a missing element gets 404 in UA-CloudLibrary; CIR4FUN has 501 for some paths.',
      });
    },
  ),
  row(
    'DPP-EL-3',
    'A hidden element gets the same response as one that does not exist.',
    'openapi.yaml, readDataElement: a hidden element gets the 404 of a missing one',
    async ({ ask, sendFaulty, known, refused }, { restricted }) => {
      const path = restricted?.element;
      if (restricted === undefined || path === undefined) throw new NotTested('value that is not public');
      const good = ask(byId((await known()).id));
      const at = element(restricted.id, path);
      checkHidden(await sendFaulty(ask(at)), restricted.value, `GET ${at}`);
      const [hidden, missing] = [
        await refused(good, { path: at }, 404),
        await refused(good, { path: element(restricted.id, "$['no_such_element']") }, 404),
      ];
      check(
        isEqual(lasting(hidden.json), lasting(missing.json)),
        'a hidden element must get the same body as a missing one',
      );
    },
    { isOfKit: true },
  ),
  row(
    'DPP-EL-4',
    'representation=full gives the element, with its id.',
    'EN 18222, 6.2: BaSyx Go, openEPCIS; EN 18222, 8.2: table 18',
    async ({ ask, send, known }) => {
      const { id, passport } = await known();
      const { steps } = pathIn(passport);
      const { status, json } = await send(ask(element(id, normalised(steps)), { representation: 'full' }));
      const found = isRecord(json) && isRecord(json.payload) ? json.payload : json;
      const isElement =
        status === 200 && isRecord(found) && found.elementId === steps.at(-1) && elementFault(found) === undefined;
      check(
        isElement,
        `${normalised(steps)} with representation=full must give an element with the id ${steps.at(-1)}, gives ${status} ${shown(json)}`,
      );
    },
  ),
  row(
    'DPP-TLS-1',
    'TLS is 1.2 or later, HTTP/2 is offered, and plain HTTP has no passport.',
    'EN 18216, 4: openEPCIS, OwnYourData',
    async ({ known, warn }, _facts, { provider }) => {
      const { id } = await known();
      await checkTransport(new URL(`${provider.site_url}${byId(id)}`), warn);
    },
  ),
];

/** The claims by the beginning of the id. */
const claimsOfIds: Readonly<Record<string, DppClaim>> = {
  'DPP-FULL': 'dpp-full',
  'DPP-HIST': 'dpp-history',
  'DPP-EL': 'dpp-elements',
  'DPP-TLS': 'dpp-transport',
};

const operationsOfIds: readonly (readonly [beginning: RegExp, path: string, method: string])[] = [
  [/^DPP-PROD/, 'dppsByProductId/{productId}', 'get'],
  [/^DPP-IDS/, 'dppsByProductIds', 'post'],
  [/^DPP-HIST/, 'dppsByIdAndDate/{dppId}', 'get'],
  [/^DPP-EL/, 'dpps/{dppId}/elements/{elementIdPath}', 'get'],
  [/^/, 'dpps/{dppId}', 'get'],
];

export type DppCase = Case<DppClaim> & { readonly source: string };

/** All cases. `facts` are what they work with. */
export function dppCases(facts: Facts = {}): readonly DppCase[] {
  return rows.map(({ id, title, source, run, needs = ['passport'], isOfKit = false }) => {
    const [, path = '', method = ''] = operationsOfIds.find(([beginning]) => beginning.test(id)) ?? [];
    return {
      ...{ id, title, source, needs },
      claim: claimsOfIds[id.replace(/-\d+$/, '')] ?? 'dpp',
      ...(isOfKit && { also: 'core' as const }),
      clause: `/paths/~1dpp~1v1~1${path.replaceAll('/', '~1')}/${method}`,
      run: async (context) => run(readsOf(context, facts), facts, context),
    };
  });
}

/** A moment after now, in days. A minute more: clocks differ. */
function later(days = 0): string {
  return new Date(Date.now() + 60_000 + days * 86_400_000).toISOString();
}

/** The members that differ, for a message. */
function namesOf(one: Passport, other: Passport): string {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names]
    .filter((name) => !isEqual(one[name], other[name]))
    .slice(0, 5)
    .join(', ');
}

/** Who puts the ids there. */
function namedIn(at: string): string {
  if (at === '/items') return 'BaSyx Go';
  if (at === '/dppIds') return 'openEPCIS';
  if (at === '/data') return 'UA-CloudLibrary';
  return at === '/payload/dppIdentifiers' ? 'CIR4FUN' : 'OwnYourData';
}

function checkHidden({ text }: Reply, value: string, line: string): void {
  const isShown = text.includes(value) || text.includes(JSON.stringify(value).slice(1, -1));
  check(!isShown, `${line} shows a value that is not public`, { exposes: 'hidden value' });
}

async function fullPassport({ known, passportAt }: Reads): Promise<Passport> {
  const { id } = await known();
  const passport = await passportAt(byId(id), { representation: 'full' });
  check(Array.isArray(passport.elements), `elements must be a list, is ${shown(passport.elements)}`);
  return passport;
}

/** Every element of the full form. */
async function fullOf(reads: Reads) {
  const { elements } = await fullPassport(reads);
  const found = [...walkElements(elements as readonly unknown[])];
  check(found.length > 0, 'elements must have at least one element');
  return found;
}

/** The moment of the last change, the moment before it, and what was there then. */
async function pastOf({ known, dated }: Reads) {
  const { id, passport: current } = await known();
  const at = String(lastUpdatedOf(current));
  check(!Number.isNaN(Date.parse(at)), `lastUpdated must be a time, is ${at}`);
  const before = new Date(Date.parse(at) - 1).toISOString();
  const reply = await dated(id, before);
  const older = reply.status === 404 ? undefined : passportOf(reply, byDate(id)).passport;
  return { id, current, at, before, older };
}

/** The first element of the compressed form: one inside of another, if there is one. */
function pathIn(passport: Passport): { steps: readonly string[]; value: unknown } {
  const elements = elementsOf(passport);
  const [first] = elements;
  if (first === undefined) throw new NotTested('passport with an element');
  const nested = elements.flatMap(([id, value]) =>
    isRecord(value) ? Object.entries(value).map((one) => [id, ...one] as const) : [],
  );
  const [outer, name, value] = nested[0] ?? [];
  return outer === undefined ? { steps: [first[0]], value: first[1] } : { steps: [outer, String(name)], value };
}

/** A body without what differs in each response. */
function lasting(json: unknown): unknown {
  return JSON.parse(
    JSON.stringify(json ?? null, (name, value) => (/^(?:timestamp|correlationId)$/.test(name) ? undefined : value)),
  );
}

/** A value as text, without its unit and its language. */
function plain(value: unknown): unknown {
  if (Array.isArray(value) && value.every((one) => isRecord(one) && 'language' in one)) return plain(value[0]);
  return isRecord(value) && 'value' in value ? plain(value.value) : value;
}
