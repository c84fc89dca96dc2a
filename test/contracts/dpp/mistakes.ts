/** Wrong providers of the EU's read interface: the twin with one mistake each, by the case that finds it. */
import { isRecord } from '@product-passport/openapi';
import { type Asked, item, model, type Respond, restricted, type Said, twin } from './twin.ts';

type Json = Readonly<Record<string, unknown>>;

const correct = twin();

/** Other responses to some requests. `undefined`: that of the correct provider. */
const instead =
  (other: (asked: Asked, said: Said) => Said | undefined): Respond =>
  (asked) => {
    const said = correct(asked);
    return other(asked, said) ?? said;
  };

/** Other passports. */
const passport = (change: (passport: Json, asked: Asked) => unknown): Respond =>
  instead((asked, { status, json }) =>
    isRecord(json) && 'digitalProductPassportId' in json ? { status, json: change(json, asked) } : undefined,
  );

const readsOf =
  (root: string) =>
  ({ segments }: Asked): boolean =>
    segments?.[0] === root;
const isById = readsOf('dpps');
const isByProduct = readsOf('dppsByProductId');
const isDated = readsOf('dppsByIdAndDate');
const isBatch = readsOf('dppsByProductIds');

/** Other elements of the full form. */
const elements = (change: (elements: readonly Json[]) => readonly unknown[]): Respond =>
  passport((one) => (Array.isArray(one.elements) ? { ...one, elements: change(one.elements) } : one));

/** The request with other parameters. */
const asking = (asked: Asked, change: (query: URLSearchParams) => void): Said => {
  const query = new URLSearchParams(asked.query);
  change(query);
  return correct({ ...asked, query });
};

const idsIn = ({ json }: Said): readonly string[] => (Array.isArray(json) ? json : []);
const error = (status: number): Said => ({ status, json: { message: [{ messageType: 'Error', text: 'No.' }] } });

/** A correct provider: the model has further passports, in pages of ten. */
export const withPassports =
  (count: number): Respond =>
  (asked) => {
    const { limit = '10', cursor = 'after-0' } = Object.fromEntries(asked.query);
    if (!isBatch(asked) || !/^after-\d+$/.test(cursor) || !/^[1-9]\d*$/.test(limit)) return correct(asked);
    const said = correct({ ...asked, query: new URLSearchParams() });
    const more = Array.from(
      { length: idsIn(said).includes(model.id) ? count : 0 },
      (_, index) => `${model.id}/${index}`,
    );
    const start = Number(cursor.slice('after-'.length));
    const end = start + Number(limit);
    const json = said.status === 200 ? [...more, ...idsIn(said)].slice(start, end) : said.json;
    const isEnd = end >= more.length + idsIn(said).length;
    return { status: said.status, json, ...(!isEnd && { headers: { link: `</?cursor=after-${end}>; rel="next"` } }) };
  };

/** A correct provider whose last change was of a value that is not public. */
export const withSamePast: Respond = passport((one) => ({ ...one, mass: { value: 13, unit: 'kg' } }));

/** Anybody can write: what a write names is then another passport. */
function writable(by: string): Respond {
  const written = new Set<string | undefined>();
  return ({ method, segments, ...rest }) => {
    const id = segments?.[1];
    if (method === by) written.add(id);
    const said = correct({ ...rest, method: 'GET', segments: written.has(id) ? ['dpps', item.id] : segments });
    if (method !== 'GET' && method !== by) return correct({ method, segments, ...rest });
    return written.has(id) && isRecord(said.json) ? { ...said, json: { ...said.json, lastUpdated: 'now' } } : said;
  };
}

