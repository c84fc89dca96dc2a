import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Knex } from 'knex';
import { type TokenRole, tokenRoles } from '../access/rules.ts';
import { type Rotation, rotateSecret } from '../access/secrets.ts';
import { type AccessToken, revokeToken, walkTokens } from '../access/store.ts';
import { createToken } from '../access/token.ts';
import { commandHint } from '../database/address.ts';
import { withChange } from './change.ts';
import {
  type AdministrationOptions,
  administrationCommand,
  requireProduct,
  requireTenant,
  type TenantOptions,
  withDatabase,
} from './database.ts';
import { CommandFailure, print, printJson, printPages } from './output.ts';

const day = 86_400_000;
const maxDays = 3650;

export function addTokenCommands(program: Command): void {
  const token = program
    .command('token')
    .description('manage access tokens, which show recyclers and inspectors more than the public view');

  tokenCommand(token, 'create')
    .description('create an access token; the token is shown only once')
    .addOption(new Option('--role <role>', 'role that the token is for').choices(tokenRoles).makeOptionMandatory())
    .option('--product <slug>', 'limit the token to one product (default: all products of the tenant)')
    .addOption(new Option('--days <number>', 'days until the token expires').default(365).argParser(validDays))
    .action(async (options: TenantOptions & { role: TokenRole; product?: string; days: number }, command: Command) => {
      const made = await withChange(command, (transaction) => create(transaction, options));
      if (options.json) printJson(made);
      else {
        print(
          made.token,
          `Store this token now: it is not shown again. Its id is ${made.id}. It expires at ${made.expires_at}.`,
          'Append it to the address of a passport page as ?zugang=TOKEN.',
        );
      }
    });

  tokenCommand(token, 'list')
    .description('list the access tokens by id; the tokens themselves are not stored')
    .action((options: TenantOptions) =>
      withDatabase(options, async (database) => {
        const tenant = await requireTenant(database, options);
        await printPages(walkTokens(database, tenant.id), {
          json: options.json,
          header: ['ID', 'ROLE', 'PRODUCT', 'EXPIRES', 'REVOKED'],
          row: ({ id, role, product, expires_at, revoked_at }) => [
            id,
            role,
            product ?? '(all)',
            expires_at,
            revoked_at ?? '-',
          ],
          whenEmpty: 'The tenant has no access tokens.',
        });
      }),
    );

  tokenCommand(token, 'revoke <id>')
    .description('revoke an access token; from the next request on it shows only the public view')
    .action(async (id: string, options: TenantOptions, command: Command) => {
      const revoked = await withChange(command, (transaction) => revoke(transaction, id, options));
      if (options.json) printJson(revoked);
      else print(`Revoked access token ${id}.`);
    });

  administrationCommand(token.command('rotate-secret'))
    .summary('sign new access tokens with a new secret, for all tenants')
    .description(
      'sign new access tokens with a new secret, for all tenants. Existing tokens stay valid until they expire, unless you add --revoke-old.',
    )
    .option('--revoke-old', 'revoke all existing tokens of all tenants, for example after a secret leaked')
    .action(async (options: AdministrationOptions & { revokeOld?: boolean }, command: Command) => {
      const { revokeOld = false } = options;
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
    const tokens = revoked_tokens === 1 ? '1 access token' : `${revoked_tokens} access tokens`;
    return [
      first,
      `Revoked ${tokens}. Requests with an older token get the public view.`,
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

function tokenCommand(parent: Command, usage: string): Command {
  return administrationCommand(parent.command(usage)).requiredOption(
    '--tenant <slug>',
    'tenant that the access token belongs to',
  );
}

async function create(
  transaction: Knex.Transaction,
  { product: slug, role, days, ...options }: TenantOptions & { role: TokenRole; product?: string; days: number },
) {
  const tenant = await requireTenant(transaction, options);
  const product = slug === undefined ? undefined : await requireProduct(transaction, tenant.id, slug, options);
  const now = new Date();
  const expiresAt = new Date(now.getTime() + days * day);
  const made = await createToken(transaction, tenant.id, { product_id: product?.id ?? null, role, expiresAt }, now);
  return { ...made, product: product?.slug ?? null };
}

async function revoke(transaction: Knex.Transaction, id: string, options: TenantOptions): Promise<AccessToken> {
  const tenant = await requireTenant(transaction, options);
  const revoked = await revokeToken(transaction, tenant.id, id, new Date());
  if (revoked) return revoked;
  const hint = commandHint(`token list --tenant ${options.tenant}`, options.database);
  throw new CommandFailure(`the tenant ${options.tenant} has no access token ${id}. List its tokens with ${hint}.`);
}

function validDays(text: string): number {
  const days = Number(text);
  if (!/^[0-9]+$/.test(text) || days < 1 || days > maxDays) {
    throw new InvalidArgumentError(`Use a whole number from 1 to ${maxDays}.`);
  }
  return days;
}
