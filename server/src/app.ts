import { setTimeout } from 'node:timers/promises';
import type { Server } from '@hapi/hapi';
import { readContract } from '@product-passport/openapi';
import type { Knex } from 'knex';
import { carrierHandlers } from './carriers/handlers.ts';
import { settings } from './config/settings.ts';
import { isUnavailable } from './database/connection.ts';
import { stateOf } from './database/state.ts';
import { docsPlugin } from './docs/plugin.ts';
import { Admission, type AdmissionLimits } from './http/admission.ts';
import { connectionsPlugin, createServer } from './http/connections.ts';
import { errorResponder, errorsPlugin } from './http/errors.ts';
import type { Handlers } from './http/handlers.ts';
import { addressLimit } from './http/rate-limit.ts';
import { type FinishedRequest, type RefusingLimit, requestLog, requestLogPlugin } from './http/request-log.ts';
import { fallbacksPlugin, routesPlugin } from './http/routes.ts';
import { targetPlugin } from './http/target.ts';
import { lifecycleHandlers } from './lifecycle/handlers.ts';
import { createLog, type Log } from './log/log.ts';
import type { Metrics } from './metrics/metrics.ts';
import { passportHandlers } from './passports/handlers.ts';
import { PassportCache } from './passports/read.ts';
import { productHandlers } from './products/handlers.ts';
import { scanHandlers } from './scans/handlers.ts';
import { ScanRecorder } from './scans/recorder.ts';
import { ScanRetention } from './scans/retention.ts';
import type { Services } from './services.ts';
import { dppHandlers } from './site/dpp.ts';
import { siteHandlers } from './site/handlers.ts';
import { homePlugin } from './site/home.ts';
import { imagesPlugin } from './site/image.ts';
import { namespacePlugin } from './site/namespace.ts';
import { publicListPlugin } from './site/public-list.ts';
import { renderings } from './site/rendered.ts';
import { addRendering, errorPages } from './site/rendering.ts';
import { resolverHandlers } from './site/resolver.ts';
import { findKey, KeyUses } from './tenants/keys.ts';
import { tenantLimit } from './tenants/limit.ts';
import { divideConnections, requestQueue } from './tenants/queue.ts';
import { findListedTenant } from './tenants/store.ts';

/** How long a stop waits for scans and their deletion, in milliseconds. */
const stopTimeout = 1000;

/** Maximum bytes of bodies in memory: 64 bodies of the maximum size. */
const maxBodyBytes = 64 * 1024 * 1024;

/** How long a body may wait unread: for the look-up of the key, or for the end of a refused request, in milliseconds. */
const unreadTimeout = 10_000;

/** How long a client may take to read a response, in milliseconds. */
const responseTimeout = 60_000;

export interface AppOptions {
  database: Knex;
  /** Host to listen on. Default `127.0.0.1`. */
  host?: string;
  /** Port to listen on; 0 means any free port. Default 0. */
  port?: number;
  /** Public address of the site. Default: the address that the server listens on. */
  siteUrl?: string | undefined;
  /** Default `dpp`. */
  urnNamespace?: string;
  /** Default 307. */
  redirectStatus?: 302 | 307;
  /**
   * Requests a minute for each tenant; 0 means no limit. Servers over one PostgreSQL share the limit; over one SQLite file
   * each has its own. Default 0.
   */
  rateLimit?: number;
  /** Requests a minute without a valid key from each address; 0 means no limit. Default 0. */
  publicRateLimit?: number;
  /**
   * How long the head of a request may take to arrive, and its body after that, and how long an idle connection stays
   * open, in milliseconds. Default 60,000, 10,000 and 72,000.
   */
  timeouts?: { head?: number; body?: number; keepAlive?: number };
  /** Maximum number of open connections, divided among addresses; 0 means no limit. Default 20,000. */
  maxConnections?: number;
  /** Maximum number of requests in flight, half of them with a valid key; further ones get 503. 0 means no limit. Default 2,048. */
  maxRequests?: number;
  /** For tests: the other limits of admission. */
  load?: Partial<Pick<AdmissionLimits, 'bodyBytes' | 'responseTimeout'>>;
  /**
   * Writes of one tenant that run at a time, about four if they are large. The others wait, and leave room for other
   * tenants. Default 32. On PostgreSQL at most half of the connections.
   */
  tenantWrites?: number;
  /** Number of your own proxies in front of the server, whose `X-Forwarded-For` is trusted. Default 0. */
  trustProxy?: number;
  /** Count the views of passport pages. Default true. */
  countScans?: boolean;
  /** Days before today whose single scans are kept. Older scans remain as counts. Default 90. */
  keepScans?: number;
  /**
   * Adds `/_sandbox/…`, with which tests control the server, behind this token. Needs a loopback `host`, and a database
   * opened with `sandbox`.
   */
  sandbox?: { controlToken: string } | undefined;
  /** Default: warnings and errors go to standard error. A log of level `info` has a line for each request. */
  log?: Log;
  /** The share of successful requests without a key that are logged, from 0 to 1. Default 1. */
  logPublicSample?: number;
  /** Measures the requests, the statements and the scans. Default: nothing is measured. */
  metrics?: Metrics | undefined;
  /**
   * Whether the server will stop soon. Each response then ends its connection, and a load balancer sends the next request
   * elsewhere. Default: never.
   */
  isStopping?: () => boolean;
  /** The clock. */
  now?: () => Date;
}

/**
 * Composes the server from the handlers of all nouns. It does not listen yet.
 *
 * @throws if an operation of the contract has no handler, or validation does not support one of its rules
 */
