/** PROD: creations and paths that the provider must refuse. */
import { passportPath, productPath } from '../api.ts';
import { type Ask, type Case, check, family, notFound, refuses } from '../case.ts';
import { createControl } from './products.ts';

const schemas = '/components/schemas/CreateProduct/properties';

const gtins = family('PROD-2', { claim: 'core', clause: `${schemas}/gtin` });
const slugs = family('PROD-3', { claim: 'reference', clause: `${schemas}/slug` });
const names = family('PROD-4', { claim: 'reference', clause: `${schemas}/name` });
const groups = family('PROD-5', { claim: 'reference', clause: `${schemas}/product_group` });
const text = family('PROD-6', { claim: 'reference', clause: '/x-rules-for-providers/refused-bodies' });
const paths = family('PROD-7', { claim: 'reference', clause: '/components/parameters/Slug' });

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

/** The control succeeds. With this body in place of its own it gets 400. */
const refusesBody = (body: Pick<Ask, 'json' | 'raw'>, code = 'invalid_request'): Case['run'] =>
  refuses(createControl, body, { status: 400, code });

/** The control with other members gets 400. */
const refusesWith = (members: object, code?: string): Case['run'] =>
  refusesBody({ json: { ...good, ...members } }, code);

export const productRefusals: readonly Case[] = [
  ...Object.entries(wrongLengths).map(([digits, gtin]) =>
    gtins(
      `refused-${digits}-digits`,
      `A GTIN of ${digits} digits gets 400.`,
      refuses(createControl, { json: { ...good, gtin } }, { status: 400 }),
    ),
  ),
  ...Object.entries({ ...wrongLengths, ...wrongGtins }).map(([which, gtin]) =>
    gtins.reference(
      `invalid-${which}`,
      `The GTIN ${JSON.stringify(gtin)} gets 400 invalid_gtin.`,
      refusesWith({ gtin }, 'invalid_gtin'),
    ),
  ),
  ...Object.entries({ gtin: gtins, slug: slugs, name: names, model: names, product_group: groups }).map(([field, of]) =>
    of.reference(
      `type-of-${field.replace('_', '-')}`,
      `A number as ${field} gets 400 invalid_request.`,
      refusesWith({ [field]: 95200011 }),
    ),
  ),
  ...Object.entries(wrongSlugs).map(([which, slug]) =>
    slugs(`invalid-${which}`, `The slug ${JSON.stringify(slug.slice(0, 20))} gets 400.`, refusesWith({ slug })),
  ),
  names.core(
    'absent',
    'A product without a name gets 400 name_required.',
    refusesWith({ name: undefined }, 'name_required'),
  ),
  ...Object.entries(blankNames).map(([which, name]) =>
    names(which, `The name ${JSON.stringify(name)} gets 400 name_required.`, refusesWith({ name }, 'name_required')),
  ),
  ...Object.entries({ '501-characters': 'name', 'model-501-characters': 'model' }).map(([which, member]) =>
    names(which, `A ${member} of 501 characters gets 400 invalid_request.`, refusesWith({ [member]: 'v'.repeat(501) })),
  ),
  ...Object.entries({ array: [good], string: 'Verify', number: 7, null: null }).map(([which, json]) =>
    names(`body-${which}`, `A body that is not an object (${which}) gets 400 invalid_request.`, refusesBody({ json })),
  ),
  names('order', 'name_required comes before unknown_product_group and invalid_gtin.', async (context) => {
    const faults = { name: ' ', product_group: 'no-such-group', gtin: '1' };
    await refusesBody({ json: faults }, 'name_required')(context);
    await refusesBody({ json: { ...faults, name: 'Verify' } }, 'unknown_product_group')(context);
    await refusesBody({ json: { name: 'Verify', gtin: '1', slug: '' } }, 'invalid_gtin')(context);
  }),
  ...['verify-no-such-group', 'TEXTILE', ''].map((product_group, index) =>
    groups[index === 0 ? 'core' : 'reference'](
      `unknown-${index + 1}`,
      `The group ${JSON.stringify(product_group)} gets 400 unknown_product_group.`,
      refusesWith({ product_group }, 'unknown_product_group'),
    ),
  ),
  ...Object.entries(forbidden).map(([which, raw]) =>
    text(`forbidden-${which}`, `The body ${raw} gets 400 invalid_request.`, refusesBody({ raw })),
  ),
  ...Object.entries(hostilePaths).flatMap(([which, template]) =>
    (['GET', 'PUT'] as const).map((method) =>
      paths(
        `${which}-${method.toLowerCase()}`,
        `${method} ${template.slice(0, 60)} gets 404.`,
        async ({ world, refused }) => {
          const { slug } = await world.product('paths');
          const path = template.replace('{slug}', slug);
          const write = { method, path: passportPath(slug), json: [] };
          if (method === 'GET') await refused({ path: productPath(slug) }, { path }, notFound);
          else await refused(write, { path: `${path}/passport` }, notFound);
        },
      ),
    ),
  ),
  paths('upper-case', 'The slug in upper case gets 404.', async ({ world, refused }) => {
    const { slug } = await world.product('paths');
    await refused({ path: productPath(slug) }, { path: productPath(slug.toUpperCase()) }, notFound);
  }),
  paths.core('unknown', 'A slug that no product has gets 404 not_found.', async ({ world, refused }) => {
    const { slug } = await world.product('paths');
    for (const suffix of ['', '/passport', '/carriers']) {
      const unknown = `${productPath(`verify-unknown-${world.runId}`)}${suffix}`;
      const reply = await refused({ path: `${productPath(slug)}${suffix}` }, { path: unknown }, notFound);
      check(reply.json !== undefined, 'the error must be JSON');
    }
  }),
];
