/** The real server with an empty database, in memory. Its sandbox sets up the provider states. */
import { type AppOptions, createApp, openDatabase } from '@product-passport/server';
import { createLog } from '../../server/src/log/log.ts';

export interface Service {
  readonly app: Awaited<ReturnType<typeof createApp>>;
  readonly database: AppOptions['database'];
  /** The state endpoint, with its token. */
  readonly stateUrl: string;
  /** What the server logged. */
  readonly log: string[];
  stop(): Promise<void>;
}

/** It appears only in this process. */
const controlToken = 'the-control-token-of-the-provider-tests';

export async function startService(): Promise<Service> {
  const database = await openDatabase(':memory:', { sandbox: true });
  const log: string[] = [];
  const app = await createApp({
    database,
    sandbox: { controlToken },
    // A fixed time, so that midnight cannot pass between a state and its request.
    now: () => new Date('2026-11-20T12:00:00.000Z'),
    log: createLog('warn', { write: (line) => log.push(line) }),
  });
  await app.start();
  return {
    app,
    database,
    stateUrl: `http://127.0.0.1:${app.info.port}/_sandbox/pact/states?control_token=${controlToken}`,
    log,
    async stop() {
      await app.stop({ timeout: 0 });
      await database.destroy();
    },
  };
}
