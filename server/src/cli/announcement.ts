import { commandLine, isPostgresAddress, shownAddress } from '../database/address.ts';
import type { DemoKeys } from '../demo/fill.ts';
import { defaultDatabase } from './database.ts';
import { link, print, showsLinks, version } from './output.ts';

/** The line of JSON that a server prints once it listens. */
export interface Listening
  extends Pick<DemoKeys, 'access_tokens'>,
    Partial<Pick<DemoKeys, 'expired_access_token' | 'active_product'>> {
  base_url: string;
  site_url: string;
  /** The admin listener, if it has a port. */
  admin_url?: string;
  /** Only of a sandbox: the token for `/_sandbox`, and the address of the state endpoint for Pact. */
  control_token?: string;
  state_url?: string;
  /** At most 500. `api_key` is `null` for a tenant that already existed: a key is shown only when it is created. */
  tenants: { slug: string; api_key: string | null }[];
  revoked_api_key: string | null;
}

interface Environment {
  /** Of the database. */
  address: string;
  /** The server's address for this machine. */
  local: string;
  /** The database is a demo that this start created. */
  isNewDemo: boolean;
  /** The database had data already, so that --demo has loaded none. */
  isKept: boolean;
  /** A tenant has a key already, so the first steps are done. */
  hasKey: boolean;
  /** Only this machine reaches the server, so links with access tokens may be shown. */
  isLoopback: boolean;
}

/** Prints where the server listens, and commands to try. They work as they are printed. */
export function announce(
  listening: Listening,
  { address, local, isNewDemo, isKept, hasKey, isLoopback }: Environment,
): void {
  const { control_token } = listening;
  const next = hasKey ? [] : hints(listening, { address, local });
  const withKey = listening.tenants.filter((tenant) => tenant.api_key !== null);
  print(
    '',
    `Product Passport reference server ${version}`,
    '',
    `  API       ${listening.base_url}`,
    `  Reference ${local}/docs`,
    ...pages(listening, { local, isLoopback }),
    ...(listening.admin_url === undefined ? [] : [`  Admin     ${listening.admin_url}`]),
    `  Database  ${shownAddress(address)}${isNewDemo ? ' (new demo data)' : ''}`,
    ...(isKept ? ['            It has data already, so --demo loaded nothing.'] : []),
    ...(control_token === undefined ? [] : [`  Control   ${local}/_sandbox`, `  Token     ${control_token}`]),
    ...withKey.map(({ slug, api_key }) => `  Key       ${api_key}  (${slug})`),
    '',
    ...(next.length === 0 ? [] : [...next, '']),
    `Ready in ${Math.round(performance.now())} ms. Press Ctrl+C to stop.`,
    '',
  );
}

/** The addresses of a passport page, as everybody, a recycler and an inspector see it. */
function pages(
  { active_product: product, access_tokens }: Listening,
  { local, isLoopback }: Pick<Environment, 'local' | 'isLoopback'>,
): string[] {
  if (product === undefined) return [];
  const page = `${local}/p/${product.tenant}/${product.slug}`;
  const hasLinks = showsLinks();
  const shown = (name: string, role: string): string[] => {
    const found = access_tokens.find((one) => one.tenant === product.tenant && one.role === role && !one.revoked);
    if (!found || !isLoopback) return [];
    // Some lines long.
    const address = `${page}?zugang=${found.token}`;
    return [`  ${name.padEnd(9)} ${hasLinks ? link(`the same page for ${role}s`, address) : address}`];
  };
  const forRoles = [...shown('Recycler', 'recycler'), ...shown('Inspector', 'inspector')];
  // Not every terminal shows links, and none says whether it does.
  const hint = hasLinks && forRoles.length > 0 ? ['            No links? NO_COLOR=1 prints their addresses.'] : [];
  return [`  Passport  ${page}`, ...forRoles, ...hint];
}

function hints(
  { tenants, control_token }: Listening,
  { address, local }: Pick<Environment, 'address' | 'local'>,
): string[] {
  if (control_token !== undefined) {
    const create = `curl -X POST -H 'Authorization: Bearer ${control_token}' ${local}/_sandbox/tenants`;
    return ['Create a tenant with an API key:', '', `  ${create}`];
  }
  const key = tenants.find(({ api_key }) => api_key !== null)?.api_key;
  if (!key) return nextSteps(address, tenants[0]?.slug);
  return [
    'Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${key}' ${local}/api/v1/me`,
    `  curl -H 'Authorization: Bearer ${key}' '${local}/api/v1/products?search=CABLE'`,
    `  curl -i ${local}/01/09520001200045`,
  ];
}

function nextSteps(database: string, tenant: string | undefined): string[] {
  if (database === ':memory:') {
    return ['No other command can write to a database in memory. Start with --demo, or name a file with --database.'];
  }
  // The commands do not name a PostgreSQL address, because it may hold a password.
  const needsVariable = isPostgresAddress(database);
  const named = database === defaultDatabase ? undefined : database;
  const create = commandLine("tenant create my-shop --name 'My Shop' --country DE", named);
  return [
    `Next, in another shell${needsVariable ? ' with the database address in PRODUCT_PASSPORT_DATABASE' : ''}:`,
    '',
    ...(tenant === undefined ? [`  ${create}`] : []),
    `  ${commandLine(`key create --tenant ${tenant ?? 'my-shop'}`, named)}`,
  ];
}
