import { Readiness } from '../admin/readiness.ts';
import { localAddress } from '../app.ts';
import type { Configuration } from '../config/settings.ts';
import type { Log } from '../log/log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { listen } from './listen.ts';

/** The admin listener of a server, before and while the server listens. */
export interface Admin {
  readiness: Readiness;
  /** Absent without a listener, so that nothing is measured. */
  metrics?: Metrics;
  url?: string;
  stop(): Promise<void>;
}

/** Starts the admin listener if it has a port. */
export async function startAdmin({ adminHost: host, adminPort: port }: Configuration, log: Log): Promise<Admin> {
  const readiness = new Readiness();
  if (port === undefined) return { readiness, stop: async () => undefined };
  // Imported only here, so that other starts are quicker.
  const [{ createAdmin }, { Metrics }] = await Promise.all([
    import('../admin/admin.ts'),
    import('../metrics/metrics.ts'),
  ]);
  const metrics = new Metrics();
  const server = createAdmin({ host, port, readiness, metrics, log });
  await listen(server, { host, port }, { host: '--admin-host', port: '--admin-port' });
  const url = localAddress(server);
  log.info({ address: url }, 'admin listener started');
  return { readiness, metrics, url, stop: () => server.stop({ timeout: 0 }) };
}
