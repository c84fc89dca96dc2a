/** Compares what a database has with what the server acknowledged. */
import type { PassportValue } from '@product-passport/openapi';
import { isPostgresAddress } from '../../server/src/database/address.ts';
import { connect } from '../../server/src/database/connection.ts';
import { contentHash } from '../../server/src/passports/version.ts';
import { expectThat } from './report.ts';
import type { Server } from './server.ts';
import { type Field, productSlugs, type Tenant, type Workload } from './workload.ts';

type Database = ReturnType<typeof connect>;

type Stored = {
  values: { field_key: string; value: unknown }[];
  template_version: number;
  latest_version: { version: number; salt: string; content_hash: string };
};

/**
 * Every acknowledged write is there and complete, versions have no gaps, hashes are right, and counts are those of the
 * rows.
 */
export async function checkStored(workload: Workload, server: Server): Promise<string> {
  const { shop } = workload;
  const passports = await readPassports(workload, server);
  for (const field of workload.fields) checkField(field, passports.get(`${field.tenant.id} ${field.slug}`));
  const database = connect(shop.address);
  try {
    if (!isPostgresAddress(shop.address)) await checkFile(database);
    await checkVersions(database);
    await checkProducts(database, workload);
    await checkCounts(database);
    const acknowledged = [...workload.created.values()].filter(({ isAcknowledged }) => isAcknowledged).length;
    return `${acknowledged} products`;
  } finally {
    await database.destroy();
  }
}

async function readPassports({ shop }: Workload, server: Server): Promise<Map<string, Stored>> {
  const passports = new Map<string, Stored>();
  for (const { id, key } of shop.tenants) {
    for (const slug of productSlugs) {
      const { status, text } = await server.ask({ path: `/api/v1/products/${slug}/passport`, key });
      expectThat(status === 200, () => `the passport of ${slug} gets ${status}`);
      const passport: Stored = JSON.parse(text);
      const { values, template_version, latest_version } = passport;
      const hash = contentHash(latest_version.salt, template_version, values as PassportValue[]);
      expectThat(
        hash === latest_version.content_hash,
        () => `the hash of ${slug} in version ${latest_version.version} is wrong`,
      );
      passports.set(`${id} ${slug}`, passport);
    }
  }
  return passports;
}

function checkField(field: Field, passport: Stored | undefined): void {
  const of = (key: string): number => Number(passport?.values.find(({ field_key }) => field_key === key)?.value ?? 0);
  const [value, too] = [of(field.key), of(`${field.key}_too`)];
  const where = `${field.key} of ${field.slug}`;
  expectThat(value === too, () => `${where} is stored in part: ${value} and ${too}`);
  const possible = [field.acknowledged, ...field.unknown];
  expectThat(
    possible.includes(value),
    () => `${where} is ${value}, but ${field.acknowledged} was acknowledged, and ${field.unknown} sent`,
  );
  field.acknowledged = value;
  field.unknown = [];
}

async function checkFile(database: Database): Promise<void> {
  for (const pragma of ['integrity_check', 'foreign_key_check']) {
    const rows: object[] = await database.raw(`PRAGMA ${pragma}`);
    const found = rows.filter((row) => !Object.values(row).includes('ok'));
    expectThat(found.length === 0, () => `${pragma} says ${JSON.stringify(found.slice(0, 3))}`);
  }
}

async function checkVersions(database: Database): Promise<void> {
  const rows = await database('passport_versions')
    .groupBy('tenant_id', 'product_id')
    .select('product_id', database.raw('count(*) AS number, min(version) AS first, max(version) AS last'));
  const [gap] = rows.filter(({ number, first, last }) => Number(first) !== 1 || Number(number) !== Number(last));
  expectThat(
    gap === undefined,
    () => `the product ${gap.product_id} has ${gap.number} versions from ${gap.first} to ${gap.last}`,
  );
  const [without] = await database('products')
    .whereNotExists(
      database('passport_versions').whereRaw(
        'passport_versions.tenant_id = products.tenant_id AND product_id = products.id',
      ),
    )
    .limit(1)
    .select('slug');
  expectThat(without === undefined, () => `the product ${without.slug} has no version`);
}

