import { type TokenRole, tokenRoles } from '@product-passport/openapi';
import { type Command, Option } from 'commander';
import type { Knex } from 'knex';
import { type Rotation, rotateSecret } from '../access/secrets.ts';
import { type AccessToken, revokeToken, walkTokens } from '../access/store.ts';
import { createToken } from '../access/token.ts';
import { commandHint } from '../database/address.ts';
import type { Tenant } from '../tenants/store.ts';
import { withChange, withTenantChange } from './change.ts';
import {
  type AdministrationOptions,
  administrationCommand,
  requireProduct,
  type TenantOptions,
  tenantCommand,
  withTenant,
} from './database.ts';
import { id, slug, wholeNumber } from './options.ts';
import { CommandFailure, confirm, counted, note, print, printJson, printPages } from './output.ts';

const day = 86_400_000;

type CreateOptions = TenantOptions & { role: TokenRole; all?: boolean; days: number };

export function addTokenCommands(program: Command): void {
  const token = program
    .command('token')
    .description('manage access tokens, which show recyclers and inspectors more than the public view');

  tenantCommand(token, 'create')
    .argument('[product]', 'slug of the only product that the token opens', slug)
    .description('create an access token for a product, or for all with --all; the token is shown only once')
    .option('--all', 'open every product of the tenant, also later ones')
    .addOption(new Option('--role <role>', 'role that the token is for').choices(tokenRoles).makeOptionMandatory())
    .addOption(
      new Option('--days <number>', 'days until the token expires').default(365).argParser(wholeNumber(3650, 1)),
    )
    .action(async (product: string | undefined, options: CreateOptions, command: Command) => {
      if ((product === undefined) === (options.all === undefined)) {
        throw new CommandFailure('name one product, or add --all for every product of the tenant.', 2);
      }
      const made = await withTenantChange(command, (transaction, tenant) =>
        create(transaction, tenant, product, options),
      );
      if (options.json) printJson(made);
      else {
        print(made.token);
        note(
          `Store this token now: it is not shown again. Its id is ${made.id}. It expires at ${made.expires_at}.`,
          'Append it to the address of a passport page as ?zugang=TOKEN.',
        );
      }
    });

  tenantCommand(token, 'list')
    .description('list the access tokens by id; the tokens themselves are not stored')
    .action((options: TenantOptions) =>
      withTenant(options, (database, tenant) =>
        printPages(walkTokens(database, tenant.id), {
          json: options.json,
          header: ['ID', 'ROLE', 'PRODUCT', 'EXPIRES', 'REVOKED'],
          row: (each) => [each.id, each.role, each.product ?? '(all)', each.expires_at, each.revoked_at ?? '-'],
          whenEmpty: 'The tenant has no access tokens.',
        }),
      ),
    );

  tenantCommand(token, 'revoke')
    .argument('<id>', 'id of the token', id)
    .description('revoke an access token; from the next request on it shows only the public view')
    .action(async (id: string, options: TenantOptions, command: Command) => {
      const revoked = await withTenantChange(command, (transaction, tenant) =>
        revoke(transaction, tenant, id, options),
      );
      if (options.json) printJson(revoked);
      else print(`Revoked access token ${id}.`);
    });

  administrationCommand(token.command('rotate-secret'))
    .summary('sign new access tokens with a new secret, for all tenants')
    .description(
      'sign new access tokens with a new secret, for all tenants. Existing tokens stay valid until they expire, unless you add --revoke-old.',
    )
    .option('--revoke-old', 'revoke all existing tokens of all tenants, for example after a secret leaked')
    .option('--yes', 'revoke without a question')
    .action(async (options: AdministrationOptions & { revokeOld?: boolean; yes?: boolean }, command: Command) => {
      const { revokeOld = false } = options;
      if (revokeOld) await confirm('All access tokens of all tenants would be revoked.', options);
      const rotated = await withChange(command, (transaction) => rotateSecret(transaction, { revokeOld }, new Date()), {
        // It reads or revokes the tokens of all tenants.
        unlimited: true,
      });
      if (options.json) printJson(rotated);
      else print(...rotationLines(rotated, revokeOld));
    });
}

function rotationLines({ kid, old_secrets, revoked_tokens }: Rotation, revokeOld: boolean): string[] {
  const first = `New access tokens are signed with the secret ${kid}.`;
  if (revokeOld) {
    return [
      first,
      `Revoked ${counted(revoked_tokens, 'access token')}. Requests with an older token get the public view.`,
      'Create new tokens for everybody who still needs access.',
    ];
  }
  if (old_secrets.length === 0) return [first, 'There is no older secret with valid tokens.'];
  return [
    first,
    ...old_secrets.map(
      (old) => `Tokens of the secret ${old.kid} stay valid until they expire, the last one at ${old.accepted_until}.`,
    ),
  ];
}

async function create(
  transaction: Knex.Transaction,
  tenant: Tenant,
  slug: string | undefined,
  { role, days, ...options }: CreateOptions,
) {
  const product = slug === undefined ? undefined : await requireProduct(transaction, tenant, slug, options);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + days * day);
  const made = await createToken(transaction, tenant.id, { product_id: product?.id ?? null, role, expiresAt }, now);
  return { ...made, product: product?.slug ?? null };
}

async function revoke(
  transaction: Knex.Transaction,
  tenant: Tenant,
  id: string,
  { database }: TenantOptions,
): Promise<AccessToken> {
  const revoked = await revokeToken(transaction, tenant.id, id, new Date());
  if (revoked) return revoked;
  const hint = commandHint(`token list --tenant ${tenant.slug}`, database);
  throw new CommandFailure(`the tenant ${tenant.slug} has no access token ${id}. List its tokens with ${hint}.`);
}
