/** GS1-3: every path of a Digital Link responds like the path of the GTIN alone. */
import { type Case, check, checkEqual, family } from '../case.ts';
import { linkPath } from '../public-paths.ts';

const needs = ['active product', 'GTIN'] as const;
const linkTypes = family('GS1-3', { claim: 'reference', clause: '/components/parameters/LinkType', needs });

/** The part after the GTIN: valid, and with a key qualifier outside of GS1's set 82. */
const paths = {
  Cpv: ['/22/2A', '/22/%20'],
  Batch: ['/10/LOT1', '/10/%20'],
  Serial: ['/21/SN1', '/21/%20'],
  CpvBatch: ['/22/2A/10/LOT1', '/22/2A/10/%20'],
  CpvSerial: ['/22/2A/21/SN1', '/22/2A/21/%20'],
  BatchSerial: ['/10/LOT1/21/SN1', '/10/LOT1/21/%20'],
  CpvBatchSerial: ['/22/2A/10/LOT1/21/SN1', '/22/2A/10/LOT1/21/%20'],
  Tpx: ['/235/ABC123', '/235/%20'],
} as const;

const parameters: Readonly<Record<string, string>> = {
  '22': '{cpv}',
  '10': '{batch}',
  '21': '{serial}',
  '235': '{tpx}',
};

export const digitalLinkPaths: readonly Case[] = [
  linkset('resolveGtin', ''),
  linkTypes('resolveGtin-repeated', 'linkType given twice gets 404 not_found.', async ({ world, refused }) => {
    const good = { path: await world.link(), query: 'linkType=linkset' };
    await refused(good, { query: 'linkType=linkset&linkType=linkset' }, { status: 404, code: 'not_found' });
  }),
  ...Object.entries(paths).flatMap(([name, [rest, malformed]]) => casesOf(`resolveGtin${name}`, rest, malformed)),
];

function casesOf(operationId: string, rest: string, malformed: string): Case[] {
  const path = `/01/{gtin}${template(rest)}`;
  const like = family('GS1-3', { claim: 'reference', clause: `/paths/${path.replaceAll('/', '~1')}/get`, needs });
  return [
    linkset(operationId, rest),
    like(`${operationId}-unknown`, `An unknown GTIN with ${rest} gets 404 not_found.`, async ({ world, refused }) => {
      const good = { path: `${await world.link()}${rest}` };
      await refused(good, { path: `${linkPath('09999999999994')}${rest}` }, { status: 404, code: 'not_found' });
    }),
    like(`${operationId}-gtin`, `/01/123${rest} gets 400 invalid_gtin.`, async ({ world, refused }) => {
      const good = { path: `${await world.link()}${rest}` };
      await refused(good, { path: `${linkPath('123')}${rest}` }, { status: 400, code: 'invalid_gtin' });
    }),
    like(`${operationId}-qualifier`, `/01/{gtin}${malformed} gets 400 invalid_request.`, async ({ world, refused }) => {
      const link = await world.link();
      await refused(
        { path: `${link}${rest}` },
        { path: `${link}${malformed}` },
        { status: 400, code: 'invalid_request' },
      );
    }),
  ];
}

function linkset(operationId: string, rest: string): Case {
  return linkTypes(
    `${operationId}-linkset`,
    `/01/{gtin}${rest}?linkType=linkset responds with the linkset.`,
    async ({ world, send }) => {
      const reply = await send({ path: `${await world.link()}${rest}`, query: 'linkType=linkset' });
      checkEqual(reply.status, 200, 'the status');
      check(typeof reply.json === 'object' && reply.json !== null, 'the linkset must be a JSON object');
    },
  );
}

/** `/22/2A/10/LOT1` as a path of openapi.yaml. */
function template(rest: string): string {
  return rest.replace(/\/(\d+)\/[^/]+/g, (_all, key: string) => `/${key}/${parameters[key]}`);
}
