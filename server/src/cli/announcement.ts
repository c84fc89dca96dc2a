import { databaseOptionFor, isPostgresAddress, shownAddress } from '../database/address.ts';
import { print } from './output.ts';

/** What a server says once it listens. */
export interface Listening {
  base_url: string;
  site_url: string;
  /** `api_key` is `null` where the tenant was there before: a key is shown only when it is made. */
  tenants: { slug: string; api_key: string | null }[];
  revoked_api_key: string | null;
  access_tokens: { tenant: string; product: string | null; role: string; token: string; revoked: boolean }[];
}

export interface Circumstances {
  version: string;
  database: string;
  /** Where the server is reached from this machine. */
  local: string;
  /** The database was made just now. */
  fresh: boolean;
}

/** Tells a person where the server is, with commands to try that work as they are printed. */
export async function announce(
  listening: Listening,
  { version, database, local, fresh }: Circumstances,
): Promise<void> {
  const milliseconds = await timeToFirstAnswer(local);
  const withKey = listening.tenants.filter((tenant) => tenant.api_key !== null);
  print(
    '',
    `Product Passport reference server ${version}`,
    '',
    `  API       ${listening.base_url}`,
    `  Database  ${shownAddress(database)}${fresh ? ' (a fresh demo)' : ''}`,
    ...withKey.map(({ slug, api_key }) => `  Key       ${api_key}  (${slug})`),
    '',
    ...(withKey[0]?.api_key ? tryIt(local, withKey[0].api_key) : nextSteps(database, listening.tenants.length > 0)),
    '',
    `First answer ${milliseconds} ms after the process began. Stop with Ctrl+C.`,
    '',
  );
}

function tryIt(local: string, key: string): string[] {
  return [
    'Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${key}' ${local}/api/v1/me`,
    `  curl -H 'Authorization: Bearer ${key}' '${local}/api/v1/products?search=KABEL'`,
    `  curl -i ${local}/01/09520001000072`,
  ];
}

function nextSteps(database: string, hasTenant: boolean): string[] {
  if (database === ':memory:') {
    return ['Nothing else can write to a database in memory. Start with --demo, or name a file with --database.'];
  }
  // An address may hold a password, which does not belong on the screen.
  const isHidden = isPostgresAddress(database);
  const option = databaseOptionFor(database);
  return [
    `Next, in another shell${isHidden ? ', with the address of the database in PRODUCT_PASSPORT_DATABASE' : ''}:`,
    '',
    ...(hasTenant ? [] : [`  product-passport tenant create my-shop --name 'My Shop' --country DE${option}`]),
    `  product-passport key create --tenant ${hasTenant ? '<slug>' : 'my-shop'}${option}`,
  ];
}

/** Asks the server as a client would, and takes the time since the process began. */
async function timeToFirstAnswer(local: string): Promise<number> {
  const answer = await fetch(`${local}/api/v1/me`);
  await answer.arrayBuffer();
  return Math.round(performance.now());
}