export async function createApp(options: AppOptions): Promise<Server> {
  const { port = 0, timeouts = {}, log = createLog('warn'), metrics, isStopping = () => false } = options;
  const { ofTenants: database, keyless, lookUp } = divideConnections(options.database);
  /** An option, or the default of its setting. */
  const optionOf = <Name extends keyof AppOptions & keyof typeof settings>(name: Name) =>
    (options[name] ?? settings[name].default) as NonNullable<AppOptions[Name]>;
  const { head = settings.headTimeout.default, body: bodyTimeout = settings.bodyTimeout.default } = timeouts;
  const proxies = optionOf('trustProxy');
  const rateLimit = optionOf('rateLimit');
  const publicRateLimit = optionOf('publicRateLimit');
  const contract = readContract();
  const respondToError = errorResponder(contract, isUnavailable);
  const server = createServer(optionOf('host'), port, {
    headersTimeout: head,
    // Node's default is five minutes, less than the settings allow.
    requestTimeout: head + bodyTimeout + unreadTimeout,
    connectionsCheckingInterval: head / 2,
    keepAliveTimeout: timeouts.keepAlive ?? settings.keepAlive.default,
  });
  const services: Services = {
    database,
    siteUrl: () => options.siteUrl ?? localAddress(server),
    urnNamespace: optionOf('urnNamespace'),
    redirectStatus: optionOf('redirectStatus'),
    countScans: optionOf('countScans'),
    now: options.now ?? (() => new Date()),
  };
  const publicServices = { ...services, database: keyless };
  const recorder = new ScanRecorder(database, log);
  logRefusals(database, log);
  metrics?.watchDatabase(options.database);
  metrics?.watchWrites(stateOf(database));
  metrics?.watchScans(recorder);
  const retention = new ScanRetention({ database, now: services.now, keepDays: optionOf('keepScans'), log });
  const keyUses = new KeyUses({ database, now: services.now, log });
  server.ext('onPostStart', () => {
    retention.start();
    keyUses.start();
  });
  server.ext('onPostStop', async () => {
    // A database that hangs must not delay the end of the process.
    const giveUp = setTimeout(stopTimeout, undefined, { ref: false });
    await Promise.race([Promise.all([retention.stop(), recorder.idle(), keyUses.stop()]), giveUp]);
    recorder.logLosses();
  });
  const render = addRendering(server);
  const cache = new PassportCache();
  const rendered = renderings(publicServices, cache);
  const handlers: Handlers = {
    ...productHandlers(services),
    ...lifecycleHandlers(services),
    ...passportHandlers(services, cache),
    ...carrierHandlers(services),
    ...scanHandlers(services),
    ...siteHandlers(publicServices, { recorder, render, cache, rendered }),
    ...dppHandlers(publicServices, rendered),
    ...resolverHandlers(publicServices),
  };
  const logRequest = requestLog(log, optionOf('logPublicSample'));
  const finished = (request: FinishedRequest): void => {
    logRequest(request);
    metrics?.finished(request);
  };
  const limitHit = (limit: RefusingLimit): void => metrics?.limitHit(limit);
  const errorPage = errorPages(render, (slug) => findListedTenant(keyless, slug));
  const admission = new Admission({
    requests: optionOf('maxRequests'),
    bodyBytes: maxBodyBytes,
    responseTimeout,
    ...options.load,
    proxies,
    async findKey(key, network) {
      const found = await lookUp(network, () => findKey(options.database, key));
      if (found) keyUses.record(found.tenant.id, found.id, found.isNew);
      return found;
    },
    limitTenant: rateLimit > 0 ? tenantLimit(database, rateLimit) : undefined,
    limitAddress: publicRateLimit > 0 ? addressLimit(publicRateLimit) : undefined,
    log,
  });
  await server.register({ plugin: requestLogPlugin, options: { finished } });
  admission.register(server);
  await server.register([
    {
      plugin: connectionsPlugin,
      options: {
        respondToError,
        finished,
        isStopping,
        maxConnections: optionOf('maxConnections'),
        isBehindProxy: proxies > 0,
        limitHit,
      },
    },
    { plugin: targetPlugin },
    { plugin: errorsPlugin, options: { admission, respondToError, errorPage, log } },
    {
      plugin: routesPlugin,
      options: {
        contract,
        handlers,
        bodyTimeout,
        admission,
        proxies,
        queueRequest: requestQueue(database, optionOf('tenantWrites')),
      },
    },
    { plugin: imagesPlugin, options: { database: keyless, cache } },
    { plugin: namespacePlugin, options: { siteUrl: services.siteUrl, render } },
    { plugin: docsPlugin, options: { siteUrl: services.siteUrl } },
    { plugin: homePlugin, options: { render, siteUrl: services.siteUrl } },
    { plugin: publicListPlugin, options: { ...publicServices, render, cache } },
    { plugin: fallbacksPlugin, options: { contract } },
  ]);
  if (options.sandbox) {
    // Imported only here, so that other servers do not even load it.
    const { sandboxPlugin } = await import('./sandbox/plugin.ts');
    await server.register({
      plugin: sandboxPlugin,
      options: { ...options.sandbox, contract, services, respondToError },
    });
  }
  return server;
}

/** Logs once when the database begins to refuse writes, and when it ends. */
function logRefusals(database: Knex, log: Log): void {
  stateOf(database).observe((reason, path) => {
    if (reason === undefined) log.info('the database takes writes again');
    else if (path === undefined) log.warn({ reason }, 'the database refuses writes');
    else {
      log.error(
        { reason, path },
        'a database file was moved, removed or replaced; reads and writes get 503. Stop the server, put the right file there, and start it again',
      );
    }
  });
}

/** The address of a listening server on its own machine, without a trailing slash. */
export function localAddress({ settings, info }: Server): string {
  const host = settings.host ?? '';
  const reached = host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${info.port}`;
}
