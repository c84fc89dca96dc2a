/** PROD: creations and paths that the provider must refuse. */
import { passportPath, productPath } from '../api.ts';
import { type Case, check, family } from '../case.ts';
import { createControl } from './products.ts';

const schemas = '/components/schemas/CreateProduct/properties';

const gtins = family('PROD-2', { claim: 'core', clause: `${schemas}/gtin` });
const slugs = family('PROD-3', { claim: 'reference', clause: `${schemas}/slug` });
const names = family('PROD-4', { claim: 'reference', clause: `${schemas}/name` });
const groups = family('PROD-5', { claim: 'reference', clause: `${schemas}/product_group` });
const text = family('PROD-6', { claim: 'reference', clause: '/x-rules-for-providers/refused-bodies' });
const ofPath = { claim: 'reference', clause: '/components/parameters/Slug' } as const;
const paths = family('PROD-7', ofPath);
const writtenPaths = family('PROD-7', ofPath);

const invalid = { status: 400, code: 'invalid_request' };
const { json: good } = createControl;

const wrongLengths = { 7: '9520199', 9: '952000199', 10: '9520001991', 11: '95200019992', 15: '195200019990381' };
const wrongGtins = {
  letters: '952000199901A',
  empty: '',
  blank: ' ',
  'blank-before': ' 9520001999017',
  'blank-inside': '9520001 99901',
  hyphens: '952-0001-9990',
  'full-width': '９５２０００１９９９０１７',
  arabic: '٩٥٢٠٠٠١٩٩٩٠١٧',
  newline: '9520001999017\n',
  sign: '+952000199901',
};

const blankNames = { null: null, empty: '', blank: '   ', 'no-break-space': '\u00a0\u3000\t\n' };
const wrongSlugs = {
  'upper-case': 'Verify-Slug',
  underscore: 'verify_slug',
  'double-hyphen': 'verify--slug',
  'hyphen-first': '-verify',
  'hyphen-last': 'verify-',
  umlaut: 'verify-größe',
  slash: 'verify/slug',
  dots: '..',
  empty: '',
  long: 'v'.repeat(101),
};

/** Bodies with a part that the service refuses at any depth. */
const forbidden = {
  nul: String.raw`{"name":"Verify \u0000"}`,
  surrogate: String.raw`{"name":"Verify \ud83e"}`,
  'surrogate-reversed': String.raw`{"name":"\udde6\ud83e Verify"}`,
  'nul-in-model': String.raw`{"name":"Verify","model":"\u0000"}`,
  'nul-in-unknown-field': String.raw`{"name":"Verify","other":{"deep":["\u0000"]}}`,
  proto: '{"name":"Verify","__proto__":{"status":"active"}}',
  number: '{"name":"Verify","other":9007199254740993}',
};

/** Paths that must not lead to the product, nor to anything else. `{slug}` is the slug of a product. */
const hostilePaths = {
  parent: '/api/v1/products/..',
  'parent-encoded': '/api/v1/products/%2e%2e',
  'me-encoded': '/api/v1/products/..%2Fme',
  'slash-encoded': '/api/v1/products/{slug}%2Fpassport',
  nul: '/api/v1/products/{slug}%00',
  blank: '/api/v1/products/{slug}%20',
  newline: '/api/v1/products/{slug}%0A',
  'invalid-utf-8': '/api/v1/products/%FF{slug}',
  'invalid-encoding': '/api/v1/products/%zz',
  'twice-encoded': '/api/v1/products/%2576erify-paths',
  parameter: '/api/v1/products/{slug};a=b',
  extension: '/api/v1/products/{slug}.json',
  underscore: '/api/v1/products/verify_paths',
  sql: "/api/v1/products/{slug}'%20OR%20'1'='1",
  wildcard: '/api/v1/products/verify-path%25',
  long: `/api/v1/products/${'v'.repeat(5000)}`,
};

