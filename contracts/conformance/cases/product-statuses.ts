/** STATUS: a key that may publish changes the status of products. */
import { productPath } from '../api.ts';
import { type Ask, type Case, type Context, checkEqual, family } from '../case.ts';
import { validStatus } from '../valid-requests.ts';
import { pagePath } from '../world.ts';

const clause = '/paths/~1api~1v1~1products~1{slug}~1status/post';
const statuses = family('STATUS-1', { claim: 'reference', clause, needs: ['publishing key'] });

const publish = { status: 'active', accept_findings: true };
const archive = { status: 'archived' };

/** All cases use one product. Each leaves it archived, so that nothing stays public. */
function statusCase(name: string, title: string, run: (context: Context, control: Ask, slug: string) => Promise<void>) {
  return statuses(name, title, async (context) => {
    const control = await validStatus(context);
    const { slug } = await context.world.product('statuses');
    await context.send(control);
    await run(context, control, slug);
  });
}

export const productStatuses: readonly Case[] = [
  statusCase(
    'publish',
    'A product that becomes active has a page, and an archived one has none.',
    async (context, control, slug) => {
      const { world, api, send } = context;
      const page = { path: pagePath({ tenant: world.tenant().slug, slug }) };
      for (const [json, status] of [
        [publish, 200],
        [archive, 404],
      ] as const) {
        const reply = await send({ ...control, json });
        const { status: pageStatus } = await send(page);
        checkEqual(reply.status, 200, `the status of the change to ${json.status}`);
        checkEqual(pageStatus, status, `the status of the page of a product that became ${json.status}`);
        checkEqual(await api.product(slug), reply.json, `getProduct after the change to ${json.status}`);
      }
    },
  ),
  statusCase(
    'repeat',
    'A status that the product has already gets 200, and changes nothing.',
    async (context, control, slug) => {
      const before = await context.api.product(slug);
      const reply = await context.send(control);
      checkEqual(reply.status, 200, 'the status');
      checkEqual(reply.json, before, 'the product');
    },
  ),
  statusCase(
    'not-ready',
    'A passport without values is not published unless the request accepts it.',
    async (context, control, slug) => {
      const { status, code } = await context.send({ ...control, json: { status: 'active' } });
      const product = await context.api.product(slug);
      await context.send(control);
      checkEqual({ status, code }, { status: 409, code: 'not_ready' }, 'the response');
      checkEqual(product.status, 'archived', 'the status of the product');
    },
  ),
  statusCase('key', 'A key that cannot publish gets 403 key_cannot_publish.', async ({ world, refused }, control) => {
    await refused(control, { key: world.tenant().api_key }, { status: 403, code: 'key_cannot_publish' });
  }),
  statusCase('draft', 'A product does not become a draft again.', async ({ refused }, control) => {
    await refused(control, { json: { status: 'draft' } }, { status: 400, code: 'invalid_request' });
  }),
  statuses(
    'unique',
    'A second product with the same battery_passport_id is not published while the first one is.',
    async (context) => {
      const { world, api, send } = context;
      const key = world.publishingKey();
      const value = { field_key: 'battery_passport_id', value: `verify-${world.runId}` };
      const ready = async (purpose: string, access_level: string): Promise<Ask> => {
        const { slug } = await world.product(purpose, { product_group: 'battery' });
        await api.put(slug, [{ ...value, access_level }]);
        return { method: 'POST', path: `${productPath(slug)}/status`, key };
      };
      const [first, second] = [await ready('unique', 'public'), await ready('unique-second', 'authority')];
      const published = await send({ ...first, json: publish });
      const path = second.path.replace(/status$/, 'passport');
      const written = await send({ method: 'PUT', path, json: [{ ...value, access_level: 'authority' }] });
      const { status, code } = await send({ ...second, json: publish });
      await send({ ...first, json: archive });
      const later = await send({ ...second, json: publish });
      await send({ ...second, json: archive });
      checkEqual(published.status, 200, 'the status of the first publication');
      checkEqual(written.headers['passport-findings'], '1', 'Passport-Findings after a write of the value');
      checkEqual({ status, code }, { status: 409, code: 'value_in_use' }, 'the response for the second product');
      checkEqual(later.status, 200, 'the status of the second product once the first one is archived');
    },
  ),
  statusCase(
    'order',
    'An unknown product gets 404 also with a key that cannot publish.',
    async ({ world, refused }, control) => {
      const fault = { path: `${productPath(`verify-unknown-${world.runId}`)}/status`, key: world.tenant().api_key };
      await refused(control, fault, { status: 404, code: 'not_found' });
    },
  ),
  statusCase('body', 'A change needs a status that exists.', async ({ refused }, control) => {
    for (const json of [{}, { status: 'sold' }, { status: null }]) {
      await refused(control, { json }, { status: 400, code: 'invalid_request' });
    }
  }),
];
