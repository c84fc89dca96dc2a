/** The reference server in this process, with the demo. */
import { createApp, openDatabase } from '@product-passport/server';
import { injectFetch } from '../../../sdk/src/testing/inject.ts';
import { fillDemo } from '../../../server/src/demo/fill.ts';
import { createLog } from '../../../server/src/log/log.ts';
import type { Service } from './mutant.ts';

interface Reference {
  readonly service: Service;
  stop(): Promise<void>;
}

export async function startReference(siteUrl: string): Promise<Reference> {
  const database = await openDatabase(':memory:');
  const now = () => new Date();
  const keys = await fillDemo({ database, urnNamespace: 'dpp', now });
  if (keys === undefined) throw new Error('The database of the demo was not empty.');
  const app = await createApp({ database, siteUrl, now, log: createLog('fatal', { write() {} }) });
  await app.initialize();
  const provider = { base_url: `${siteUrl}/api/v1`, site_url: siteUrl, ...keys, field_keys: ['material', 'country'] };
  return {
    service: { fetch: injectFetch(app), provider },
    async stop() {
      await app.stop({ timeout: 0 });
      await database.destroy();
    },
  };
}