export const productRefusals: readonly Case[] = [
  ...Object.entries(wrongLengths).map(([digits, gtin]) =>
    gtins(`refused-${digits}-digits`, `A GTIN of ${digits} digits gets 400.`, async ({ refused }) => {
      await refused(createControl, { json: { ...good, gtin } }, { status: 400 });
    }),
  ),
  ...Object.entries({ ...wrongLengths, ...wrongGtins }).map(([which, gtin]) =>
    gtins(
      `invalid-${which}`,
      `The GTIN ${JSON.stringify(gtin)} gets 400 invalid_gtin.`,
      async ({ refused }) => {
        await refused(createControl, { json: { ...good, gtin } }, { status: 400, code: 'invalid_gtin' });
      },
      { claim: 'reference' },
    ),
  ),
  ...Object.entries({ gtin: gtins, slug: slugs, name: names, model: names, product_group: groups }).map(([field, of]) =>
    of(
      `type-of-${field.replace('_', '-')}`,
      `A number as ${field} gets 400 invalid_request.`,
      async ({ refused }) => {
        await refused(createControl, { json: { ...good, [field]: 95200011 } }, invalid);
      },
      { claim: 'reference' },
    ),
  ),
  ...Object.entries(wrongSlugs).map(([which, slug]) =>
    slugs(`invalid-${which}`, `The slug ${JSON.stringify(slug.slice(0, 20))} gets 400.`, async ({ refused }) => {
      await refused(createControl, { json: { ...good, slug } }, invalid);
    }),
  ),
  names(
    'absent',
    'A product without a name gets 400 name_required.',
    async ({ refused }) => {
      const { name: _, ...rest } = good;
      await refused(createControl, { json: rest }, { status: 400, code: 'name_required' });
    },
    { claim: 'core' },
  ),
  ...Object.entries(blankNames).map(([which, name]) =>
    names(which, `The name ${JSON.stringify(name)} gets 400 name_required.`, async ({ refused }) => {
      await refused(createControl, { json: { ...good, name } }, { status: 400, code: 'name_required' });
    }),
  ),
  names('501-characters', 'A name of 501 characters gets 400 invalid_request.', async ({ refused }) => {
    await refused(createControl, { json: { ...good, name: 'v'.repeat(501) } }, invalid);
  }),
  names('model-501-characters', 'A model of 501 characters gets 400 invalid_request.', async ({ refused }) => {
    await refused(createControl, { json: { ...good, model: 'v'.repeat(501) } }, invalid);
  }),
  ...Object.entries({ array: [good], string: 'Verify', number: 7, null: null }).map(([which, json]) =>
    names(`body-${which}`, `A body that is not an object (${which}) gets 400 invalid_request.`, async ({ refused }) => {
      await refused(createControl, { json }, invalid);
    }),
  ),
  names('order', 'name_required comes before unknown_product_group and invalid_gtin.', async ({ refused }) => {
    const faults = { name: ' ', product_group: 'no-such-group', gtin: '1' };
    await refused(createControl, { json: faults }, { status: 400, code: 'name_required' });
    await refused(
      createControl,
      { json: { ...faults, name: 'Verify' } },
      { status: 400, code: 'unknown_product_group' },
    );
    await refused(
      createControl,
      { json: { name: 'Verify', gtin: '1', slug: '' } },
      { status: 400, code: 'invalid_gtin' },
    );
  }),
  ...['verify-no-such-group', 'TEXTILE', ''].map((product_group, index) =>
    groups(
      `unknown-${index + 1}`,
      `The group ${JSON.stringify(product_group)} gets 400 unknown_product_group.`,
      async ({ refused }) => {
        const fault = { json: { ...good, product_group } };
        await refused(createControl, fault, { status: 400, code: 'unknown_product_group' });
      },
      { claim: index === 0 ? 'core' : 'reference' },
    ),
  ),
  ...Object.entries(forbidden).map(([which, raw]) =>
    text(`forbidden-${which}`, `The body ${raw} gets 400 invalid_request.`, async ({ refused }) => {
      await refused(createControl, { raw }, invalid);
    }),
  ),
  ...Object.entries(hostilePaths).flatMap(([which, template]) =>
    (['GET', 'PUT'] as const).map((method) =>
      (method === 'GET' ? paths : writtenPaths)(
        `${which}-${method.toLowerCase()}`,
        `${method} ${template.slice(0, 60)} gets 404.`,
        async (context) => {
          const { slug } = await context.world.product('paths');
          const path = template.replace('{slug}', slug);
          const read = { path: productPath(slug) };
          const write = { method: 'PUT', path: passportPath(slug), json: [] };
          const [control, fault] = method === 'GET' ? [read, { path }] : [write, { path: `${path}/passport` }];
          await context.refused(control, fault, { status: 404, code: 'not_found' });
        },
      ),
    ),
  ),
  paths('upper-case', 'The slug in upper case gets 404.', async ({ world, refused }) => {
    const { slug } = await world.product('paths');
    const expected = { status: 404, code: 'not_found' };
    await refused({ path: productPath(slug) }, { path: productPath(slug.toUpperCase()) }, expected);
  }),
  paths(
    'unknown',
    'A slug that no product has gets 404 not_found.',
    async ({ world, refused }) => {
      const { slug } = await world.product('paths');
      for (const suffix of ['', '/passport', '/carriers']) {
        const unknown = `${productPath(`verify-unknown-${world.runId}`)}${suffix}`;
        const expected = { status: 404, code: 'not_found' };
        const reply = await refused({ path: `${productPath(slug)}${suffix}` }, { path: unknown }, expected);
        check(reply.json !== undefined, 'the error must be JSON');
      }
    },
    { claim: 'core' },
  ),
];
