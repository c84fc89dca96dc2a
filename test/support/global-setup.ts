/**
 * The PostgreSQL, the templates and the built packages that all test files of a run share. They live in Jest's own process and
 * are made for the first file that needs them, so that a run without PostgreSQL does not pay for it.
 */
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { Cluster } from './cluster.ts';
import { type Installed, install, type Packed, pack } from './packages.ts';
import { removeLeftFolders, temporaryFolder } from './program.ts';

const ending = new AsyncDisposableStack();

let cluster: Promise<Cluster> | undefined;
let postgresTemplate: Promise<string> | undefined;
let sqliteTemplate: Promise<string> | undefined;
let packed: Promise<Packed> | undefined;
/** By the packages that are installed. */
const installed = new Map<string, Promise<Installed>>();

async function respond({ method, url }: IncomingMessage, body: string): Promise<string> {
  if (url === '/sqlite-template') {
    sqliteTemplate ??= makeSqliteTemplate();
    return sqliteTemplate;
  }
  if (url === '/packed') return JSON.stringify(await packages());
  if (url === '/installed') {
    const project = installed.get(body) ?? installIn(body);
    installed.set(body, project);
    return JSON.stringify(await project);
  }
  cluster ??= Cluster.start((undo) => ending.defer(undo));
  const running = await cluster;
  if (method === 'DELETE') {
    await running.dropDatabase(body);
    return '';
  }
  if (url === '/copy') return running.newDatabase(body);
  if (url !== '/migrated') return running.newDatabase();
  postgresTemplate ??= running.newDatabase().then(migrate);
  return running.newDatabase(await postgresTemplate);
}

function packages(): Promise<Packed> {
  packed ??= pack(newFolder('packages'));
  return packed;
}

async function installIn(names: string): Promise<Installed> {
  const [workspaces, others]: string[][] = JSON.parse(names);
  return install(newFolder('project'), await packages(), workspaces ?? [], others);
}

async function makeSqliteTemplate(): Promise<string> {
  return migrate(join(newFolder('template'), 'template.sqlite'));
}

function newFolder(name: string): string {
  const folder = temporaryFolder(name);
  ending.defer(() => rm(folder, { recursive: true }));
  return folder;
}

/** Makes the tables of an empty database, and leaves no connection to it. */
async function migrate(address: string): Promise<string> {
  const { openDatabase } = await import('../../server/src/database/open.ts');
  const database = await openDatabase(address);
  await database.destroy();
  return address;
}

/** Listens at the address in `TEST_RUN`. */
async function offerShared(): Promise<void> {
  const server: Server = createServer((request, response) => {
    text(request)
      .then((body) => respond(request, body))
      .then(
        (body) => response.end(body),
        (error: Error) => response.writeHead(500).end(error.stack),
      );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  ending.defer(async () => {
    server.close();
    server.closeAllConnections();
  });
  process.env.TEST_RUN = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** Offers databases and the built packages, and gives the processes of the run a folder for the statements that they send. */
export default async function begin(): Promise<void> {
  await removeLeftFolders();
  process.env.STATEMENTS = newFolder('statements');
  await offerShared();
}

/** Stops the cluster, if one was started, and removes all files. */
export async function endShared(): Promise<void> {
  await ending.disposeAsync();
}
