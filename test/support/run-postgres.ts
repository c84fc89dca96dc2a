/**
 * The PostgreSQL that all test files of a run share. It lives in Jest's own process and starts with the first database
 * that a file requests, so that a run without PostgreSQL does not pay for it.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { Cluster } from './cluster.ts';
import type { Surroundings } from './postgres-programs.ts';

const ending = new AsyncDisposableStack();

const wholeRun: Surroundings = {
  defer: (undo) => ending.defer(undo),
  replacePackage(name, exports) {
    const url = `data:text/javascript,${encodeURIComponent(
      Object.entries(exports)
        .map(([key, value]) => `export const ${key} = ${JSON.stringify(value)};`)
        .join('\n'),
    )}`;
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === name ? { url, format: 'module', shortCircuit: true } : next(specifier, context),
    });
  },
};

let cluster: Promise<Cluster> | undefined;

async function respond(request: IncomingMessage): Promise<string> {
  cluster ??= Cluster.start(wholeRun);
  const running = await cluster;
  if (request.method !== 'DELETE') return running.newDatabase();
  await running.dropDatabase(await text(request));
  return '';
}

/** Offers databases at the address in `TEST_POSTGRES`. */
export async function offerDatabases(): Promise<void> {
  const server: Server = createServer((request, response) => {
    respond(request).then(
      (body) => response.end(body),
      (error: Error) => response.writeHead(500).end(error.stack),
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ending.defer(async () => {
    server.close();
    server.closeAllConnections();
  });
  process.env.TEST_POSTGRES = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Stops the cluster, if one was started, and removes its files. */
export async function endDatabases(): Promise<void> {
  await ending.disposeAsync();
}
