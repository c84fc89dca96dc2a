/** Mistakes of the reads below `/dpp/v1`, against the cases that follow from the contract. */
import type { Passport } from '@product-passport/sdk';
import type { Route } from '../call.ts';
import { withBody, withStatus } from '../change.ts';
import { type WrongProvider, wrong } from '../row.ts';

const reads: Route = { path: /^\/dpp\/v1\/dpps/ };
const hidden = 'must show no hidden value';

export const euReads: readonly WrongProvider[] = [
  wrong('eu-reads-other-method-404', 'Below /dpp/v1 an undocumented method gets the 404 of an unknown path.')
    .failsIn('HTTP-3.readDppById', 'the status of', 'HTTP-3.readD')
    .status(reads, 405, 404),
  wrong('eu-reads-without-options', 'Below /dpp/v1 OPTIONS gets 404, so no other site can read.')
    .failsIn('HTTP-3.options-readDppById', 'the status', 'HTTP-3.options-readD')
    .status({ ...reads, method: 'OPTIONS' }, 204, 404),
  wrong('eu-reads-head-404', 'Below /dpp/v1 HEAD gets 404.')
    .failsIn('HTTP-3.head-readDppById', 'the status of HEAD', 'HTTP-3.head-readD')
    .responds({ ...reads, method: 'HEAD' }, (response) => withStatus(response, 404)),
  wrong('eu-reads-unknown-path-400', 'An unknown path below /dpp/v1 gets 400.')
    .failsIn('HTTP-4.dpp-v1', 'must get 404', 'HTTP-4.dpp')
    .status({ path: /^\/dpp\/v1\/verify/ }, 404, 400),
  wrong('eu-reads-time-in-error', 'The errors below /dpp/v1 have a time, so no two are the same.')
    .failsIn('HTTP-7.readDppById', 'timestamp', 'HTTP-7.readD', 'LEAK-4.readD')
    .responds(reads, async (response) => {
      if (response.status < 400) return undefined;
      return withBody(
        response,
        (await response.text()).replace('{"m', `{"timestamp":"${new Date().toISOString()}","m`),
      );
    }),
  wrong('eu-reads-hidden-values', 'The reads below /dpp/v1 have every value, whoever asks.')
    .failsIn('LEAK-4.readDppById', hidden, 'LEAK-4.readD')
    .onStatus(reads, 200, async (response, call) => {
      const { tenant, slug } = call.provider.active_product;
      const key = call.provider.tenants.find((one) => one.slug === tenant)?.api_key;
      const passport = call.with({ key, method: 'GET' }).get(`/api/v1/products/${slug}/passport`);
      const { values } = await passport.reply<Passport>();
      return withBody(response, `${await response.text()}\n${JSON.stringify(values)}`);
    }),
];