async function checkProducts(database: Database, { created, shop }: Workload): Promise<void> {
  const rows: { tenant_id: string; name: string }[] = await database('products').select('tenant_id', 'name');
  const stored = Map.groupBy(rows, ({ name }) => name);
  for (const [name, { tenant, isAcknowledged }] of created) {
    const found = stored.get(name) ?? [];
    expectThat(
      found.every(({ tenant_id }) => tenant_id === tenant.id),
      () => `${name} belongs to another tenant`,
    );
    const isRight = found.length === 1 || (found.length === 0 && !isAcknowledged);
    expectThat(isRight, () => `${name} is stored ${found.length} times, acknowledged: ${isAcknowledged}`);
  }
  const all = created.size + shop.tenants.length * productSlugs.length;
  expectThat(rows.length <= all, () => `${rows.length} products are stored, but ${all} were sent`);
}

/**
 * The stored scans, their counts, and the sums of these by day agree. Each served view is stored, or reported as lost.
 *
 * @param lost how many scans the servers reported as lost until they ended
 */
export async function checkScans({ shop, views }: Workload, lost: number): Promise<string> {
  const database = connect(shop.address);
  let total = 0;
  let missing = 0;
  try {
    for (const { id, slug } of shop.tenants) {
      const { served, sent } = views.get(id) ?? { served: 0, sent: 0 };
      const sums = await scanSums(database, id);
      expectThat(
        new Set(sums).size === 1,
        () => `${slug} has ${sums.join(', ')} scans in scans, scan_counts, scan_days`,
      );
      const [scans = 0] = sums;
      const wrong = await wrongDay(database, id);
      expectThat(
        wrong === undefined,
        () => `${slug} has a sum that is not that of its counts: ${JSON.stringify(wrong)}`,
      );
      expectThat(scans <= sent, () => `${slug} has ${scans} scans, but only ${sent} views were sent`);
      missing += Math.max(0, served - scans);
      total += scans;
    }
  } finally {
    await database.destroy();
  }
  expectThat(missing <= lost, () => `${missing} scans of served pages are missing, ${lost} were reported as lost`);
  return `${total} scans, ${missing} missing, ${lost} reported as lost`;
}

async function scanSums(database: Database, tenant_id: Tenant['id']): Promise<number[]> {
  const [scans] = await database('scans').where({ tenant_id }).count({ number: '*' });
  const [counts] = await database('scan_counts').where({ tenant_id }).sum({ number: 'count' });
  const [days] = await database('scan_days').where({ tenant_id }).sum({ number: 'count' });
  return [scans, counts, days].map((row) => Number(row?.number ?? 0));
}

/** A day whose sum is not that of its counts. */
function wrongDay(database: Database, tenant_id: Tenant['id']): Promise<object | undefined> {
  const counts = database('scan_counts')
    .sum('count')
    .where({ tenant_id })
    .whereRaw('scan_counts.date = scan_days.date AND scan_counts.role = scan_days.role');
  return database('scan_days').where({ tenant_id }).where('count', '<>', counts).first();
}

async function checkCounts(database: Database): Promise<void> {
  const stored: { tenant_id: string; draft: number; active: number; archived: number }[] = await database(
    'product_counts',
  ).select('tenant_id', 'draft', 'active', 'archived');
  for (const { tenant_id, ...counts } of stored) {
    for (const [status, count] of Object.entries(counts)) {
      const [row] = await database('products').where({ tenant_id, status }).count({ number: '*' });
      expectThat(
        Number(row?.number) === count,
        () => `${count} products are counted as ${status}, but ${row?.number} are stored`,
      );
    }
    const [positions] = await database('products')
      .where({ tenant_id })
      .select(database.raw('count(DISTINCT position) AS number, max(position) AS last'));
    expectThat(Number(positions?.number) === Number(positions?.last ?? 0), () => `positions have gaps or repeat`);
  }
}
