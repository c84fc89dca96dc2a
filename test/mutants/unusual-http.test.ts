/** Unusual but correct providers over HTTP. Those in one process are in contracts/mutants/provider/mutants.test.ts. */
import { describe, expect, test } from '@jest/globals';
import { verify } from '../../contracts/conformance/verify.ts';
import { unusualOnTheWire } from '../../contracts/mutants/provider/unusual-http.ts';
import { createFakeService } from '../../sdk/src/testing/service/index.ts';
import { serveFetch } from '../support/serve-fetch.ts';

describe('an unusual provider is conformant over HTTP', () => {
  test.each(unusualOnTheWire)('$id: $freedom', async ({ wrap }) => {
    let handler = async (_request: Request): Promise<Response> => new Response(null, { status: 503 });
    const { url, close } = await serveFetch((request) => handler(request));
    try {
      const service = createFakeService({ siteUrl: url });
      handler = wrap(service);
      const { verdict, results } = await verify({ provider: service.provider, seed: 1, generated: 0 });
      const wrong = results.filter(({ status }) => status !== 'passed');
      expect(wrong.map(({ id, status, reasons }) => ({ id, status, reasons }))).toEqual([]);
      expect(verdict).toBe('conformant');
    } finally {
      await close();
    }
  });
});