/** Mistakes that only a provider of the first interface, too, can make. */
export const mistakesOfKit: typeof mistakes = [
  ['DPP-ID-2', 'no passport of its own documents', instead((asked) => (isById(asked) ? error(404) : undefined))],
  [
    'DPP-LEAK-2',
    'a draft can be read',
    instead((asked) => {
      const isDraft = asked.segments?.[1]?.includes('/draft') ?? false;
      return isById(asked) && isDraft ? correct({ ...asked, segments: ['dpps', item.id] }) : undefined;
    }),
  ],
  [
    'DPP-LEAK-2',
    'a batch that forgets the status',
    instead((asked, said) =>
      isBatch(asked) && JSON.stringify(asked.json).includes('/old')
        ? { ...said, json: [item.id, item.id.replace('battery', 'old')] }
        : undefined,
    ),
  ],
  ['DPP-SAME-2', 'a second mapping that lags', passport((one) => ({ ...one, made: '2026-02-01' }))],
  [
    'DPP-EL-3',
    'a hidden element is forbidden',
    instead(({ segments }) => (segments?.[3] === restricted.element ? error(403) : undefined)),
  ],
  [
    'DPP-EL-3',
    'a hidden element can be read',
    instead(({ segments }) =>
      segments?.[3] === restricted.element ? { status: 200, json: restricted.value } : undefined,
    ),
  ],
  [
    'DPP-EL-3',
    'a hidden element has its own words',
    instead(({ segments }, { status }) => (segments?.[3] === restricted.element ? error(status) : undefined)),
  ],
];

