/** The Citus cluster of `npm run test:distributed`: databases on all of its nodes, and what a statement does there. */
import { createRequire } from 'node:module';
import { connect } from '../../server/src/database/connection.ts';
import { ending } from '../support/files.ts';
import { run } from '../support/program.ts';

/** The addresses of a superuser, the coordinator first. */
export const nodes = (process.env.TEST_CITUS_NODES ?? '').split(/[\s,]+/).filter((address) => address !== '');

/** Stops or starts the last node. `undefined` without `CITUS_CONTROL`. */
export const control: ((verb: 'stop' | 'start') => Promise<void>) | undefined =
  process.env.CITUS_CONTROL === undefined
    ? undefined
    : async (verb) => {
        const { code, stderr } = await run(`${process.env.CITUS_CONTROL} ${verb}`);
        if (code !== 0) throw new Error(`CITUS_CONTROL ${verb} ended with ${code}: ${stderr}`);
      };

async function execute(address: string, ...statements: string[]): Promise<void> {
  const database = connect(address, { unlimited: true });
  try {
    for (const sql of statements) await database.raw(sql);
  } finally {
    await database.destroy();
  }
}

/** The first column of the first row. */
export async function read(address: string, sql: string, values: string[] = []): Promise<unknown> {
  const database = connect(address, { unlimited: true });
  try {
    const { rows } = await database.raw(sql, values);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await database.destroy();
  }
}

let made = 0;

/** A new, empty database on the nodes: its address on each. It is dropped when the tests end. */
export async function newClusterDatabase(on = nodes): Promise<string[]> {
  made += 1;
  const name = `passport_${process.pid}_${made}`;
  const addresses = on.map((node) => Object.assign(new URL(node), { pathname: `/${name}` }).href);
  for (const [index, node] of on.entries()) {
    await execute(node, `CREATE DATABASE ${name}`);
    ending.defer(() => execute(node, `DROP DATABASE ${name} WITH (FORCE)`));
    if (on.length > 1) await execute(addresses[index] ?? '', 'CREATE EXTENSION citus');
  }
  const [coordinator = '', ...workers] = addresses;
  const placed = (address: string): string => {
    const { hostname, port } = new URL(address);
    return `('${hostname}', ${port || 5432})`;
  };
  if (on.length > 1) {
    await execute(coordinator, `SELECT citus_set_coordinator_host${placed(coordinator)}`);
    for (const worker of workers) await execute(coordinator, `SELECT citus_add_node${placed(worker)}`);
  }
  return addresses;
}

/** A new database on the coordinator alone, without the extension. */
export async function newPlainDatabase(): Promise<string> {
  const [address = ''] = await newClusterDatabase(nodes.slice(0, 1));
  return address;
}

/** What a node did for its clients since `forget`, from the notices of its connections. */
interface Done {
  statements: number;
  /** The most shards of one table. */
  shards: number;
  twoPhase: number;
}

/** Makes the later connections to an address report what they send to shards. */
export async function watchShards(address: string): Promise<{ forget(): void; done(): Done }> {
  const name = new URL(address).pathname.slice(1);
  await execute(
    address,
    `ALTER DATABASE ${name} SET citus.log_remote_commands = on`,
    `ALTER DATABASE ${name} SET client_min_messages = 'log'`,
  );
  const { Client } = createRequire(import.meta.url)('pg');
  const { _handleNotice: handle } = Client.prototype;
  let messages: string[] = [];
  Client.prototype._handleNotice = function (notice: { message: string }) {
    messages.push(notice.message);
    return handle.call(this, notice);
  };
  ending.defer(async () => {
    Client.prototype._handleNotice = handle;
    await execute(address, `ALTER DATABASE ${name} RESET ALL`);
  });
  return {
    forget() {
      messages = [];
    },
    done() {
      const sent = messages.flatMap(
        (message) => /^(?:issuing|executing the command locally:) (.*)/s.exec(message)?.[1] ?? [],
      );
      const statements = sent.filter(
        (sql) => /^\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|COPY)\b/i.test(sql) && !sql.includes('citus_internal'),
      );
      const byTable = Map.groupBy(
        statements.flatMap((sql) =>
          Array.from(sql.matchAll(/\bpublic\.(\w+)_(\d{6,})\b/g), ([, table = '', id = '']) => ({ table, id })),
        ),
        ({ table }) => table,
      );
      const shards = [...byTable.values()].map((found) => new Set(found.map(({ id }) => id)).size);
      return {
        statements: statements.length,
        shards: Math.max(0, ...shards),
        twoPhase: sent.filter((sql) => sql.startsWith('PREPARE TRANSACTION')).length,
      };
    },
  };
}
