/** Each conformance case against the fake service of the SDK. */
import { expect, test } from '@jest/globals';
import { connectInProcess } from '../../contracts/conformance/http/connection.ts';
import { serviceWithStates } from '../../contracts/conformance/plan.ts';
import { readSets } from '../../contracts/conformance/requirements.ts';
import { testEachCase } from './cases.ts';

const ids = testEachCase(async () => {
  const siteUrl = 'http://passports.test';
  const { provider, fetch } = await serviceWithStates({ siteUrl });
  const connection = connectInProcess(fetch, siteUrl);
  return {
    provider,
    fetch,
    connect: ({ site_url = siteUrl }) => connectInProcess(fetch, site_url),
    connection: {
      ...connection,
      // No `Request` can have the method TRACE. PROPFIND is another one that no operation has.
      send: ({ method, ...request }) =>
        connection.send({ ...request, method: method === 'TRACE' ? 'PROPFIND' : method }),
    },
  };
});

test('every case has a test here, but for those of generated requests, clients, links and EU reads', () => {
  const published = [...readSets().keys()];
  expect(ids.sort()).toEqual(published.filter((id) => !/^(GEN|CLIENT|LINK|DPP)-/.test(id)).sort());
});