export const mistakes: readonly (readonly [id: string, mistake: string, respond: Respond])[] = [
  [
    'DPP-ID-1',
    'the id is that of the product',
    passport((one) => ({ ...one, digitalProductPassportId: one.uniqueProductIdentifier })),
  ],
  ['DPP-ID-1', 'reads need a login', instead(() => error(401))],
  ['DPP-ID-2', 'there is no operator', passport(({ economicOperatorId: _, ...rest }) => rest)],
  ['DPP-ID-3', 'a local time', passport((one) => ({ ...one, lastUpdated: '2026-05-01T12:00:00+02:00' }))],
  ['DPP-ID-4', 'another granularity', passport((one) => ({ ...one, granularity: 'product' }))],
  ['DPP-ID-5', 'null for a missing member', passport((one) => ({ ...one, facilityId: null }))],
  ['DPP-ID-6', 'an envelope', passport((one) => ({ statusCode: 'Success', payload: one }))],
  [
    'DPP-ID-7',
    'a page for an unknown id',
    instead((asked, { status }) => (isById(asked) && status === 404 ? { status, text: '<h1>404</h1>' } : undefined)),
  ],
  [
    'DPP-ID-7',
    'null for an unknown id',
    instead((asked, { status }) => (isById(asked) && status === 404 ? { status: 200, json: null } : undefined)),
  ],
  [
    'DPP-PROD-1',
    'a second, stale store',
    passport((one, asked) => (isByProduct(asked) ? { ...one, mass: { value: 12, unit: 'kg' } } : one)),
  ],
  [
    'DPP-PROD-2',
    'a router that decodes twice',
    instead((asked) => correct({ ...asked, segments: asked.segments?.map(decodeURIComponent) })),
  ],
  [
    'DPP-PROD-2',
    'a proxy that merges slashes',
    instead((asked) =>
      correct({
        ...asked,
        segments: asked.segments?.map((one) => (isByProduct(asked) ? one.replaceAll('//', '/') : one)),
      }),
    ),
  ],
  [
    'DPP-PROD-3',
    'the beginning of an identifier is enough',
    instead((asked) => {
      const [root = '', id = ''] = asked.segments ?? [];
      const found = [item, model].find(({ product }) => product.startsWith(id) || id.startsWith(product));
      return isByProduct(asked) && found ? correct({ ...asked, segments: [root, found.product] }) : undefined;
    }),
  ],
  [
    'DPP-PROD-4',
    'an empty 200 for an unknown product',
    instead((asked, { status }) => (isByProduct(asked) && status === 404 ? { status: 200, json: {} } : undefined)),
  ],
  [
    'DPP-IDS-1',
    'ids of products',
    instead((asked, said) =>
      isBatch(asked) && said.status === 200
        ? { ...said, json: idsIn(said).map((id) => (id === item.id ? item : model).product) }
        : undefined,
    ),
  ],
  [
    'DPP-IDS-2',
    'nothing, if one is unknown',
    instead((asked, said) =>
      isBatch(asked) && Object.values(Object(asked.json)).flat().length > idsIn(said).length && said.status === 200
        ? { status: 200, json: [] }
        : undefined,
    ),
  ],
  [
    'DPP-IDS-2',
    'every passport for any product',
    instead((asked, said) =>
      isBatch(asked) && said.status === 200 ? { ...said, json: [item.id, model.id] } : undefined,
    ),
  ],
  [
    'DPP-IDS-2',
    'every passport for a known product',
    instead((asked, said) =>
      isBatch(asked) && idsIn(said).length > 0 ? { ...said, json: [item.id, model.id] } : undefined,
    ),
  ],
  [
    'DPP-IDS-3',
    'an id for each mention',
    instead((asked, said) => {
      const asks = Object.values(Object(asked.json)).flat();
      return isBatch(asked) && new Set(asks).size < asks.length
        ? { ...said, json: idsIn(said).flatMap((id) => [id, id]) }
        : undefined;
    }),
  ],
  [
    'DPP-IDS-4',
    'limit is ignored',
    instead((asked) =>
      isBatch(asked) && asked.query.get('limit') === '1' ? asking(asked, (query) => query.delete('limit')) : undefined,
    ),
  ],
  [
    'DPP-IDS-4',
    'a cursor that never ends',
    instead((asked, said) =>
      isBatch(asked) && asked.query.get('limit') === '1'
        ? { ...said, headers: { link: '</?cursor=after-0>; rel="next"' } }
        : undefined,
    ),
  ],
  [
    'DPP-IDS-4',
    'new cursors for ever',
    instead((asked, said) => {
      const { limit, cursor = 'after-0' } = Object.fromEntries(asked.query);
      const next = `</?cursor=after-${Number(cursor.slice(6)) + 1}>; rel="next"`;
      return isBatch(asked) && limit === '1' ? { ...said, headers: { link: next } } : undefined;
    }),
  ],
  [
    'DPP-IDS-5',
    'a made-up cursor starts again',
    instead((asked, { status }) =>
      isBatch(asked) && status === 400 && asked.query.has('cursor')
        ? asking(asked, (query) => query.delete('cursor'))
        : undefined,
    ),
  ],
  [
    'DPP-IDS-6',
    'everything for a wrong limit',
    instead((asked, { status }) =>
      isBatch(asked) && status === 400 && asked.query.has('limit')
        ? asking(asked, (query) => query.delete('limit'))
        : undefined,
    ),
  ],
  [
    'DPP-IDS-7',
    '500 for a broken body',
    instead((asked) => (isBatch(asked) && asked.json === undefined ? error(500) : undefined)),
  ],
  [
    'DPP-IDS-7',
    'an empty list finds nothing',
    instead((asked) =>
      isBatch(asked) && Object.values(Object(asked.json)).flat().length === 0 ? { status: 200, json: [] } : undefined,
    ),
  ],
  [
    'DPP-ERR-1',
    "the framework's own error",
    instead((_, { status }) =>
      status >= 400 ? { status, json: { statusCode: status, error: 'Not Found' } } : undefined,
    ),
  ],
  [
    'DPP-ERR-2',
    'a crash on a percent sign',
    instead(({ segments }) => (segments === undefined ? error(500) : undefined)),
  ],
  [
    'DPP-ERR-3',
    'a patch without credentials',
    instead((asked) => (asked.method === 'PATCH' ? correct({ ...asked, method: 'GET' }) : undefined)),
  ],
  [
    'DPP-ERR-3',
    'a deletion without credentials',
    instead(({ method }) => (method === 'DELETE' ? { status: 200, json: {} } : undefined)),
  ],
  ['DPP-ERR-3', 'anybody makes a passport', writable('PUT')],
  ['DPP-ERR-3', 'an empty patch sets the time', writable('PATCH')],
  ['DPP-ERR-3', 'a crash', instead(({ method }) => (method === 'PUT' ? error(500) : undefined))],
  [
    'DPP-REP-1',
    'full by default',
    instead((asked) =>
      asked.query.has('representation') ? undefined : asking(asked, (query) => query.set('representation', 'full')),
    ),
  ],
  [
    'DPP-REP-2',
    '500 for an unknown representation',
    instead(({ query }, { status }) => (status === 400 && query.has('representation') ? error(500) : undefined)),
  ],
  [
    'DPP-LEAK-1',
    'one route filters nothing',
    elements((list) => [
      ...list,
      {
        elementId: 'biocide',
        objectType: 'SingleValuedDataElement',
        valueDataType: 'xsd:string',
        value: restricted.value,
      },
    ]),
  ],
  ['DPP-SAME-1', 'a serial number on a model', passport((one) => ({ ...one, granularity: 'model' }))],
  ['DPP-FULL-1', 'elements without a type', elements((list) => list.map(({ objectType: _, ...rest }) => rest))],
  ['DPP-FULL-2', 'an id twice', elements((list) => [...list, ...list.slice(0, 1)])],
  ['DPP-FULL-3', 'a value is missing in full', elements((list) => list.slice(0, -1))],
  ['DPP-FULL-3', 'a value is missing in compressed', passport(({ made: _, ...rest }) => rest)],
  [
    'DPP-FULL-3',
    'an equal value of a list is missing',
    passport((one) => ({ ...one, ...('elements' in one ? {} : { cells: [7, 7, 12] }) })),
  ],
  [
    'DPP-FULL-3',
    'an equal value of a list is missing in compressed',
    elements((list) => [...list, ...list.slice(0, 1)]),
  ],
  [
    'DPP-FULL-4',
    'a day that is called a number',
    elements((list) => list.map((one) => (one.elementId === 'made' ? { ...one, valueDataType: 'xsd:integer' } : one))),
  ],
  ['DPP-FULL-4', 'a resource without its type', elements((list) => list.map(({ contentType: _, ...rest }) => rest))],
  [
    'DPP-HIST-1',
    'nothing in the future',
    instead((asked) =>
      isDated(asked) && Date.parse(asked.query.get('date') ?? '') > Date.now() ? error(404) : undefined,
    ),
  ],
  [
    'DPP-HIST-2',
    'always the latest',
    instead((asked, { status }) =>
      isDated(asked) && status === 200
        ? correct({ ...asked, segments: ['dpps', asked.segments?.[1] ?? ''] })
        : undefined,
    ),
  ],
  [
    'DPP-HIST-3',
    'the first version for all time',
    instead((asked, { status }) =>
      isDated(asked) && status === 404 && asked.query.get('date')?.startsWith('1990')
        ? asking(asked, (query) => query.set('date', '2026-04-02T00:00:00Z'))
        : undefined,
    ),
  ],
  [
    'DPP-HIST-4',
    'the offset is dropped',
    instead((asked) =>
      isDated(asked)
        ? asking(asked, (query) => query.set('date', (query.get('date') ?? '').replace(/\+.*/, 'Z')))
        : undefined,
    ),
  ],
  [
    'DPP-HIST-4',
    'no fraction',
    instead((asked) => (isDated(asked) && /\.\d{6}Z/.test(asked.query.get('date') ?? '') ? error(400) : undefined)),
  ],
  [
    'DPP-HIST-5',
    'now, if there is no date',
    instead((asked) =>
      isDated(asked) && !asked.query.has('date')
        ? asking(asked, (query) => query.set('date', new Date().toISOString()))
        : undefined,
    ),
  ],
  [
    'DPP-HIST-6',
    'an old version has more',
    passport((one) => (String(one.lastUpdated).startsWith('2026-04') ? { ...one, biocide: restricted.value } : one)),
  ],
  [
    'DPP-HIST-7',
    'a mixture at a change',
    passport((one, asked) =>
      asked.query.get('date') === one.lastUpdated ? { ...one, mass: { value: 12.5, unit: 'kg' } } : one,
    ),
  ],
  [
    'DPP-EL-1',
    'a value as text',
    instead(({ segments }, { status, json }) =>
      segments?.[2] === 'elements' && status === 200 && typeof json === 'number'
        ? { status, json: String(json) }
        : undefined,
    ),
  ],
  [
    'DPP-EL-2',
    'null for a missing element',
    instead(({ segments }, { status }) =>
      segments?.[2] === 'elements' && status === 404 ? { status: 200, json: null } : undefined,
    ),
  ],
  ['DPP-EL-2', '500 for a broken path', instead(({ segments }) => (segments?.[3] === '$[' ? error(500) : undefined))],
  [
    'DPP-EL-4',
    'a bare value in full',
    instead((asked) =>
      asked.segments?.[2] === 'elements' ? asking(asked, (query) => query.delete('representation')) : undefined,
    ),
  ],
];
